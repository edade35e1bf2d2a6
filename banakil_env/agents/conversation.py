"""How does something that reads and writes text play? It is told the table, replies, and its move is read out of that.

A conversation is about one decision: the rules of the table and how to reply (`system`), what the seat sees (`user`),
the reply (`assistant`). A reply that cannot be followed is answered with the reason, and the next reply is awaited, as
often as the options say. Unreadable and illegal replies are counted apart. The same observation gets the same move, so
that a match that was broken off goes on as it began, and several moves in one reply are played as long as each is legal
and nothing hidden has turned up since.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.agents.talk_options import FORFEIT, Counts, TalkOptions, split_options
from banakil_env.arena.callables import load_callable
from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of
from banakil_env.games import find
from banakil_env.text import ILLEGAL, LEGAL, UNREADABLE, Reply, parse, seat_text, supposed, system_text
from banakil_env.text.events import REVEALING

Message = dict[str, str]

KEPT = 100_000  # decisions and plans that are remembered
LONGEST_KEPT = 4000  # characters at the end of a reply that goes back into the conversation


class TalkError(RuntimeError):
    """A decision that the player could not make: too many replies that cannot be followed, or too many tokens."""


@dataclass(frozen=True)
class Answer:
    """A reply, and what it took: tokens read and written, 0 where that is not known."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass
class _Talk:
    """One conversation while it goes on."""

    messages: list[Message]
    counts: Counts
    kinds: list[str] = field(default_factory=list)


