"""Calls a function that replies in text, with a time limit, and returns its answer with the costs."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from banakil_env.arena.ask import PlayerFailed, place_of, said
from banakil_env.core.failures import DEADLINE, RAISED
from banakil_env.text.lengths import token_estimate

Message = dict[str, str]

LONGEST_REPLY = 1 << 24  # limit in characters, and in bytes for the response of a server; a longer reply is not read
MOST_WAITING = 32  # number of calls that have missed their deadline and still run; with more, no call is begun
MOST_TOKENS = 10**9  # largest plausible number for one reply; a server's larger number is ignored
SAMPLE = 20_000  # characters of a text from which its tokens are estimated; the rest is assumed to be similar


class TalkError(PlayerFailed):
    """A decision that the player could not make. The kind and the message give the reason, and what to do."""


@dataclass(frozen=True)
class Answer:
    """A reply and its costs.

    Attributes:
        text: the reply; a value that is not a text is unreadable.
        prompt_tokens, completion_tokens: tokens read and written, as the server reports them; see `tokens`.
        cut_off: whether the reply ended because it reached the length limit. Then it is not read.
        unseen: text that was written but is not part of the reply, such as reasoning; its tokens are counted.
    """

    text: Any
    prompt_tokens: Any = None
    completion_tokens: Any = None
    cut_off: bool = False
    unseen: str = ""

    @property
    def written(self) -> str:
        """The text of the reply; "" if it is not a text."""
        return self.text if isinstance(self.text, str) else ""


def encodable(answer: Answer) -> Answer:
    """The answer with a text that can be encoded: a lone surrogate (half of an emoji) becomes a question mark."""
    text = answer.text
    if isinstance(text, str):
        text = text.encode("utf-8", "replace").decode()
    return replace(answer, text=text, unseen=answer.unseen.encode("utf-8", "replace").decode())


class Caller:
    """Calls a function that replies to a conversation, with a deadline.

    Args:
        respond: a function from a conversation to the next reply. It is called in a thread. After the deadline the
            thread continues and its result is ignored, since Python cannot stop it.
        seconds: time limit of a call.
        at_once: number of calls that run at the same time.
    """

    def __init__(self, respond: Callable[[list[Message]], Answer], seconds: float, at_once: int) -> None:
        self._respond, self._seconds, self._most = respond, seconds, at_once + MOST_WAITING
        self._lock = threading.Lock()
        self._running = 0

    def __call__(self, messages: Sequence[Message]) -> Answer:
        """Call the function and return its answer.

        Raises:
            TalkError: the function raised an exception, or did not return in time.
        """
        with self._lock:
            if self._running >= self._most:
                told = f"gave no reply: {self._running} earlier calls of its function run; start this program again"
                raise TalkError(told, kind=DEADLINE)
            self._running += 1
        returned: queue.SimpleQueue[Answer | BaseException] = queue.SimpleQueue()
        given = [dict(message) for message in messages]
        threading.Thread(target=self._call, args=(given, returned), name="reply", daemon=True).start()
        try:
            answer = returned.get(timeout=self._seconds)
        except queue.Empty:
            raise late(self._seconds) from None
        if isinstance(answer, TalkError):
            raise answer
        if isinstance(answer, BaseException):
            told = f"gave no reply: its function raised {said(answer)}"
            raise TalkError(told, *place_of(answer), kind=RAISED) from answer
        return answer

    def _call(self, messages: list[Message], returned: queue.SimpleQueue[Answer | BaseException]) -> None:
        answer: Answer | BaseException
        try:
            answer = self._respond(messages)
        except BaseException as error:  # user code can raise anything, such as SystemExit
            answer = error
        with self._lock:
            self._running -= 1
        returned.put(answer)


def late(seconds: float) -> TalkError:
    """The failure of a player that has not replied within `seconds`."""
    told = f"gave no reply within {seconds:g} s: raise seconds, or find out why it takes so long"
    return TalkError(told, kind=DEADLINE)


def is_plausible(tokens: Any) -> bool:
    """Whether a value can be the number of tokens of a reply or a conversation."""
    return type(tokens) is int and 0 < tokens <= MOST_TOKENS


def tokens(reported: Any, *texts: str) -> int:
    """The reported number of tokens if it is plausible, else an estimate from the texts."""
    if is_plausible(reported):
        return int(reported)
    return sum(math.ceil(token_estimate(text[:SAMPLE]) * max(1.0, len(text) / SAMPLE)) for text in texts)
