"""Players that write text: each decision is a conversation, and the move is read from the replies.

A conversation concerns one decision. It contains the rules of the table and how to reply (`system`), what the seat sees
(`user`), and the reply (`assistant`). If a reply cannot be followed because it is unreadable, illegal or cut off, the
player gets the reason and can reply again, as often as the options allow; then it gives up. If there is no reply at
all, that is not a move: a server is down or refuses, a function raises, a deadline passes, or no tokens are left. Then
`TalkError` says what to do, the match stops, and nothing of the decision is remembered.

The same observation always gets the same move, so a match that was interrupted continues in the same way. If a reply
contains several moves, the later ones are made as long as each is legal and no hidden card has been revealed.
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

KEPT = 100_000  # number of decisions and of plans that are remembered
LONGEST_KEPT = 4000  # characters from the end of a reply that are kept in the conversation
NO_TEXT = "(no text)"  # replaces an empty reply, because servers refuse messages without text


@dataclass
class _Talk:
    """One conversation in progress: its messages, its counts, and the kinds of the replies so far."""

    messages: list[Message]
    counts: Counts
    kinds: list[str] = field(default_factory=list)


class ConversationPlayer:
    """A player that writes text.

    Args:
        game: the game that it plays.
        name: the player's name.
        respond: a function from a conversation (dicts with `role` and `content`) to the next reply. It is called in a
            thread, and its result is ignored after the time limit of a reply.
        options: the limits and settings of conversations.
        remake: a function and its arguments that make the same player in another process; None: the player cannot be
            sent to another process.

    Attributes:
        counts: totals over all decisions so far.
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
        self._untold: OrderedDict[bytes, Counts] = OrderedDict()  # of decisions that `figures` has not yet returned
        self._lock = threading.Lock()

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`.

        Raises:
            TalkError: a decision could not be made.
        """
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
        """Raise one of the failures; a failure that stops a match comes first.

        After a failed call for several tables, the arena calls the player for each table separately. So that no
        conversation is paid for twice, each failure of a reply is kept and raised once more for its table. Nothing else
        is kept.
        """
        first = min(failed.values(), key=lambda each: each.kind in REPLIES)
        if first.kind in REPLIES and len(keys) > 1:
            self._refused = {key: [failed[key]] * keys.count(key) for key in failed}
        raise first

    def figures(self, observations: npt.NDArray[np.uint8]) -> list[dict[str, float]]:
        """The costs of the decisions in these rows, by the names of `Counts`; the arena stores them with each table.

        Each decision is counted once: a repeated observation costs nothing.
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
        """Make a decision and remember the move, or put the failure into `failed`.

        Does nothing if `failed` has a failure that stops the match.
        """
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
        """Add the numbers `more` to `own`, the counts of one decision, and to the totals."""
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
        """The first reply that can be followed.

        Raises:
            TalkError: there was no such reply within the allowed number, or no reply at all.
        """
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
        """Read a reply. Returns its kind, the moves, the message to the player, and the message to the user."""
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
        """Get the next reply and count its costs.

        Raises:
            TalkError: there is no reply, or no token is left.
        """
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
        """Remember the later moves of a reply for the observation that follows, unless the first move reveals hidden
        cards.
        """
        if len(actions) < 2:
            return
        kernels, after = kernels_of(self._game), np.asarray(state).reshape(1).copy()
        if kernels.apply_one(after, actions[0]) != 0:  # another seat decides next
            return
        if any(event.kind in REVEALING for event in self._game.events(state, actions[0], after[0])):
            return
        seen, mask = np.zeros(1, self._game.observation), np.zeros(self._game.num_actions, np.int8)
        kernels.observe_one(after, 0, seen, mask)
        with self._lock:
            _keep(self._plans, seen.tobytes(), tuple(actions[1:]))

    def _write(self, talk: _Talk) -> None:
        """Append a conversation to the log file, as one line of JSON. Does nothing without a log file."""
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
    """The player `text:module:function[,options]`. The function gets the conversation and returns the text of the
    reply.

    Raises:
        ValueError: an unknown option.
        ImportError, OSError, AttributeError: there is no such function.
    """
    place, options = split_options(argument)
    module, colon, function = place.rpartition(":")
    if not colon:
        raise ValueError(f"expected text:module:function, not text:{place:.80}")
    function_found, game_found = load_callable(module, function), find(game)

    def respond(messages: list[Message]) -> Answer:
        return Answer(function_found(messages))

    return ConversationPlayer(game_found, f"text:{argument}", respond, options, (make, (argument, game_found.name)))
