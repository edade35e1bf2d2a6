"""Language models as players, behind any server with the OpenAI chat protocol.

    OPENAI_BASE_URL=http://localhost:8000/v1 OPENAI_API_KEY=none banakil play --game gin llm:MODEL
    banakil arena "llm:MODEL,moves=count,giveup=first,log=talk.jsonl" greedy --game rummy --deals 5

The address and the key come from the environment (`OPENAI_BASE_URL`, `OPENAI_API_KEY`), which the `openai` library
reads. The library repeats a request after a broken connection, a server error, or too many requests (429). One deadline
applies to all attempts at a reply, until its last byte. The size of a reply is limited. Redirects are not followed,
since the conversation would go to another server.
"""

from __future__ import annotations

import asyncio
import functools
import json
import threading
from collections.abc import Mapping
from typing import Any

import openai

from banakil_env.agents.conversation import ConversationPlayer
from banakil_env.agents.talk_calls import LONGEST_REPLY, Answer, Message, TalkError, late
from banakil_env.agents.talk_options import TalkOptions, split_options
from banakil_env.core.failures import CONFIGURATION, TRANSPORT
from banakil_env.core.game import Game
from banakil_env.games import find

PASSING = (408, 409, 429)  # HTTP statuses below 500 that can pass when the same request is sent again
# Values of `finish_reason`, which tells why a reply ended.
REACHED_LIMIT, WITHHELD = ("length", "max_tokens"), "content_filter"


class _TooLong(Exception):
    """The server has sent more bytes than are read."""


class _Bounded(openai.DefaultAsyncHttpxClient):
    """A client that reads at most LONGEST_REPLY bytes of any response, counted after decompression."""

    async def send(self, request: Any, **options: Any) -> Any:
        response = await super().send(request, **(options | {"stream": True, "follow_redirects": False}))
        content = bytearray()
        try:
            async for part in response.aiter_bytes():
                content += part
                if len(content) > LONGEST_REPLY:
                    raise _TooLong
        finally:
            await response.aclose()
        # Decoding with a codec that the server names could take hours, on the event loop that all servers share.
        named = ("content-encoding", "content-type")
        plain = [(name, value) for name, value in response.headers.multi_items() if name not in named]
        kind = response.headers.get("content-type", "application/json").partition(";")[0]
        plain.append(("content-type", f"{kind}; charset=utf-8"))
        return type(response)(response.status_code, headers=plain, content=bytes(content), request=request)


class ChatServer:
    """A model behind a server.

    Args:
        model: the model's name on the server.
        options: the longest wait and the longest reply are used.
    """

    def __init__(self, model: str, options: TalkOptions) -> None:
        self._model, self._options = model, options
        client = _Bounded(timeout=options.seconds)
        self._client = openai.AsyncOpenAI(max_retries=options.connection, timeout=options.seconds, http_client=client)

    def __call__(self, messages: list[Message]) -> Answer:
        """Get the next reply.

        Raises:
            TalkError: the server gave no reply; the message says what to do.
        """
        return asyncio.run_coroutine_threadsafe(self._reply(messages), _loop()).result()

    async def _reply(self, messages: list[Message]) -> Answer:
        try:
            async with asyncio.timeout(self._options.seconds):
                return _answer(await self._sent(messages))
        except TimeoutError:
            raise late(self._options.seconds) from None
        except openai.APIStatusError as error:
            raise _refused(error) from error
        except openai.APIConnectionError as error:
            raise _unreachable(error, self._options.connection + 1) from error
        except _TooLong:
            told = f"gave no reply: the server sent more than {LONGEST_REPLY:,} bytes"
            raise TalkError(told, kind=TRANSPORT) from None
        except TalkError:
            raise
        except Exception as error:  # the library can raise anything for an odd response
            raise TalkError(f"gave no reply: {type(error).__name__}: {error}", kind=TRANSPORT) from error

    async def _sent(self, messages: list[Message]) -> Any:
        """Send the conversation. Returns the JSON value of the server's response, which can have any form."""
        asked: Any = messages
        response = await self._client.chat.completions.with_raw_response.create(
            model=self._model, messages=asked, max_completion_tokens=self._options.reply_tokens
        )
        try:
            return json.loads(response.text)
        except (ValueError, RecursionError):
            raise TalkError(
                f"gave no reply: the server answers {response.text[:80]!r}, not JSON; does OPENAI_BASE_URL end "
                "with /v1?",
                kind=TRANSPORT,
            ) from None


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop for all servers, in a thread. Its deadlines also apply to responses that arrive byte by byte."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="replies of servers", daemon=True).start()
    return loop


def _answer(body: Any) -> Answer:
    """The reply in a response whose values can have any type.

    Raises:
        TalkError: the response has no choices.
    """
    said: Mapping[str, Any] = body if isinstance(body, dict) else {}
    choices = said.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        told = said.get("error", body)
        raise TalkError(f"gave no reply: the server's response has no choices: {told!r:.200}", kind=TRANSPORT)
    message = choice["message"] if isinstance(choice.get("message"), dict) else {}
    usage = said["usage"] if isinstance(said.get("usage"), dict) else {}
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    end = choice.get("finish_reason")
    return Answer(
        text="" if end == WITHHELD else _text(message.get("content")),
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        cut_off=isinstance(end, str) and end in REACHED_LIMIT,
        unseen=reasoning if isinstance(reasoning, str) else "",
    )


def _text(content: Any) -> Any:
    """The text of a message: its parts joined, or "" for None; a value of another type is returned unchanged."""
    if isinstance(content, list) and content and all(isinstance(part, dict) for part in content):
        return "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))
    return "" if content is None else content


def _refused(error: openai.APIStatusError) -> TalkError:
    """The failure for a response that is an error or a redirect."""
    status = error.status_code
    if 300 <= status < 400:
        place = error.response.headers.get("location", "nowhere")
        way = f"a redirect to {place:.200}, which is not followed; if that is right, set OPENAI_BASE_URL to its address"
        return TalkError(f"gave no reply: {way}", kind=CONFIGURATION)
    told = f"gave no reply: HTTP {status}: {error.message!s:.250}"
    if status >= 500 or status in PASSING:
        return TalkError(f"{told}. Try again later", kind=TRANSPORT)
    return TalkError(f"{told}. Check the model's name, OPENAI_BASE_URL and OPENAI_API_KEY", kind=CONFIGURATION)


def _unreachable(error: openai.APIConnectionError, tries: int) -> TalkError:
    """The failure for a connection that could not be made or broke."""
    cause: BaseException = error.__cause__ or error
    told = f"gave no reply in {tries} tries: {type(cause).__name__}: {cause!s:.200}"
    return TalkError(f"{told}. Is the server at OPENAI_BASE_URL running?", kind=TRANSPORT)


def make(argument: str, game: str | Game) -> ConversationPlayer:
    """The player `llm:MODEL[,options]`.

    Raises:
        ValueError: there is no model name or no key, or an option is unknown.
    """
    model, options = split_options(argument)
    if not model:
        raise ValueError("llm:MODEL names a model, such as llm:gpt-4.1-mini or llm:qwen3-8b,moves=count")
    try:
        server = ChatServer(model, options)
    except openai.OpenAIError as error:
        raise ValueError(f"{error} A local server without keys takes any: OPENAI_API_KEY=none") from None
    found = find(game)
    return ConversationPlayer(found, f"llm:{argument}", server, options, (make, (argument, found.name)))