class ConversationPlayer:
    """A player that reads and writes.

    Args:
        game: which is played.
        name: of the player.
        respond: from a conversation (dicts with `role` and `content`) to the next reply.
        options: how conversations go.
        remake: how another process makes the same player: a function and its arguments.

    Attributes:
        counts: what has happened so far.
    """

    untimed = True  # it has its own limits

    def __init__(
        self,
        game: Game,
        name: str,
        respond: Callable[[list[Message]], Answer],
        options: TalkOptions,
        remake: tuple[Any, ...] | None = None,
    ) -> None:
        if game.search is None:
            raise ValueError(f"{game.name} cannot be told from an observation: it has no search hooks")
        self.name, self.options, self.counts = name, options, Counts()
        self._game, self._respond, self._remake = game, respond, remake
        self._made: OrderedDict[bytes, int | TalkError] = OrderedDict()
        self._plans: OrderedDict[bytes, tuple[int, ...]] = OrderedDict()
        self._untold: OrderedDict[bytes, Counts] = OrderedDict()  # of decisions that `figures` has not told of
        self._lock = threading.Lock()

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`. TalkError: a decision could not be made."""
        rows = [np.ascontiguousarray(row) for row in observations]
        new = list({row.tobytes(): row for row in rows if row.tobytes() not in self._made}.values())
        if len(new) == 1:
            self._decide_and_keep(new[0])
        elif new:
            with ThreadPoolExecutor(min(self.options.at_once, len(new))) as pool:
                list(pool.map(self._decide_and_keep, new))
        found = [self._made[row.tobytes()] for row in rows]
        for each in found:
            if isinstance(each, TalkError):
                raise each
        return np.array(found, np.int64)

    def figures(self, observations: npt.NDArray[np.uint8]) -> list[dict[str, float]]:
        """What the decisions in these rows took, by the names of `Counts`; the arena keeps it with each table.

        A decision is told of once: where the same observation is met again, nothing was paid.
        """
        with self._lock:
            counts = [self._untold.pop(np.ascontiguousarray(row).tobytes(), None) for row in observations]
        return [{name: value for name, value in vars(each).items() if value} if each else {} for each in counts]

    def summary(self) -> str:
        """What has happened so far, in a line."""
        counts, replies = self.counts, max(self.counts.replies, 1)
        decided = max(counts.decisions, 1)
        tokens = counts.prompt_tokens + counts.completion_tokens
        said = [
            f"{counts.decisions} decisions",
            f"{counts.replies} replies ({counts.unreadable} unreadable, {counts.illegal} illegal)",
            f"{counts.given_up} given up",
            f"{tokens} tokens, {tokens / decided:.0f} a decision",
            f"{counts.seconds / replies:.1f} s a reply",
        ]
        return f"{self.name}: {', '.join(said)}" + (f", cost {counts.cost:.2f}" if counts.cost else "")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player as the function and arguments that make it."""
        if self._remake is None:
            raise TypeError(f"the player {self.name} cannot be sent to another process: it was made from a function")
        return self._remake

    # One decision -----------------------------------------------------------------------------------------------------

    def _decide_and_keep(self, row: npt.NDArray[np.uint8]) -> None:
        """Decide, and remember it; a decision that could not be made is remembered too, and not paid for twice."""
        made: int | TalkError
        own = Counts()
        try:
            made = self._decide(row, own)
        except TalkError as error:
            made = error
        with self._lock:
            _keep(self._made, row.tobytes(), made)
            _keep(self._untold, row.tobytes(), own)

    def _count(self, own: Counts, **more: float) -> None:
        """Count something, of one decision and of all."""
        with self._lock:
            own.add(**more)
            self.counts.add(**more)

    def _decide(self, row: npt.NDArray[np.uint8], own: Counts) -> int:
        state = supposed(self._game, row)
        self._count(own, decisions=1)
        with self._lock:
            plan = self._plans.get(row.tobytes(), ())
        mask = np.zeros(self._game.num_actions, np.int8)
        kernels_of(self._game).legal_one(np.asarray(state).reshape(1), mask)
        if plan and mask[plan[0]]:
            self._count(own, planned=1)
            self._plan(state, plan)
            return plan[0]
        talk = _Talk(self._opening(state), own)
        try:
            reply = self._followed(state, talk)
        except TalkError:
            if self.options.giveup == FORFEIT:
                raise
            self._count(own, given_up=1)
            reply = Reply(LEGAL, (int(np.argmax(mask)),))
            talk.kinds.append("given up")
        finally:
            self._write(talk)
        self._plan(state, reply.actions)
        return reply.actions[0]

    def _opening(self, state: Any) -> list[Message]:
        told = seat_text(self._game, state, 0, moves=self.options.moves)
        return [
            {"role": "system", "content": system_text(self._game, state)},
            {"role": "user", "content": told},
        ]

    def _followed(self, state: Any, talk: _Talk) -> Reply:
        """The first reply that can be followed. TalkError: there was none in as many as are allowed."""
        left = {UNREADABLE: self.options.unreadable, ILLEGAL: self.options.illegal}
        while True:
            text = self._ask(talk)
            reply = parse(self._game, state, text)
            talk.kinds.append(reply.kind)
            talk.messages.append({"role": "assistant", "content": text[-LONGEST_KEPT:]})
            if reply.kind == LEGAL:
                return reply
            self._count(talk.counts, **{reply.kind: 1})
            if left[reply.kind] == 0:
                raise TalkError(f"gave up after {', '.join(talk.kinds)}: {reply.reason}")
            left[reply.kind] -= 1
            talk.messages.append({"role": "user", "content": f"{reply.reason[:LONGEST_KEPT]}\nReply again."})

    def _ask(self, talk: _Talk) -> str:
        """The next reply, counted. TalkError: there is no reply, or no token is left."""
        limit = self.options.tokens
        if limit and self.counts.prompt_tokens + self.counts.completion_tokens >= limit:
            raise TalkError(f"the {limit} tokens of this player are used up")
        begun = time.monotonic()
        try:
            answer = self._respond([dict(message) for message in talk.messages])
        except Exception as error:
            raise TalkError(f"no reply: {type(error).__name__}: {error}"[:500]) from error
        finally:
            self._count(talk.counts, seconds=time.monotonic() - begun)
        read, written = answer.prompt_tokens, answer.completion_tokens
        cost = (read * self.options.price_in + written * self.options.price_out) / 1e6
        self._count(talk.counts, replies=1, prompt_tokens=read, completion_tokens=written, cost=cost)
        return answer.text

    def _plan(self, state: Any, actions: Sequence[int]) -> None:
        """Keep the later moves for the observation that follows, if the first move shows nothing hidden."""
        if len(actions) < 2:
            return
        kernels, after = kernels_of(self._game), np.asarray(state).reshape(1).copy()
        if kernels.apply_one(after, actions[0]) != 0:  # it is not this seat's decision any more
            return
        if any(event.kind in REVEALING for event in self._game.events(state, actions[0], after[0])):
            return
        seen, mask = np.zeros(1, self._game.observation), np.zeros(self._game.num_actions, np.int8)
        kernels.observe_one(after, 0, seen, mask)
        with self._lock:
            _keep(self._plans, seen.tobytes(), tuple(actions[1:]))

    def _write(self, talk: _Talk) -> None:
        """Add a conversation to the log."""
        if not self.options.log:
            return
        line = {
            "game": self._game.name,
            "player": self.name,
            "messages": talk.messages,
            "replies": talk.kinds,
            "prompt_tokens": talk.counts.prompt_tokens,
            "completion_tokens": talk.counts.completion_tokens,
            "seconds": round(talk.counts.seconds, 3),
        }
        with self._lock, open(self.options.log, "a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _keep(kept: OrderedDict[bytes, Any], key: bytes, value: Any) -> None:
    kept[key] = value
    while len(kept) > KEPT:
        kept.popitem(last=False)


def make(argument: str, game: str | Game) -> ConversationPlayer:
    """The player `text:module:function[,options]`: the function gets the conversation and gives the reply's text.

    ValueError: no such option. ImportError, OSError, AttributeError: there is no such function.
    """
    place, options = split_options(argument)
    module, colon, function = place.rpartition(":")
    if not colon:
        raise ValueError(f"text:module:function names a function, and text:{place:.80} none")
    function_found, game_found = load_callable(module, function), find(game)

    def respond(messages: list[Message]) -> Answer:
        return Answer(_text(function_found(messages)))

    return ConversationPlayer(game_found, f"text:{argument}", respond, options, (make, (argument, game_found.name)))


def _text(reply: Any) -> str:
    """A reply as text. TypeError: it is not a reply."""
    if not isinstance(reply, str):
        raise TypeError(f"a reply is a text, not {type(reply).__name__}")
    return reply
