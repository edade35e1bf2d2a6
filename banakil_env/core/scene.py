"""What is there to be drawn? A table described once, for one seat or with open hands; pictures know no game.

A `Scene` holds what its viewer may see and nothing else, so that whatever draws it cannot give anything away.
"""

from __future__ import annotations

from dataclasses import dataclass

# A card's text (`7h`, `JK`), or None for one that lies face down.
Card = str | None


@dataclass(frozen=True)
class Meld:
    """A meld on the table.

    Attributes:
        number: its number in actions (`meld 4`); None where actions do not name melds by number.
        owner: the seat before which it lies.
        cards: in the order of their places.
        stands_for: for each card, the card that a wild stands for where that is known, else None.
        note: what else is to be known of it: "canasta", "closed".
    """

    number: int | None
    owner: int
    cards: tuple[str, ...]
    stands_for: tuple[str | None, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class SeatView:
    """One seat.

    Attributes:
        hand: its cards, grouped and sorted as a player would hold them, a group after the other; None: face down.
        size: how many cards it holds.
        known: cards of a hidden hand that everybody knows.
        score: of the match so far; None in a single round.
        notes: short words about it: "dealer", "out", "may not discard 7h".
    """

    seat: int
    side: int
    hand: tuple[tuple[str, ...], ...] | None
    size: int
    known: tuple[str, ...] = ()
    score: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Area:
    """A heap of cards on the table, such as the pile and the stock, or the red threes of a side.

    Attributes:
        name: "pile", "stock", ...
        cards: from bottom to top; None: face down. Empty where only the size is told.
        size: how many.
        note: what else is to be known: "frozen".
        owner: the seat before which it lies; None: in the middle.
    """

    name: str
    cards: tuple[Card, ...]
    size: int
    note: str = ""
    owner: int | None = None

    @property
    def title(self) -> str:
        """The name without the number of the owner, which its place shows: "red threes" for "red threes 1"."""
        return self.name if self.owner is None else self.name.removesuffix(f" {self.owner}")


@dataclass(frozen=True)
class Scene:
    """A table.

    Attributes:
        title: the game's name. rules: the rules as text. seats: in the order of play.
        viewer: the seat that looks on; None: all hands are open.
        areas: the pile and the stock, and what else lies in the middle.
        to_move: whose decision it is; None when the episode is over.
        decision: what is to be decided, in words, without a full stop: "draw a card", "discard".
        facts: short sentences about the round: "round 2 of the match to 100", "turn 7 of at most 300".
        result: how it ended, in words; "" while it goes on.
        points: of the last round that ended, by seat; () before that.
    """

    title: str
    rules: str
    seats: tuple[SeatView, ...]
    areas: tuple[Area, ...]
    melds: tuple[Meld, ...]
    viewer: int | None
    to_move: int | None
    decision: str
    facts: tuple[str, ...] = ()
    result: str = ""
    points: tuple[int, ...] = ()
