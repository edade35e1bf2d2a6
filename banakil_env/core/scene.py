"""A table as drawing code gets it: described once, for one seat or with open hands, the same for all games.

A `Scene` holds only what its viewer may see, so that the code that draws it cannot leak anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

# A card's text (`7h`, `JK`), or None for one that lies face down.
Card = str | None


@dataclass(frozen=True)
class Meld:
    """A meld on the table.

    Attributes:
        number: its number in actions (`meld 4`); None where actions do not name melds by number.
        owner: the seat before which it lies.
        cards: in the order of their places.
        stands_for: for each card, the card that a wild card stands for if known, else None.
        note: anything else to show: "canasta", "closed".
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
        hand: its cards, grouped and sorted as a player would hold them; None: face down.
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

    def held(self) -> Counter[str]:
        """The number of each card in the hand; nothing for a hand that lies face down."""
        return Counter(card for group in self.hand or () for card in group)


@dataclass(frozen=True)
class Area:
    """A heap of cards on the table, such as the pile and the stock, or the red threes of a side.

    Attributes:
        name: "pile", "stock", ...
        cards: from bottom to top; None: face down. Empty if only the size is shown.
        size: number of cards.
        note: anything else to show: "frozen".
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
        to_move: the seat that decides; None when the episode is over.
        decision: the decision in words, without a full stop: "draw a card", "discard".
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


def renamed(scene: Scene, name: Callable[[str], str]) -> Scene:
    """The same table with other texts for the cards; cards that lie face down stay so."""

    def cards(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(name, texts))

    def maybe(texts: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(None if text is None else name(text) for text in texts)

    return replace(
        scene,
        seats=tuple(
            replace(seat, hand=None if seat.hand is None else tuple(map(cards, seat.hand)), known=cards(seat.known))
            for seat in scene.seats
        ),
        areas=tuple(replace(area, cards=maybe(area.cards)) for area in scene.areas),
        melds=tuple(replace(meld, cards=cards(meld.cards), stands_for=maybe(meld.stands_for)) for meld in scene.melds),
    )
