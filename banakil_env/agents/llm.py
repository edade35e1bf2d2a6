"""How does a language model play? Behind any server that speaks the OpenAI chat protocol.

    OPENAI_BASE_URL=http://localhost:8000/v1 OPENAI_API_KEY=none banakil play --game gin llm:MODEL
    banakil arena "llm:MODEL,moves=count,giveup=first,log=talk.jsonl" greedy --game rummy --deals 5

Address and key come from the environment (`OPENAI_BASE_URL`, `OPENAI_API_KEY`), as the `openai` library reads them. It
asks again after a broken connection, a server's error, or too many requests (429).
"""

from __future__ import annotations

from typing import Any

import openai

from banakil_env.agents.conversation import Answer, ConversationPlayer, Message
from banakil_env.agents.talk_options import TalkOptions, split_options
from banakil_env.core.game import Game
from banakil_env.games import find


class ChatServer:
    """A model behind a server.

    Args:
        model: as the server calls it. options: for the longest wait and the longest reply.
    """

    def __init__(self, model: str, options: TalkOptions) -> None:
        self._model, self._options = model, options
        self._client = openai.OpenAI(timeout=options.seconds, max_retries=options.connection)

    def __call__(self, messages: list[Message]) -> Answer:
        """The next reply. openai.OpenAIError: the server gave none."""
        asked: Any = messages
        done = self._client.chat.completions.create(
            model=self._model, messages=asked, max_completion_tokens=self._options.reply_tokens
        )
        text = done.choices[0].message.content if done.choices else None
        usage = done.usage
        return Answer(text or "", usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0)


def make(argument: str, game: str | Game) -> ConversationPlayer:
    """The player `llm:MODEL[,options]`. ValueError: no model, no such option, or no key."""
    model, options = split_options(argument)
    if not model:
        raise ValueError("llm:MODEL names a model, such as llm:gpt-4.1-mini or llm:qwen3-8b,moves=count")
    try:
        server = ChatServer(model, options)
    except openai.OpenAIError as error:
        raise ValueError(f"{error} A local server without keys takes any: OPENAI_API_KEY=none") from None
    found = find(game)
    return ConversationPlayer(found, f"llm:{argument}", server, options, (make, (argument, found.name)))
