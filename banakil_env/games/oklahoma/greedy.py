"""`greedy`: what a sensible person plays who wants the pile, lays down early, and saves Twos for good melds.

Draw: take the pile whenever it may be taken: the more cards, the more melds.
Play: open the meld after which most can be laid down, then add what fits: it scores whatever happens. A Two makes a
meld of two cards if that brings some points; it does so for the Queen of spades above all, who costs 100 in the hand.
Twos are added to melds when the round may end soon, by the own hand or by another.
Discard: what is missed least. Keep melds, cards that fit own melds, and cards with which many unseen cards would make a
meld; shed high cards. The more cards lie in the pile, the more prefer a card with which few unseen cards go, so that
the next seat can hardly take it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, popcount, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.oklahoma import state as S
from banakil_env.games.oklahoma.melds import (
    CARDS,
    HELD,
    NATURALS,
    NUM_ADDED,
    NUM_NAMED,
    OPENINGS,
    QUEEN,
    TWO,
    VALUES_AT,
)
from banakil_env.games.oklahoma.observation import held_twice
from banakil_env.kit.melds.free_sets import completing_freely
from banakil_env.kit.melds.runs_and_sets import pair_ranks
from banakil_env.kit.melds.wild_melds import PLACES_OF, Opening, down, in_faces, melded, places_of, up
from banakil_env.kit.pack52 import ACES, NUM_RANKS, bit_of, cards_of, ranks_in, value_of
from banakil_env.kit.pack54 import JOKER, NUM_FACES

# Another hand with fewer cards may end the round soon.
SHORT_HAND = 4

# Points that a Two has to bring in an opening, before and when the round may end soon.
TWO_USED, TWO_USED_LATE = 18, 0

# What a discard costs: a point that can be laid down no more, a Two, an unseen card that makes a meld no more, and for
# each card of the pile an unseen one that goes with the discard.
LOST, TWO_LOST, OUT, GIVEN = 40, 400, 60, 1


def _brings(opening: Opening) -> int:
    """What an opening is worth, with what a Queen of spades would cost in the hand."""
    places = [place for place, *_ in places_of(opening.meld)] or [0, 0, 0]
    return int(VALUES_AT[opening.meld & 31, places].sum() + HELD[QUEEN] * opening.naturals.count(QUEEN))


def _naturals(opening: Opening, copies: int) -> int:
    """The naturals of which an opening takes so many or more, as a mask."""
    return sum(1 << face for face in set(opening.naturals) if opening.naturals.count(face) >= copies)


# Of every opening what it brings, how many Twos it takes, which naturals, and which of those twice.
BRINGS = np.array([_brings(each) for each in OPENINGS])
TWOS_TAKEN = (CARDS == TWO).sum(axis=1)
ONCE, TWICE = (np.array([_naturals(each, copies) for each in OPENINGS]) for copies in (1, 2))
NUM_OPENINGS = len(BRINGS)

VALUES = HELD[:NUM_RANKS].copy()  # of naturals, by rank


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if mask[S.DRAW]:
        return wide(S.TAKE) if mask[S.TAKE] else wide(S.DRAW)
    opening = _opening(seen, mask)
    if opening >= 0:
        return opening
    added = read_bits(mask, S.ADD, NUM_ADDED)
    if added & (wide(1) << NUM_NAMED) - 1 or (added and _ends_soon(seen)):
        return S.ADD + lowest(added)
    discards = read_bits(mask, S.DISCARD, NUM_NAMED)
    return _discard(seen, discards) if discards else legal_at(mask, wide(0))


@compiled
def _ends_soon(seen: Any) -> bool:
    """Whether another hand is short, or the own hand holds few cards beside its Twos."""
    for place in range(1, wide(seen.num_players)):
        if seen.hand_size[place] < SHORT_HAND:
            return True
    twos = wide(0)
    for face in range(1, JOKER, NUM_RANKS):
        twos += seen.hand[face]
    return twos + 1 >= seen.hand_size[0]


@compiled
def _laid(one: int, two: int, fits: int) -> int:
    """What can be laid down of these naturals and second ones, in points."""
    pairs = cards_of(pair_ranks(one) & ranks_in(two))
    return value_of(melded(one) | one & (fits | pairs), VALUES) + value_of(two & (fits | pairs), VALUES)


@compiled
def _opening(seen: Any, mask: Any) -> int:
    """The legal opening after which most can be laid down; -1: none is worth its Twos."""
    one, two, fits = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, held_twice(seen), read_bits(seen.fits, 0, NUM_FACES)
    price = wide(TWO_USED_LATE) if _ends_soon(seen) else wide(TWO_USED)
    best, most, as_it_is = wide(-1), wide(0), _laid(one, two, fits)
    for i in range(NUM_OPENINGS):
        if mask[S.OPEN + i]:
            left = one & ~(ONCE[i] & ~two) & ~TWICE[i]
            worth = BRINGS[i] - price * TWOS_TAKEN[i] + _laid(left, two & ~ONCE[i], fits)
            is_worth_it = TWOS_TAKEN[i] == 0 or worth > as_it_is or seen.must != 0
            if is_worth_it and (best < 0 or worth > most):
                best, most = wide(S.OPEN + i), worth
    return best


@compiled
def _discard(seen: Any, discards: int) -> int:
    """The card that is missed least."""
    one, two, fits = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, held_twice(seen), read_bits(seen.fits, 0, NUM_FACES)
    unseen, twice = wide(0), wide(0)
    for face in range(JOKER):
        known = seen.hand[face] + seen.table[face] + wide(seen.pile[face, 0] != 0) + wide(seen.pile[face, 1] != 0)
        unseen |= wide(known < 2) << face
        twice |= wide(known == 0) << face
    unseen, twice = unseen & NATURALS, twice & NATURALS
    laid, makes = _laid(one, two, fits), completing_freely(one, two)
    best, least = wide(-1), wide(0)
    while discards:
        i = lowest(discards)
        discards &= discards - 1
        cost = wide(TWO_LOST)
        if i < NUM_NAMED - 1:
            face = S.SHED[i]
            card = bit_of(face)
            left, left_two = one & ~(card & ~two), two & ~card
            makes_then = completing_freely(left, left_two)
            cost = LOST * (laid - _laid(left, left_two, fits)) - HELD[face]
            cost += OUT * (_count(makes, unseen, twice) - _count(makes_then, unseen, twice))
            near = up(PLACES_OF[face]) | down(PLACES_OF[face])
            goes_with = in_faces(near | up(near) | down(near)) | ACES << face % NUM_RANKS
            cost += GIVEN * seen.pile_size * _count(goes_with, unseen, twice)
        if best < 0 or cost < least:
            best, least = S.DISCARD + i, cost
    return best


@compiled
def _count(cards: int, unseen: int, twice: int) -> int:
    """How many of these cards are unseen."""
    return popcount(cards & unseen) + popcount(cards & twice)
