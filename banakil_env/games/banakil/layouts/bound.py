"""A lower bound on the cards that stay in the hand, at a fiftieth of the solver's time.

Each suit is examined alone, for every number of wild cards spent on it; then the wild cards are divided among the
suits. The bound is never above the truth, because every simplification allows more than the rules do:

* Twos and Jokers are one kind of wild card, and a sequence may have any number of them.
* One sequence covers both cards of a face.
* Cards near a meld on the table are taken to fit the meld.
* A Three or Ace is taken to lie in a set if the hand may make a set of its rank, or one lies on the table.
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

# Six wild cards put all ranks of a suit into sequences: two for each of three groups, and no more than three ranks lie
# four apart.
MOST_WILDS = 6
_BITS = 4  # of a number of cards that stay in the hand, in UNCOVERED
_TOTALS = 11  # eight Twos and two Jokers, or none
# The most naturals outside natural sequences that one wild card can put into a sequence: two pairs, which it joins.
_JOINED = 4


def _uncovered() -> npt.NDArray[np.int64]:
    """For every mask of ranks and w wild cards, the fewest ranks in no sequence: four bits for each w."""
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
    """A lower bound on the cards that stay in the hand; see `best_layout` for the arguments."""
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
    """Write for each suit the wild cards in its melds and the ranks that fit; return the ranks that sets may take."""
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
    """The ranks, of Three and Ace, of which the hand may make sets."""
    threes, aces = 0, 0
    for suit in range(NUM_SUITS):
        threes += one >> (suit * NUM_RANKS + THREE) & 1
        aces += one >> (suit * NUM_RANKS + ACE) & 1
    few = 2 if jokers else 3
    return int(threes >= few) << THREE | int(aces >= few) << ACE


@compiled
def _left_of_suit(ranks: int, twice: int, fits: int, there: int, in_sets: int, wilds: int) -> int:
    """A lower bound on the cards of a suit that stay in the hand when `wilds` wild cards are spent on the suit.

    A meld has two wild cards at most. A card that is added to a meld therefore lies within three ranks of the meld or
    of another card that is added.
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
