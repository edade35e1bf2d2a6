"""`greedy`: what a sensible person plays who wants the pile and leaves none to others.

Draw: take the pile whenever it may be taken, unless another hand is short and too much of the pile would stay in the
own hand.
Play: open the meld after which most can be laid down, and add what fits, at once, for it scores whatever happens. Twos
make melds of pairs and of neighbours where these are worth it; the Queen of spades, which costs 100 in the hand and
earns 50 on the table, is always worth one. Twos are added to melds when the round is about to end, by the own hand or by
another.
Discard: what is missed least. That is, keep melds, cards that fit own melds, and cards for which many unseen cards would
make a meld; shed high cards; and the larger the pile, the more prefer a card that the next seat can hardly use, for few
unseen cards go with it.
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
from banakil_env.kit.pack52 import ACES, NUM_RANKS, bit_of, cards_of, ranks_in, value_of
from banakil_env.kit.pack54 import JOKER, NUM_FACES
from banakil_env.kit.runs_and_sets import pair_ranks
from banakil_env.kit.wild_melds import PLACES_OF, completing, down, in_faces, melded, places_of, up

# Another hand with fewer cards may end the round soon.
SHORT_HAND = 4

# Points that a Two has to bring in an opening, before and when the round may end soon.
TWO_USED, TWO_USED_LATE = 18, 0

# What a discard costs: a card that leaves a meld, an unseen card that completes a meld no more, a card that the next
# seat is known to need, and for each card of the pile an unseen one that goes with the discard; and what it saves, for
# each point of its value.
BROKEN, OUT, NEEDED, GIVEN, SAVED = 400, 12, 100, 1, 1

# By rank what a natural card is worth; of every opening what it brings, the Queen's 100 in the hand included, how many
# Twos it takes, and its naturals, those among them that it takes twice.
VALUES = HELD[:NUM_RANKS].copy()
BRINGS = np.array(
    [sum(int(VALUES_AT[each.meld & 31, place]) for place, *_ in places_of(each.meld)) or 75 for each in OPENINGS],
    np.int64,
) + HELD[QUEEN] * (CARDS == QUEEN).sum(axis=1)
TWOS_USED = (CARDS == TWO).sum(axis=1)
ONCE, TWICE = (
    np.array(
        [sum(1 << face for face in set(each.naturals) if each.naturals.count(face) >= copies) for each in OPENINGS],
        np.int64,
    )
    for copies in (1, 2)
)


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if mask[S.DRAW]:
        return wide(S.TAKE) if mask[S.TAKE] and _is_worth_taking(seen) else wide(S.DRAW)
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
    first = melded(one) | one & (fits | pairs)
    return value_of(first, VALUES) + value_of(two & (fits | pairs), VALUES)


@compiled
def _is_worth_taking(seen: Any) -> bool:
    """Whether more of the pile can be laid down than would stay in the hand, if the round may end soon."""
    if not _ends_soon(seen):
        return True
    one, two, fits = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, held_twice(seen), read_bits(seen.fits, 0, NUM_FACES)
    total, before = wide(0), _laid(one, two, fits)
    for face in range(JOKER):
        for copy in range(2):
            if seen.pile[face, copy]:
                total += HELD[face]
                two |= one & bit_of(wide(face)) & NATURALS
                one |= bit_of(wide(face)) & NATURALS
    return 2 * (_laid(one, two, fits) - before) >= total


@compiled
def _opening(seen: Any, mask: Any) -> int:
    """The legal opening after which most can be laid down; -1: none is worth its Twos."""
    one, two, fits = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, held_twice(seen), read_bits(seen.fits, 0, NUM_FACES)
    price = wide(TWO_USED_LATE) if _ends_soon(seen) else wide(TWO_USED)
    best, most = wide(-1), wide(-1000) if seen.must else _laid(one, two, fits) - 1
    for i in range(len(BRINGS)):
        if mask[S.OPEN + i]:
            left = one & ~(ONCE[i] & ~two) & ~TWICE[i]
            worth = BRINGS[i] - price * TWOS_USED[i] + _laid(left, two & ~ONCE[i], fits)
            if worth > most:
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
    theirs = read_bits(seen.known[1], 0, NUM_FACES) & NATURALS
    needed = completing(theirs)
    laid, makes = _laid(one, two, fits), completing(one) | cards_of(ranks_in(two))
    best, least = wide(-1), wide(0)
    while discards:
        i = lowest(discards)
        discards &= discards - 1
        cost = wide(BROKEN)
        if i < NUM_NAMED - 1:
            face = S.SHED[i]
            card = bit_of(face)
            left, left_two = one & ~(card & ~two), two & ~card
            makes_then = completing(left) | cards_of(ranks_in(left_two))
            cost = BROKEN * (laid - _laid(left, left_two, fits)) // 10
            cost += OUT * (_count(makes, unseen, twice) - _count(makes_then, unseen, twice))
            near = up(PLACES_OF[face]) | down(PLACES_OF[face])
            goes_with = in_faces(near | up(near) | down(near)) | ACES << face % NUM_RANKS
            cost += NEEDED * (needed >> face & 1) + GIVEN * seen.pile_size * _count(goes_with, unseen, twice)
            cost -= SAVED * HELD[face]
        if best < 0 or cost < least:
            best, least = S.DISCARD + i, cost
    return best


@compiled
def _count(cards: int, unseen: int, twice: int) -> int:
    """How many of these cards are unseen."""
    return popcount(cards & unseen) + popcount(cards & twice)
