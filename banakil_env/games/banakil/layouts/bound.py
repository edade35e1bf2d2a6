"""A lower bound on the cards that stay in the hand, computed in a fiftieth of the solver's time.

Each suit is examined alone, for every number of wild cards spent on it. Then the wild cards are divided among the
suits. The bound is never above the exact number, because every simplification allows more than the rules do:

* Twos and Jokers are one kind of wild card, and a sequence may have any number of them.
* One sequence covers both cards of a face.
* Cards near a meld on the table are assumed to fit the meld.
* A Three or Ace is assumed to be in a set if the hand may make a set of its rank, or if one is on the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import ACE, ALL_RANKS, ALL_TWOS, JOKER, NUM_RANKS, NUM_SUITS, THREE
from banakil_env.games.banakil.melds import (
    NOWHERE,
    THREES,
    joker_of,
    kind_of,
    naturals_for_joker,
    naturals_that_fit,
    two_at,
    two_of,
)

# Six wild cards put all ranks of a suit into sequences: at most three ranks are four apart, which makes three groups,
# and each group needs two wild cards.
MOST_WILDS = 6
_BITS = 4  # bits for each number in UNCOVERED
_TOTALS = 11  # possible numbers of wild cards: from none to eight Twos and two Jokers
# The most naturals outside natural sequences that one wild card can put into a sequence: two pairs that it joins.
_JOINED = 4


def _uncovered() -> npt.NDArray[np.int64]:
    """Return the table of the fewest ranks outside sequences, for every mask of ranks and 0 to MOST_WILDS wild cards.

    The result is int64 (4096,), indexed by the mask. Each number has _BITS bits for every number of wild cards.
    """
    least = np.zeros((1 << NUM_RANKS, MOST_WILDS + 1), np.int64)
    for low in reversed(range(NUM_RANKS)):  # the lowest rank of the mask: alone, or in a sequence from it to `high`
        masks = (1 << low) * np.arange(1, 1 << NUM_RANKS - low, 2)
        least[masks] = 1 + least[masks & ~(1 << low)]
        for high in range(low, NUM_RANKS):
            window = (2 << high) - (1 << low)
            missing = np.array([int(mask).bit_count() for mask in ~masks & window])
            wilds = missing + max(0, 3 - (high - low + 1))
            for spent in range(MOST_WILDS + 1):
                enough = wilds <= spent
                rest = least[masks[enough] & ~window, spent - wilds[enough]]
                least[masks[enough], spent] = np.minimum(least[masks[enough], spent], rest)
    shifts: npt.NDArray[np.int64] = np.arange(MOST_WILDS + 1) * _BITS
    packed: npt.NDArray[np.int64] = (least << shifts).sum(axis=1)
    return packed


UNCOVERED = _uncovered()


@compiled
def cards_left_at_least(one: int, both: int, melds: Any, count: int, fixed: bool) -> int:
    """Return a lower bound on the cards that stay in the hand; see `best_layout` for the arguments."""
    there, fits = scratch(NUM_SUITS), scratch(NUM_SUITS)
    jokers = (one >> JOKER & 1) + (both >> JOKER & 1)
    in_sets = _look_at_melds(melds, count, fixed, there, fits)
    for i in range(count):
        jokers += joker_of(melds[i])
    wilds = jokers + popcount(one & ALL_TWOS) + popcount(both & ALL_TWOS)
    in_sets |= _in_new_sets(one, jokers)
    least, before = scratch(_TOTALS), scratch(_TOTALS)
    wilds = min(wilds, _TOTALS - 1)
    for spent in range(wilds + 1):
        least[spent] = 0
    for suit in range(NUM_SUITS):
        ranks = one >> suit * NUM_RANKS & ALL_RANKS
        if ranks == 0:
            continue
        twice = both >> suit * NUM_RANKS & ALL_RANKS
        for spent in range(wilds + 1):
            before[spent] = least[spent]
            least[spent] = 1 << 20
        for here in range(min(wilds, MOST_WILDS) + 1):
            left = _left_of_suit(ranks, twice, fits[suit], there[suit], in_sets, here)
            for spent in range(here, wilds + 1):
                least[spent] = min(least[spent], before[spent - here] + left)
    return least[wilds]


@compiled
def _look_at_melds(melds: Any, count: int, fixed: bool, there: Any, fits: Any) -> int:
    """Write the number of wild cards in the melds of each suit into `there`, and the ranks that fit them into `fits`.

    Both are int64 (NUM_SUITS,). Return the mask of the ranks, Three or Ace, that sets on the table may take.
    """
    in_sets, faces = 0, 0
    for suit in range(NUM_SUITS):
        there[suit] = 0
    for i in range(count):
        meld = melds[i]
        kind = kind_of(meld)
        if kind >= THREES:
            in_sets |= 1 << (THREE if kind == THREES else ACE)
        else:
            there[kind - 1] += int(two_of(meld) != 0) + joker_of(meld)
            faces |= naturals_that_fit(meld, fixed) | naturals_for_joker(meld, fixed, True)
            if fixed and two_of(meld) and two_at(meld) != NOWHERE:  # in a full meld, once its Joker is out (B9.6)
                faces |= 1 << (kind - 1) * NUM_RANKS + two_at(meld)
    for suit in range(NUM_SUITS):
        fits[suit] = faces >> suit * NUM_RANKS & ALL_RANKS
    return in_sets


@compiled
def _in_new_sets(one: int, jokers: int) -> int:
    """Return the ranks (Three, Ace) of which the hand may make new sets, as a mask of ranks.

    `one` is the mask of the faces in the hand, `jokers` the number of Jokers.
    """
    threes, aces = 0, 0
    for suit in range(NUM_SUITS):
        threes += one >> (suit * NUM_RANKS + THREE) & 1
        aces += one >> (suit * NUM_RANKS + ACE) & 1
    few = 2 if jokers else 3
    return int(threes >= few) << THREE | int(aces >= few) << ACE


@compiled
def _left_of_suit(ranks: int, twice: int, fits: int, there: int, in_sets: int, wilds: int) -> int:
    """Return a lower bound on the cards of a suit that stay in the hand if `wilds` wild cards are spent on the suit.

    A meld has at most two wild cards. A card that is added to a meld is therefore within three ranks of the meld or of
    another card that is added.

    Args:
        ranks: mask of the ranks that the hand has.
        twice: mask of the ranks that the hand has twice.
        fits: mask of the ranks that fit melds of the suit on the table.
        there: the number of wild cards in these melds.
        in_sets: mask of the ranks that may be in sets.
        wilds: the number of wild cards spent on the suit.
    """
    reach = min(there + wilds, 2)
    near = ranks & (fits | fits << 1 | fits >> 1 if reach else fits)
    if reach > 1:
        near |= ranks & (fits << 2 | fits >> 2)
    grown = near
    while grown:
        around = near | near << 1 | near << 2 | near << 3 | near >> 1 | near >> 2 | near >> 3
        grown = ranks & around & ~near
        near |= grown
    rest = ranks & ~near
    by_rank = (UNCOVERED[rest] >> _BITS * wilds & ((1 << _BITS) - 1)) - popcount(rest & in_sets)
    runs = rest & rest >> 1 & rest >> 2
    alone = rest & ~(runs | runs << 1 | runs << 2 | in_sets)
    return max(by_rank, popcount(alone) + popcount(alone & twice) - _JOINED * wilds, 0)
