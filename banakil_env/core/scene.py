"""The description of a table for drawing code, the same for all games: as one seat sees it, or with all hands face up.

A `Scene` contains only what its viewer is allowed to see, so drawing code cannot reveal hidden cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

# The text of a card (`7h`, `JK`), or None for a card that is face down.
Card = str | None


@dataclass(frozen=True)
class Meld:
    """A meld on the table.

    Attributes:
        number: its number in actions (`meld 4`); None if actions do not refer to melds by number.
        owner: the seat that the meld is drawn in front of.
        cards: the cards in the order of their places.
        stands_for: for each wild card, the card that it represents if known; None for other cards.
        note: a text to add, such as "canasta" or "closed".
    """

    number: int | None
    owner: int
    cards: tuple[str, ...]
    stands_for: tuple[str | None, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class SeatView:
    """One seat and its hand.

    Attributes:
        seat: the number of the seat.
        side: the number of its side; partners have the same side.
        hand: the cards, grouped and sorted as a player would hold them; None: face down.
        size: the number of cards in the hand.
        known: the cards of a hidden hand that every seat knows.
        score: the points in the match so far; None in a single round.
        notes: short texts about the seat: "dealer", "out", "may not discard 7h".
    """

    seat: int
    side: int
    hand: tuple[tuple[str, ...], ...] | None
    size: int
    known: tuple[str, ...] = ()
    score: int | None = None
    notes: tuple[str, ...] = ()

    def held(self) -> Counter[str]:
        """The number of copies of each card in the hand; empty if the hand is face down."""
        return Counter(card for group in self.hand or () for card in group)


@dataclass(frozen=True)
class Area:
    """A group of cards on the table that is not a meld, such as the pile, the stock or the red threes of a side.

    Attributes:
        name: "pile", "stock", ...
        cards: the cards from bottom to top, None for each card face down; empty if only the number is shown.
        size: the number of cards.
        note: a text to add, such as "frozen".
        owner: the seat that the cards are drawn in front of; None: the middle of the table.
    """

    name: str
    cards: tuple[Card, ...]
    size: int
    note: str = ""
    owner: int | None = None

    @property
    def title(self) -> str:
        """The name without the owner's number: "red threes" for "red threes 1". The position on the screen shows the
        owner.
        """
        return self.name if self.owner is None else self.name.removesuffix(f" {self.owner}")


@dataclass(frozen=True)
class Scene:
    """A table as its viewer sees it.

    Attributes:
        title: the name of the game.
        rules: the rules as text.
        seats: the seats in the order of play.
        areas: the pile, the stock and other cards that are not in melds.
        melds: the melds on the table.
        viewer: the seat that sees the table; None: all hands are face up.
        to_move: the seat that decides; None if the episode is over.
        decision: the decision in words, without a full stop: "draw a card", "discard".
        facts: short sentences about the round: "round 2 of the match to 100", "turn 7 of at most 300".
        result: the outcome in words; "" while the episode goes on.
        points: the points of the last round that ended, by seat; () before that.
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
    """The same scene with other texts for the cards; `name` converts a text. Cards face down remain None."""

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
