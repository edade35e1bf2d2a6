"""Players that read and write: each decision is a conversation, and the move is read from the replies.

A conversation is about one decision: the rules of the table and how to reply (`system`), what the seat sees (`user`),
the reply (`assistant`). A reply that cannot be followed (unreadable, illegal, cut off by its length) is answered with
the reason, and the next reply is awaited, as often as the options say; then the player gives up. No reply at all (a
server that is down or refuses, a function that raises, a deadline, no tokens left) is no move: `TalkError` says what to
do, and a match stops. Nothing is remembered of it.

The same observation gets the same move, so that a match that was broken off goes on as it began. Further moves of a
reply are made as long as each is legal and no hidden card has come to light.
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

from banakil_env.agents.talk_calls import (
    LONGEST_REPLY,
    Answer,
    Caller,
    Message,
    TalkError,
    encodable,
    is_plausible,
    tokens,
)
from banakil_env.agents.talk_options import FORFEIT, Counts, TalkOptions, split_options
from banakil_env.arena.callables import load_callable
from banakil_env.core.failures import CUT_OFF, REPLIES, TOKENS, kind_text
from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of
from banakil_env.games import find
from banakil_env.text import CUT_SHORT, ILLEGAL, LEGAL, UNREADABLE, Reply, parse, seat_text, supposed, system_text
from banakil_env.text.events import REVEALING

__all__ = ["Answer", "ConversationPlayer", "Message", "TalkError", "make"]

KEPT = 100_000  # decisions and plans that are remembered
LONGEST_KEPT = 4000  # characters at the end of a reply that goes back into the conversation
NO_TEXT = "(no text)"  # stands for an empty reply: servers refuse messages without text


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
        respond: from a conversation (dicts with `role` and `content`) to the next reply. It is called in a thread, and
            left alone when the time for a reply is over.
        options: how conversations go.
        remake: how another process makes the same player: a function and its arguments.

    Attributes:
        counts: what has happened so far.
        seconds_a_decision: see `banakil_env.arena.Player`.
    """

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
        self.seconds_a_decision = options.seconds_a_decision
        self._game, self._remake = game, remake
        self._call = Caller(respond, options.seconds, options.at_once)
        self._made: OrderedDict[bytes, int] = OrderedDict()
        self._refused: dict[bytes, list[TalkError]] = {}  # see `_raise_first`
        self._plans: OrderedDict[bytes, tuple[int, ...]] = OrderedDict()
        self._untold: OrderedDict[bytes, Counts] = OrderedDict()  # of decisions that `figures` has not told of
        self._lock = threading.Lock()

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`. TalkError: a decision could not be made."""
        rows = [np.ascontiguousarray(row) for row in observations]
        keys = [row.tobytes() for row in rows]
        if len(keys) > 1:
            self._refused.clear()
        elif told := self._refused.get(keys[0] if keys else b""):
            raise told.pop()
        new = list({key: row for key, row in zip(keys, rows) if key not in self._made}.values())
        failed: dict[bytes, TalkError] = {}
        if len(new) == 1:
            self._decide_and_keep(new[0], failed)
        elif new:
            with ThreadPoolExecutor(min(self.options.at_once, len(new))) as pool:
                list(pool.map(lambda row: self._decide_and_keep(row, failed), new))
        if failed:
            self._raise_first(failed, keys)
        return np.array([self._made[key] for key in keys], np.int64)

    def _raise_first(self, failed: dict[bytes, TalkError], keys: Sequence[bytes]) -> None:
        """Raise a failure: one that stops a match, if there is one.

        After a failed question about several tables, the arena asks about each of them, and what was given up is not
        paid for twice: its failure is raised once more for each table. Nothing is remembered beyond that.
        """
        first = min(failed.values(), key=lambda each: each.kind in REPLIES)
        if first.kind in REPLIES and len(keys) > 1:
            self._refused = {key: [failed[key]] * keys.count(key) for key in failed}
        raise first

    def figures(self, observations: npt.NDArray[np.uint8]) -> list[dict[str, float]]:
        """The costs of the decisions in these rows, by the names of `Counts`; the arena keeps them with each table. A
        decision is counted once: a repeated observation costs nothing.
        """
        with self._lock:
            counts = [self._untold.pop(np.ascontiguousarray(row).tobytes(), None) for row in observations]
        return [{name: value for name, value in vars(each).items() if value} if each else {} for each in counts]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player as the function and arguments that make it."""
        if self._remake is None:
            raise TypeError(f"the player {self.name} cannot be sent to another process: it was made from a function")
        return self._remake

    # One decision -----------------------------------------------------------------------------------------------------

    def _decide_and_keep(self, row: npt.NDArray[np.uint8], failed: dict[bytes, TalkError]) -> None:
        """Decide, and remember the move; or put the failure into `failed`. After one that stops a match, do nothing."""
        if any(error.kind not in REPLIES for error in list(failed.values())):
            return
        own = Counts()
        try:
            made = self._decide(row, own)
            with self._lock:
                _keep(self._made, row.tobytes(), made)
        except TalkError as error:
            failed[row.tobytes()] = error
        with self._lock:
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
        except TalkError as error:
            if self.options.giveup == FORFEIT or error.kind not in REPLIES:
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
        """The first reply that can be followed. TalkError: there was none in as many as are allowed, or no reply."""
        left = {UNREADABLE: self.options.unreadable, ILLEGAL: self.options.illegal}
        while True:
            answer = self._ask(talk)
            kind, reply, advice, reason = self._read(state, answer)
            talk.kinds.append(kind)
            kept = answer.written[-LONGEST_KEPT:]
            talk.messages.append({"role": "assistant", "content": kept if kept.strip() else NO_TEXT})
            if kind == LEGAL:
                return reply
            self._count(talk.counts, **{kind: 1})
            allowance = ILLEGAL if kind == ILLEGAL else UNREADABLE
            if left[allowance] == 0:
                given = ", ".join(map(kind_text, talk.kinds))
                raise TalkError(f"gave up after {given}: {reason}", kind=kind)
            left[allowance] -= 1
            talk.messages.append({"role": "user", "content": f"{advice[:LONGEST_KEPT]}\nReply again."})

    def _read(self, state: Any, answer: Answer) -> tuple[str, Reply, str, str]:
        """Reads a reply: its kind, the moves, the message to the player about it, and the message of the user."""
        if answer.cut_off:
            count = answer.completion_tokens if is_plausible(answer.completion_tokens) else self.options.reply_tokens
            return CUT_OFF, Reply(CUT_OFF, ()), CUT_SHORT, f"cut off after {count} tokens: raise reply_tokens"
        text = answer.text
        if isinstance(text, str) and len(text) > LONGEST_REPLY:
            reason = f"The reply has {len(text):,} characters, and at most {LONGEST_REPLY:,} are read."
            return UNREADABLE, Reply(UNREADABLE, ()), reason, reason
        reply = parse(self._game, state, text)
        return reply.kind, reply, reply.reason, reply.reason

    def _ask(self, talk: _Talk) -> Answer:
        """The next reply, counted. TalkError: there is no reply, or no token is left."""
        limit = self.options.tokens
        if limit and self.counts.prompt_tokens + self.counts.completion_tokens >= limit:
            said = f"has used up its {limit} tokens: raise tokens, or run the same command again for another {limit}"
            raise TalkError(said, kind=TOKENS)
        begun = time.monotonic()
        try:
            answer = encodable(self._call(talk.messages))
        finally:
            self._count(talk.counts, seconds=time.monotonic() - begun)
        prompt = tokens(answer.prompt_tokens, *(message["content"] for message in talk.messages))
        completion = tokens(answer.completion_tokens, answer.unseen, answer.written)
        cost = (prompt * self.options.price_in + completion * self.options.price_out) / 1e6
        self._count(talk.counts, replies=1, prompt_tokens=prompt, completion_tokens=completion, cost=cost)
        return answer

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
        with self._lock, open(self.options.log, "a", encoding="utf-8", errors="backslashreplace") as file:
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
        raise ValueError(f"expected text:module:function, not text:{place:.80}")
    function_found, game_found = load_callable(module, function), find(game)

    def respond(messages: list[Message]) -> Answer:
        return Answer(function_found(messages))

    return ConversationPlayer(game_found, f"text:{argument}", respond, options, (make, (argument, game_found.name)))
