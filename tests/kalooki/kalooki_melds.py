"""Cards and melds of Kalooki for the referee, and what a turn can still come to: K1, K3 to K6.

Cards are texts. A three is a tuple of cards in the order of faces; a four is a tuple of cards in the order of their
places, each Joker standing for its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise

RANKS = "A23456789TJQK"
PLACES = "A23456789TJQKA"  # of a four, numbered from 1 (K1.5)
HIGHEST = 14
SUITS = "cdhs"
NATURALS = tuple(rank + suit for suit in SUITS for rank in RANKS)
FACES = (*NATURALS, "JK")
PACK = NATURALS * 2 + ("JK",) * 4  # K1.1
CONTRACTS = {1: (3, 0), 2: (2, 1), 3: (1, 2), 4: (0, 3), 5: (4, 0), 6: (3, 1), 7: (2, 2), 8: (1, 3), 9: (0, 4)}  # K1.3
LAST_CONTRACT = 9
JOKER_PLACES = ((), (1,), (2,), (3,), (4,), (1, 3), (1, 4), (2, 4))  # in a four when it is opened, K4.2

Cards = tuple[str, ...]


def cards_dealt(contract: int) -> int:
    """K1.3."""
    threes, fours = CONTRACTS[contract]
    return 3 * threes + 4 * fours


def value(card: str) -> int:
    """K8.1."""
    if card == "JK":
        return 50
    if card[0] == "A":
        return 15 if card[1] in "cs" else 1
    return 10 if card[0] in "TJQK" else int(card[0])


def in_order(cards: Iterable[str]) -> Cards:
    return tuple(sorted(cards, key=FACES.index))


def naturals(cards: Iterable[str]) -> list[str]:
    return [card for card in cards if card != "JK"]


def without(hand: Cards, cards: Iterable[str]) -> Cards:
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


# Melds --------------------------------------------------------------------------------------------------------------


def is_three(cards: Cards) -> bool:
    """K3.1, K4.1."""
    return len(cards) >= 3 and len(naturals(cards)) >= 2 and len({card[0] for card in naturals(cards)}) == 1


@lru_cache(maxsize=1 << 18)
def first_place(cards: Cards) -> int | None:
    """The place at which a four begins; None if the cards are not a four (K3.2, K3.3, K4.2)."""
    if len(cards) < 4 or len({card[1] for card in naturals(cards)}) != 1:
        return None
    if any(pair == ("JK", "JK") for pair in pairwise(cards)):
        return None
    for first in range(1, HIGHEST - len(cards) + 2):
        if all(card == "JK" or card[0] == PLACES[first - 1 + i] for i, card in enumerate(cards)):
            return first
    return None


def is_four(cards: Cards) -> bool:
    return first_place(cards) is not None


def suit_of(four: Cards) -> str:
    return naturals(four)[0][1]


def face_at(place: int, suit: str) -> str:
    return PLACES[place - 1] + suit


@lru_cache(maxsize=1 << 18)
def grown(meld: Cards, play: str) -> Cards | None:
    """The meld after `add 8h`, `add JK low`, `add JK high` or `swap 7h`; None if that does not fit (K6.2, K6.3)."""
    verb, card, *end = play.split()
    if is_three(meld):
        fits = end == ["high"] if card == "JK" else card[0] == naturals(meld)[0][0]
        return in_order((*meld, card)) if verb == "add" and fits else None
    return exchanged(meld, card) if verb == "swap" else extended(meld, card, "".join(end))


def extended(four: Cards, card: str, end: str = "") -> Cards | None:
    """K6.2: the four with the card at its open end, which is the low one once the high ace lies there."""
    first = first_place(four)
    assert first is not None
    last = first + len(four) - 1
    if last < HIGHEST:
        open_end, face, longer = "high", face_at(last + 1, suit_of(four)), (*four, card)
    elif first > 1:
        open_end, face, longer = "low", face_at(first - 1, suit_of(four)), (card, *four)
    else:
        return None
    fits = end == open_end if card == "JK" else card == face
    return longer if fits and is_four(longer) else None


def exchanged(four: Cards, card: str) -> Cards | None:
    """K6.3: the card takes the place of the Joker that stands for it, and the Joker goes to the open end."""
    first = first_place(four)
    if first is None or len(four) == HIGHEST:
        return None
    for i, lying in enumerate(four):
        if lying == "JK" and card == face_at(first + i, suit_of(four)):
            now = (*four[:i], card, *four[i + 1 :])
            return extended(now, "JK", "high") or extended(now, "JK", "low")
    return None


def all_openings() -> Iterator[Cards]:
    """Every opening there is, threes first, in the order of the actions."""
    for rank in RANKS:
        faces = [rank + suit for suit in SUITS]
        yield from (cards for cards in combinations_with_replacement(faces, 3) if len(set(cards)) > 1)
        yield from ((*cards, "JK") for cards in combinations_with_replacement(faces, 2))
    for suit in SUITS:
        for first in range(1, 12):
            for jokers in JOKER_PLACES:
                yield tuple("JK" if i in jokers else face_at(first + i - 1, suit) for i in range(1, 5))


def numbered(cards: Cards) -> frozenset[tuple[str, int]]:
    """The cards with the copies of a face told apart, so that to hold an opening is to have it as a subset."""
    return frozenset((card, cards[:i].count(card)) for i, card in enumerate(cards))


OPENINGS = tuple(all_openings())
THREES = 13 * 26  # of them
NUMBERED = tuple(map(numbered, OPENINGS))


@lru_cache(maxsize=1 << 16)
def openings(hand: Cards) -> tuple[int, ...]:
    """The numbers of the openings that the hand has the cards for."""
    held = numbered(hand)
    return tuple(number for number, cards in enumerate(NUMBERED) if cards <= held)


def mark_of(opening: int, different_threes: bool) -> str:
    """What a seat may open once only: a four of this suit (K3.4), under `threes=different` a three of this rank."""
    cards = OPENINGS[opening]
    if opening < THREES:
        return cards[0][0] if different_threes else ""
    return suit_of(cards)


# Can the turn be ended? K5.3 ----------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def jokers_fit(number: int, table: tuple[Cards, ...]) -> bool:
    """Whether this number of Jokers can be added to the melds on the table."""
    if number == 0:
        return True
    for i, meld in enumerate(table):
        for end in ("low", "high"):
            longer = grown(meld, f"add JK {end}")
            if longer is not None and jokers_fit(number - 1, (*table[:i], longer, *table[i + 1 :])):
                return True
    return False


def can_end(hand: Cards, table: Iterable[Cards]) -> bool:
    """With the contract met: the hand is empty, or has a card to discard, or Jokers that can all be added."""
    return bool(naturals(hand)) or jokers_fit(len(hand), tuple(sorted(table)))


@lru_cache(maxsize=1 << 18)
def can_meet(
    threes: int,
    fours: int,
    hand: Cards,
    marks: frozenset[str],
    table: tuple[Cards, ...],
    different_threes: bool,
    start: int = 0,
) -> bool:
    """Whether the contract can be met and the turn then be ended.

    Args:
        threes, fours: still lacking.
        marks: what the seat may not open any more, as in `mark_of`.
        table: all melds.
        start: openings before this one are not tried. The order of openings does not matter to what is left, so they
            are tried in one order only.
    """
    if threes == fours == 0:
        return can_end(hand, table)
    possible = [
        (opening, mark)
        for opening in openings(hand)
        if opening >= start and (mark := mark_of(opening, different_threes)) not in marks
    ]
    if len({mark for opening, mark in possible if opening >= THREES}) < fours:
        return False  # fours lack of more suits than there are
    for opening, mark in possible:
        if opening < THREES if threes else opening >= THREES:
            cards = OPENINGS[opening]
            lacking = (threes - 1, fours) if threes else (threes, fours - 1)
            taken = marks | {mark} if mark else marks
            rest, laid = without(hand, cards), tuple(sorted((*table, cards)))
            if can_meet(*lacking, rest, taken, laid, different_threes, opening):
                return True
    return False
