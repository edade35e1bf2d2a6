"""Options of the players that write text, and counts of their conversations."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

FORFEIT, FIRST = "forfeit", "first"
MOST_SECONDS = 86_400
BETWEEN_REPLIES = 5.0  # time in a decision for the work between replies, in seconds


@dataclass(frozen=True)
class TalkOptions:
    """Settings of a conversation.

    Attributes:
        moves: how the legal moves are given to the player: all, count or none.
        unreadable, illegal: number of unreadable and of illegal replies in a decision that are answered with the
            reason. Replies that reached the length limit count as unreadable.
        giveup: what happens after the last of these replies: forfeit (the player fails at this table), or first (the
            first legal move is made).
        at_once: number of conversations at the same time.
        tokens: limit for the tokens, read and written, of all decisions of this player in one process; 0: no limit.
        seconds: time limit from a question to the end of the reply, including all attempts.
        connection: number of times that a request is repeated if the server gives no reply.
        reply_tokens: limit for the tokens of a reply.
        price_in, price_out: prices of a million tokens read and written.
        log: a file to which every conversation is added, as one line of JSON; "": no log.
    """

    moves: str = "all"
    unreadable: int = 2
    illegal: int = 2
    giveup: str = FORFEIT
    at_once: int = 8
    tokens: int = 0
    seconds: float = 120.0
    connection: int = 4
    reply_tokens: int = 4000
    price_in: float = 0.0
    price_out: float = 0.0
    log: str = ""

    def __post_init__(self) -> None:
        for name, allowed in (("moves", ("all", "count", "none")), ("giveup", (FORFEIT, FIRST))):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be {' or '.join(allowed)}, not {getattr(self, name)!r:.80}")
        for name in ("unreadable", "illegal", "connection", "tokens", "price_in", "price_out"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} must be 0 or more, not {getattr(self, name)!r}")
        for name in ("at_once", "seconds", "reply_tokens"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be more than 0, not {getattr(self, name)!r}")
        if self.seconds > MOST_SECONDS:
            raise ValueError(f"seconds must be {MOST_SECONDS:,} (a day) or less, not {self.seconds!r}")

    @property
    def seconds_a_decision(self) -> float:
        """The longest time of a decision: the time of all its replies, and the time for the work between them."""
        return self.seconds * (1 + self.unreadable + self.illegal) + BETWEEN_REPLIES


def split_options(argument: str) -> tuple[str, TalkOptions]:
    """Split `MODEL,moves=none,illegal=3` into the name and the options.

    Raises:
        ValueError: an unknown option, or an invalid value.
    """
    name, *said = argument.split(",")
    types: dict[str, type] = {name: type(value) for name, value in dataclasses.asdict(TalkOptions()).items()}
    options: dict[str, Any] = {}
    for word in said:
        key, equals, value = word.partition("=")
        if key not in types or not equals:
            raise ValueError(f"{word!r:.80} is not an option: they are {', '.join(f'{each}=' for each in types)}")
        try:
            options[key] = types[key](value)
        except ValueError:
            raise ValueError(f"{word!r:.80}: {key} must be a number") from None
    return name, TalkOptions(**options)


@dataclass
class Counts:
    """Counts of a player's conversations so far.

    Attributes:
        decisions: number of decisions.
        planned: number of moves that were made from an earlier reply.
        replies: number of replies.
        unreadable, illegal, cut_off: numbers of replies that could not be followed, by kind.
        given_up: number of decisions without a reply that could be followed, or of forfeits.
        prompt_tokens, completion_tokens: numbers of tokens read and written.
        seconds: time spent waiting for replies.
        cost: cost of the tokens by the prices in `TalkOptions`.
    """

    decisions: int = 0
    planned: int = 0
    replies: int = 0
    unreadable: int = 0
    illegal: int = 0
    cut_off: int = 0
    given_up: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    def add(self, **more: float) -> None:
        """Add to some of the counts."""
        for name, value in more.items():
            setattr(self, name, getattr(self, name) + value)
