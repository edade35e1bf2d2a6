"""The melds of Hand for the referee: what is one, what it is worth, and what it takes: H4 to H6."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import Any

from hand_rules import RANKS, SUITS, in_order

PLACES = RANKS + "A"  # of a sequence: an Ace is at either end

Meld = tuple[str, ...]


@cache
def sequence_start(cards: Meld) -> int | None:
    """The place at which a sequence begins, None if the cards are not a sequence (H4.1, H4.3)."""
    if not 3 <= len(cards) <= 13 or cards.count("W") > 1:
        return None
    for suit in SUITS:
        for start in range(len(PLACES) - len(cards) + 1):
            if all(card in ("W", PLACES[start + i] + suit) for i, card in enumerate(cards)):
                return start
    return None


@cache
def is_group(cards: Meld) -> bool:
    """H4.2, H4.3."""
    naturals = [card for card in cards if card != "W"]
    one_rank = len({card[0] for card in naturals}) == 1
    return 3 <= len(cards) <= 4 and cards.count("W") <= 1 and one_rank and len(set(naturals)) == len(naturals)


def start_of(sequence: Meld) -> int:
    """`sequence_start` of cards that are a sequence."""
    start = sequence_start(sequence)
    assert start is not None, f"no sequence: {sequence}"
    return start


def is_meld(cards: Meld) -> bool:
    return is_group(cards) or sequence_start(cards) is not None


def tidy(cards: Iterable[str]) -> Meld:
    """Groups by suit with W last, sequences as they lie."""
    cards = tuple(cards)
    return tuple(in_order(cards)) if is_group(cards) else cards


def suit_of(cards: Meld) -> str:
    return next(card[1] for card in cards if card != "W")


def meld_value(cards: Meld, rules: dict[str, Any]) -> int:
    """H5.3: what a meld counts for the first meld."""
    if is_group(cards):
        rank = next(card[0] for card in cards if card != "W")
        return len(cards) * (11 if rank == "A" else min(10, RANKS.index(rank) + 1))
    start = start_of(cards)
    return sum(place_value(start + i, rules) for i in range(len(cards)))


def place_value(place: int, rules: dict[str, Any]) -> int:
    if place == 0:
        return rules["ace_low"]
    if place == 13:
        return rules["ace_high"]
    return min(10, place + 1)


@cache
def with_natural(cards: Meld, card: str) -> Meld | None:
    """H6.2: a meld with one more natural card; None if the card does not fit (H6.3 aside)."""
    if is_group(cards):
        more = tidy((*cards, card))
        return more if is_group(more) else None
    for more in ((card, *cards), (*cards, card)):  # an Ace that fits both ends goes low, H4.7
        if sequence_start(more) is not None:
            return more
    return None


@cache
def with_wild(cards: Meld, end: str) -> Meld | None:
    """H6.2: a meld with a wild at an end, `low` or `high`; None if it does not fit."""
    if is_group(cards):
        more = (*cards, "W")
        return more if end == "high" and "W" not in cards and is_group(more) else None
    if "W" in cards:
        return None
    start, last = start_of(cards), start_of(cards) + len(cards) - 1
    if end == "low":
        return ("W", *cards) if start > 0 and len(cards) < 13 else None
    both_ends = start == 1 and last == 12  # H4.7: low then
    return (*cards, "W") if last < 13 and len(cards) < 13 and not both_ends else None


def wanted(cards: Meld) -> Meld:
    """H6.4: the natural cards that together bring out the wild of a meld, nothing without a wild."""
    if "W" not in cards:
        return ()
    if is_group(cards):
        rank = cards[0][0]
        return tuple(rank + suit for suit in SUITS if rank + suit not in cards)
    return (PLACES[start_of(cards) + cards.index("W")] + suit_of(cards),)


def exchanged(cards: Meld) -> Meld:
    """The meld after the exchange."""
    naturals = wanted(cards)
    if is_group(cards):
        return tidy((*(card for card in cards if card != "W"), *naturals))
    return tuple(naturals[0] if card == "W" else card for card in cards)


def _openings() -> Iterator[Meld]:
    """H4.6: every meld of three."""
    for suit in SUITS:
        for start in range(12):
            cards = tuple(PLACES[start + i] + suit for i in range(3))
            yield cards
            for i in range(3):
                yield (*cards[:i], "W", *cards[i + 1 :])
    for rank in RANKS:
        of_rank = [rank + suit for suit in SUITS]
        yield from combinations(of_rank, 3)
        for pair in combinations(of_rank, 2):
            yield (*pair, "W")


OPENINGS = tuple(_openings())
OPENING_FACES = tuple(map(frozenset, OPENINGS))
