"""Computes the least deadwood of a hand from one pack of 52 cards, and its melds: exactly, for hands up to 20 cards.

A card belongs to at most one meld. Once the cards in sets are chosen, every other card that is in a run of three or
more is put into that run. So only the sets have to be tried, and of these only the few whose cards could also be in
runs.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from banakil_env.core.actions import Block
from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.runs_and_sets import in_runs, melded, set_ranks
from banakil_env.kit.pack52 import FACES, NUM_FACES, NUM_RANKS, NUM_SUITS, VALUES, bit_of, cards_of, mask_of

# The binary digits of the card values: the cards whose value has the digit 1, 2, 4, 8.
_ONES, _TWOS, _FOURS, _EIGHTS = (
    sum(1 << face for face in range(NUM_FACES) if int(VALUES[face % NUM_RANKS]) & digit) for digit in (1, 2, 4, 8)
)

# Every run of three, four or five cards, then every set. Longer runs are combined from these, so that a hand can be
# laid down in every possible way.
_LONGEST_RUN = 5
_RUNS = [
    tuple(suit * NUM_RANKS + low + place for place in range(size))
    for size in range(3, _LONGEST_RUN + 1)
    for suit in range(NUM_SUITS)
    for low in range(NUM_RANKS - size + 1)
]
_SETS = [
    tuple(suit * NUM_RANKS + rank for suit in suits)
    for size in (3, 4)
    for rank in range(NUM_RANKS)
    for suits in itertools.combinations(range(NUM_SUITS), size)
]
_MELDS = _RUNS + _SETS
NUM_LAYS = len(_MELDS)
LAYS = np.array([mask_of(cards) for cards in _MELDS], np.int64)

LAY = Block("lay", "lay a meld of three to five cards", tuple(f"open {FACES.text(c)}" for c in _MELDS), tuple(_MELDS))

# The largest number of ranks whose sets are tried in every way; a hand of eleven cards has at most three. Each of them
# multiplies the time by six: a whole pack, which only an observation made by hand can have, would take minutes.
MAX_TRIED = 6

# A limit above the deadwood of every hand.
NO_LIMIT = 1000


@inlined
def points_in(cards: int) -> int:
    """The total value of these cards: Ace 1, T J Q K 10, others their rank."""
    return (
        popcount(cards & _ONES)
        + 2 * popcount(cards & _TWOS)
        + 4 * popcount(cards & _FOURS)
        + 8 * popcount(cards & _EIGHTS)
    )


@inlined
def _in_set(cards: int, choice: int) -> int:
    """The cards of a rank that are used as a set.

    Args:
        cards: the three or four cards of the rank.
        choice: 0 for all of them, 1 for none, 2 + k for all except the k-th lowest, with k from 0 on.
    """
    if choice < 2:
        return cards if choice == 0 else 0
    left_out = cards
    for _ in range(choice - 2):
        left_out &= left_out - 1
    return cards & ~(left_out & -left_out)


@inlined
def _order_of(rank: int, whole: int, choice: int) -> int:
    """A bit that orders arrangements with equal deadwood: a higher bit is preferred; see `best_sets`.

    Args:
        rank: the place of the rank among those that are tried, from the lowest on.
        whole, choice: the arguments of `_in_set` for this rank.
    """
    if choice == 1:
        return 0
    four = popcount(whole) == 4
    if four and (choice == 0 or choice == 2 or choice == 3):
        return 1 << 61 - 3 * rank - (0 if choice == 0 else 4 - choice)
    return 1 << 61 - 3 * MAX_TRIED - 2 * rank - int(choice == 5)


@compiled
def best_sets(cards: int) -> int:
    """The cards in sets in an arrangement with the least deadwood. All other cards that fit a run are in runs.

    Of several such arrangements, the preferred one has the first set in this order that the others lack: four cards of
    a rank, four without the diamond, four without the club, each from the lowest rank to the highest; then three cards
    of a rank, four without the heart, four without the spade, again by rank. This is the order of OpenSpiel's gin
    rummy.
    """
    ranks, runs = set_ranks(cards), in_runs(cards)
    sure, contested, number = 0, scratch(NUM_RANKS), 0
    while ranks:
        whole = cards & cards_of(ranks & -ranks)
        ranks &= ranks - 1
        if whole & runs and number < MAX_TRIED:
            contested[number] = whole
            number += 1
        else:
            sure |= whole
    if number == 0:
        return sure
    choices, best, most, highest_order = scratch(NUM_RANKS), sure, -1, -1
    for i in range(number):
        choices[i] = 0
    while True:
        sets = sure
        for i in range(number):
            sets |= _in_set(contested[i], choices[i])
        worth = points_in(sets | in_runs(cards & ~sets))
        order = 0
        for i in range(number):
            order |= _order_of(i, contested[i], choices[i])
        if worth > most or (worth == most and order > highest_order):
            best, most, highest_order = sets, worth, order
        i = 0
        while i < number:
            choices[i] += 1
            if choices[i] < (6 if popcount(contested[i]) == 4 else 2):
                break
            choices[i] = 0
            i += 1
        if i == number:
            return best


@compiled
def best_melded(cards: int) -> int:
    """The cards that are in melds in the arrangement of `best_sets`, which has the least deadwood."""
    sets = best_sets(cards)
    return sets | in_runs(cards & ~sets)


@compiled
def deadwood(cards: int) -> int:
    """The least deadwood of a hand: the points of the cards outside melds."""
    return points_in(cards & ~best_melded(cards))


@compiled
def deadwood_of_ten(cards: int) -> int:
    """The deadwood of eleven cards after their highest unmatched card is discarded, in the arrangement of `best_sets`.

    Another discard can leave less deadwood, if another arrangement has a higher unmatched card.
    """
    left = cards & ~best_melded(cards)
    highest = 0
    for rank in range(NUM_RANKS):
        if left & cards_of(1 << rank):
            highest = VALUES[rank]
    return points_in(left) - highest


@compiled
def discards_within(cards: int, limit: int, allowed: int) -> int:
    """The cards, out of `allowed`, whose discard leaves deadwood of at most `limit`."""
    loose = cards & ~melded(cards)  # these cards are in no meld in any arrangement
    if points_in(loose) - 10 > limit:
        return 0
    found, left = 0, cards & allowed
    while left:
        face = lowest(left)
        left &= left - 1
        if deadwood(cards & ~bit_of(face)) <= limit:
            found |= bit_of(face)
    return found


@compiled
def lays_within(cards: int, limit: int, out: Any, first: int) -> None:
    """Write 1 for each meld of LAYS in the hand, if the other cards have deadwood of at most `limit`.

    The cell of meld number i is `out[first + i]`; other cells stay unchanged.
    """
    together = melded(cards)
    if together == 0:
        return
    for i in range(NUM_LAYS):
        meld = LAYS[i]
        if meld & ~together == 0 and (limit >= NO_LIMIT or deadwood(cards & ~meld) <= limit):
            out[first + i] = 1
