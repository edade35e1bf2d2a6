"""Decides exactly whether every card of a hand can be laid in three runs, with Jokers, duplicates and runs on the
table.

A run is opened with four cards, two of them natural, and grows at its ends; it can grow by any number of Jokers. At the
end, no two runs of a suit can be continuous: none begins where another ends. With `fewest` 1, an opening with one
natural card is enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.joker_melds import NUM_PLACES, RUN_SIZE, is_run, occupied, suit_of
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS, ONE_SUIT

LAST_RUNS = 3
_INTERVALS = [
    ((1 << size) - 1) << low for size in range(RUN_SIZE, NUM_PLACES + 1) for low in range(NUM_PLACES - size + 1)
]
INTERVALS = np.array(_INTERVALS, np.int64)
NUM_INTERVALS = len(_INTERVALS)
_OF_SUITS, _RUNS_OPENED = NUM_SUITS * LAST_RUNS, LAST_RUNS + 1  # numbers of cells of work arrays


@inlined
def _touch(run: int, other: int) -> bool:
    """Whether one of two runs of a suit begins at the place after the last place of the other."""
    return run + (run & -run) == other & -other or other + (other & -other) == run & -run


@inlined
def _can_open(naturals: int, fewest: int) -> bool:
    """Whether natural cards at these places allow an opening: two of them within four places; with `fewest` 1, any."""
    return naturals & (naturals >> 1 | naturals >> 2 | naturals >> 3) != 0 or (fewest == 1 and naturals != 0)


@compiled
def _all_open(places: Any, runs: int, begun: int, there: int, twice: int, fewest: int) -> bool:
    """Whether the natural cards can be placed so that every new run can be opened.

    Args:
        places: the places of each run that the hand fills, as masks.
        runs: the number of runs; the first `begun` of them are on the table.
        begun: the number of runs on the table.
        there: the places for which the hand has a natural card, as a mask.
        twice: the places for which the hand has two natural cards, as a mask.
        fewest: the natural cards that an opening needs.
    """
    once = places[0] | places[1] | places[2]
    shared = places[0] & places[1] | places[0] & places[2] | places[1] & places[2]
    by_all = places[0] & places[1] & places[2]
    sure = there & ~shared | twice & ~by_all
    doubtful, choices = there & once & ~sure, 1
    for _ in range(popcount(doubtful)):
        choices *= LAST_RUNS
    for choice in range(choices):
        digits, left, able = choice, doubtful, True
        one, two, three = sure, sure, sure
        while left:
            place, run = left & -left, digits % LAST_RUNS
            left &= left - 1
            digits //= LAST_RUNS
            # A single natural card for several runs goes to the chosen run. Two cards for three runs go to the other
            # two.
            both = place & twice != 0
            one |= place if both == (run != 0) else 0
            two |= place if both == (run != 1) else 0
            three |= place if both == (run != 2) else 0
        able = begun > 0 or _can_open(one & places[0], fewest)
        able = able and (begun > 1 or runs < 2 or _can_open(two & places[1], fewest))
        if able and (begun > 2 or runs < 3 or _can_open(three & places[2], fewest)):
            return True
    return False


@compiled
def _jokers_of_suit(laid: Any, begun: int, runs: int, ranks: int, ranks_two: int, jokers: int, fewest: int) -> int:
    """The possible numbers of Jokers with which all natural cards of a suit fit into its runs: bit k for k Jokers.

    Args:
        laid: the places of the runs of the suit that are on the table.
        begun: the number of these runs.
        runs: the number of runs of the suit at the end, at most three.
        ranks: the ranks held in the suit, as a mask.
        ranks_two: the ranks held twice in the suit, as a mask.
        jokers: the largest number of Jokers.
        fewest: the natural cards that an opening needs.
    """
    size, found = popcount(ranks) + popcount(ranks_two), 0
    if runs == 0:
        return int(size == 0)
    if size < fewest * (runs - begun) or size + jokers < RUN_SIZE * (runs - begun):
        return 0
    places, aces = scratch(LAST_RUNS), (ranks & 1) + (ranks_two & 1)
    for high in range(aces + 1):  # `high` is the number of Aces above the King
        low = aces - high
        there = ranks & ~1 | int(low > 0) | int(high > 0) << NUM_RANKS
        twice = ranks_two & ~1 | int(low > 1) | int(high > 1) << NUM_RANKS
        for i in range(NUM_INTERVALS):
            base, first = laid[0] if begun > 0 else 0, INTERVALS[i]
            places[0] = first & ~base
            count = popcount(places[0])
            if base & ~first or count > size + jokers:
                continue
            for j in range(i if begun == 0 else 0, NUM_INTERVALS if runs > 1 else i + 1 if begun == 0 else 1):
                base, second = laid[1] if begun > 1 else 0, INTERVALS[j] if runs > 1 else 0
                places[1] = second & ~base
                count_two = count + popcount(places[1])
                if base & ~second or count_two > size + jokers or (runs > 1 and _touch(first, second)):
                    continue
                either, both = places[0] | places[1], places[0] & places[1]
                if twice & ~either or (runs < 3 and (there & ~either or twice & ~both)):
                    continue
                needed = there & ~either | twice & ~both
                for k in range(j if runs > 2 and begun < 2 else 0, NUM_INTERVALS if runs > 2 else 1):
                    base, third = laid[2] if begun > 2 else 0, INTERVALS[k] if runs > 2 else 0
                    places[2] = third & ~base
                    used = count_two + popcount(places[2]) - size
                    if needed & ~places[2] or base & ~third or used > jokers or found >> used & 1:
                        continue
                    if runs > 2 and (_touch(first, third) or _touch(second, third)):
                        continue
                    if _all_open(places, runs, begun, there, twice, fewest):
                        found |= 1 << used
    return found


@compiled
def can_finish(laid: Any, one: int, two: int, jokers: int, fewest: int = 2) -> bool:
    """Whether every card of the hand fits into three runs, no two of which are continuous at the end.

    Suits share only the Jokers. So the possible numbers of Jokers are computed for each suit and each number of its
    runs. Then these are combined to three runs in all and to the Jokers of the hand.

    Args:
        laid: the three runs as melds; runs that are not opened yet are 0 and come last.
        one: the natural cards held, as a mask.
        two: the natural cards held twice, as a mask.
        jokers: the number of Jokers held.
        fewest: the natural cards that an opening needs.
    """
    if popcount(one) + popcount(two) + jokers > LAST_RUNS * NUM_PLACES:
        return False
    new, by_suit, counts = 0, scratch(_OF_SUITS), scratch(NUM_SUITS)
    for suit in range(NUM_SUITS):
        counts[suit] = 0
    for i in range(LAST_RUNS):
        run = laid[i]
        if is_run(run):
            by_suit[suit_of(run) * LAST_RUNS + counts[suit_of(run)]] = occupied(run)
            counts[suit_of(run)] += 1
        else:
            new += 1
    waiting = 0  # number of suits that need a new run
    for suit in range(NUM_SUITS):
        waiting += one >> NUM_RANKS * suit & ONE_SUIT != 0 and counts[suit] == 0
    spare = new - waiting
    if spare < 0:
        return False
    reached = scratch(_RUNS_OPENED)  # by number of new runs so far: the possible numbers of Jokers used, as bits
    for opened in range(new + 1):
        reached[opened] = int(opened == 0)
    for suit in range(NUM_SUITS):
        ranks, ranks_two = one >> NUM_RANKS * suit & ONE_SUIT, two >> NUM_RANKS * suit & ONE_SUIT
        runs = by_suit[suit * LAST_RUNS : suit * LAST_RUNS + LAST_RUNS]
        ways = scratch(_RUNS_OPENED)
        least = int(ranks != 0 and counts[suit] == 0)
        for own in range(new + 1):
            tried = least <= own <= least + spare
            total = counts[suit] + own
            ways[own] = 0
            if tried:
                ways[own] = _jokers_of_suit(runs, counts[suit], total, ranks, ranks_two, jokers, fewest)
        for opened in range(new, -1, -1):
            total = 0
            for own in range(opened + 1):
                for used in range(jokers + 1):
                    if ways[own] >> used & 1:
                        total |= reached[opened - own] << used
            reached[opened] = total
    return reached[new] >> jokers & 1 != 0
