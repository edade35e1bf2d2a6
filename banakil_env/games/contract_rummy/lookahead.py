"""Can the turn still be ended? Exact answers for the contract (N5.5), the seventh (N7.3) and Jokers owed (N6.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, popcount, wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.contract_rummy.state import OPEN_RUN, OPEN_SET
from banakil_env.kit.contracts import continuous, meeting, windows_that_clash
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS, ONE_SUIT
from banakil_env.kit.wild_melds import (
    NUM_PLACES,
    RUN_SIZE,
    first_left,
    is_run,
    numbers_by_rank,
    occupied,
    places_of,
    suit_of,
    windows_with,
)

CLASH = windows_that_clash(continuous)  # N5.2
MEETING = meeting("contract_rummy", OPEN_SET, OPEN_RUN, CLASH)

# Jokers owed (N6.4) --------------------------------------------------------------------------------------------------

# Where the lower of two cards of a suit can lie, so that the other is so many places above.
_LOWER = [sum(((1 << NUM_PLACES - step) - 1) << NUM_PLACES * suit for suit in range(NUM_SUITS)) for step in range(4)]
LOWER = np.array(_LOWER, np.int64)

MAX_JOKERS = 4


@inlined
def _face_at(place: int) -> int:
    """The face of a bit of a place mask."""
    return place // NUM_PLACES * NUM_RANKS + place % NUM_PLACES % NUM_RANKS


@compiled
def _pairs(one: int, two: int) -> int:
    """How many sets of two naturals and a Joker can be opened, given enough Jokers."""
    _, twos, fours, eights = numbers_by_rank(one, two)
    return popcount(twos) + 2 * popcount(fours) + 4 * popcount(eights)


@compiled
def _has_close(one: int) -> bool:
    """Whether two naturals and two Jokers can open a run."""
    places = places_of(one)
    return places & (places >> 1 & LOWER[1] | places >> 2 & LOWER[2] | places >> 3 & LOWER[3]) != 0


@compiled
def _has_three(one: int) -> bool:
    """Whether three naturals and a Joker can open a run."""
    places, found = places_of(one), wide(0)
    for pattern in range(1, 5):
        found |= windows_with(places, wide(pattern))
    return found != 0


@compiled
def _can_use(one: int, two: int, jokers: int, need: int) -> bool:
    """Whether openings with the naturals of a hand can use `need` Jokers, of so many held.

    A Joker goes into a set with two naturals, or into a run with three. Two go into a run with two: where two are
    needed, this never takes more naturals than a run with one of them, so it is enough to try it and sets.
    """
    if need <= 0 or _pairs(one, two) >= need:
        return True
    if need == 1:
        return _has_three(one) or (jokers >= 2 and _has_close(one))
    places = places_of(one)
    for step in range(1, RUN_SIZE):
        lower = places & places >> step & LOWER[step]
        if lower and need == 2:
            return True
        while lower:
            place = lowest(lower)
            lower &= lower - 1
            cards = wide(1) << _face_at(place) | wide(1) << _face_at(place + step)
            left, left_two = first_left(one, two, cards, wide(0)), two & ~cards
            if _pairs(left, left_two) >= need - 2:
                return True
            if (need == 4 or jokers == 4) and _has_close(left):
                return True
            if need == 3 and _has_three(left):
                return True
    return False


@compiled
def can_use_owed(one: int, two: int, jokers: int, owed: int, swaps: int, swaps_two: int) -> bool:
    """Whether the Jokers owed can open new melds in this turn (N6.4), further exchanges helping.

    Every exchange costs a natural and brings a Joker that is owed too. Adding cards, or exchanging for a Joker that was
    opened in this turn, never helps: a meld is rather opened with the natural at once.

    Args:
        one, two, jokers: the hand. owed: how many of its Jokers.
        swaps, swaps_two: the faces that Jokers in runs stand for, and those for which two do.
    """
    if owed <= 0 or _can_use(one, two, jokers, owed):
        return True
    faces, count = scratch(MAX_JOKERS), wide(0)
    for cards in (swaps & one, swaps_two & two):
        while cards and count < MAX_JOKERS:
            faces[count] = lowest(cards)
            cards &= cards - 1
            count += 1
    for choice in range(1, wide(1) << count):
        left, left_two, taken = one, two, popcount(choice)
        for i in range(count):
            if choice >> i & 1:
                card = wide(1) << faces[i]
                left, left_two = first_left(left, left_two, card, wide(0)), left_two & ~card
        if _can_use(left, left_two, jokers + taken, owed + taken):
            return True
    return False


# The seventh contract (N7) -------------------------------------------------------------------------------------------

LAST_RUNS = 3
_INTERVALS = [
    ((1 << size) - 1) << low for size in range(RUN_SIZE, NUM_PLACES + 1) for low in range(NUM_PLACES - size + 1)
]
INTERVALS = np.array(_INTERVALS, np.int64)
NUM_INTERVALS = len(_INTERVALS)
_OF_SUITS, _RUNS_OPENED = NUM_SUITS * LAST_RUNS, LAST_RUNS + 1  # cells


@inlined
def _touch(run: int, other: int) -> bool:
    """Whether of two runs of a suit, as places, one begins with the place after the other's last."""
    return run + (run & -run) == other & -other or other + (other & -other) == run & -run


@inlined
def _can_open(naturals: int) -> bool:
    """Whether a run with naturals at these places has four places in order with two of them (N4.2)."""
    return naturals & (naturals >> 1 | naturals >> 2 | naturals >> 3) != 0


@compiled
def _all_open(places: Any, runs: int, begun: int, there: int, twice: int) -> bool:
    """Whether the naturals can lie so that every new run is one that can be opened.

    Args:
        places: of each run, the places that the hand fills. runs: how many; the first `begun` lie on the table.
        there, twice: the places for which the hand has a natural, and two.
    """
    once = places[0] | places[1] | places[2]
    shared = places[0] & places[1] | places[0] & places[2] | places[1] & places[2]
    by_all = places[0] & places[1] & places[2]
    sure = there & ~shared | twice & ~by_all
    doubtful, choices = there & once & ~sure, wide(1)
    for _ in range(popcount(doubtful)):
        choices *= LAST_RUNS
    for choice in range(choices):
        digits, left, able = wide(choice), doubtful, True
        one, two, three = sure, sure, sure
        while left:
            place, run = left & -left, digits % LAST_RUNS
            left &= left - 1
            digits //= LAST_RUNS
            # One natural for several runs goes to the run chosen, two for three to all but that one.
            both = place & twice != 0
            one |= place if both == (run != 0) else wide(0)
            two |= place if both == (run != 1) else wide(0)
            three |= place if both == (run != 2) else wide(0)
        able = begun > 0 or _can_open(one & places[0])
        able = able and (begun > 1 or runs < 2 or _can_open(two & places[1]))
        if able and (begun > 2 or runs < 3 or _can_open(three & places[2])):
            return True
    return False


@compiled
def _jokers_of_suit(laid: Any, begun: int, runs: int, ranks: int, ranks_two: int, jokers: int) -> int:
    """With how many Jokers all naturals of a suit fit into its runs: bit k for k Jokers, at most so many as given.

    Args:
        laid: the places of the runs of the suit that lie on the table; `begun`: how many they are.
        runs: how many there will be, at most three. ranks, ranks_two: held, and held twice.
    """
    size, found = popcount(ranks) + popcount(ranks_two), wide(0)
    if runs == 0:
        return wide(size == 0)
    if size < 2 * (runs - begun) or size + jokers < RUN_SIZE * (runs - begun):
        return wide(0)
    places, aces = scratch(LAST_RUNS), (ranks & 1) + (ranks_two & 1)
    for high in range(aces + 1):  # of the Aces, so many lie high
        low = aces - high
        there = ranks & ~1 | wide(low > 0) | wide(high > 0) << NUM_RANKS
        twice = ranks_two & ~1 | wide(low > 1) | wide(high > 1) << NUM_RANKS
        for i in range(NUM_INTERVALS):
            base, first = laid[0] if begun > 0 else wide(0), INTERVALS[i]
            places[0] = first & ~base
            count = popcount(places[0])
            if base & ~first or count > size + jokers:
                continue
            for j in range(i if begun == 0 else 0, NUM_INTERVALS if runs > 1 else i + 1 if begun == 0 else 1):
                base, second = laid[1] if begun > 1 else wide(0), INTERVALS[j] if runs > 1 else wide(0)
                places[1] = second & ~base
                count_two = count + popcount(places[1])
                if base & ~second or count_two > size + jokers or (runs > 1 and _touch(first, second)):
                    continue
                either, both = places[0] | places[1], places[0] & places[1]
                if twice & ~either or (runs < 3 and (there & ~either or twice & ~both)):
                    continue
                needed = there & ~either | twice & ~both
                for k in range(j if runs > 2 and begun < 2 else 0, NUM_INTERVALS if runs > 2 else 1):
                    base, third = laid[2] if begun > 2 else wide(0), INTERVALS[k] if runs > 2 else wide(0)
                    places[2] = third & ~base
                    used = count_two + popcount(places[2]) - size
                    if needed & ~places[2] or base & ~third or used > jokers or found >> used & 1:
                        continue
                    if runs > 2 and (_touch(first, third) or _touch(second, third)):
                        continue
                    if _all_open(places, runs, begun, there, twice):
                        found |= wide(1) << used
    return found


@compiled
def can_finish(laid: Any, one: int, two: int, jokers: int) -> bool:
    """Whether every card of the hand goes into three runs, no two of them continuous at the end (N7.2).

    Suits share nothing but Jokers. So each suit tells, for each number of runs in it, with how many Jokers that can be
    done; what is asked is whether these numbers can add up to three runs and to the Jokers of the hand.

    Args:
        laid: the three runs as melds; 0 for one that is still to be opened, and those come last.
        one, two, jokers: the hand.
    """
    if popcount(one) + popcount(two) + jokers > LAST_RUNS * NUM_PLACES:
        return False
    new, by_suit, counts = wide(0), scratch(_OF_SUITS), scratch(NUM_SUITS)
    for suit in range(NUM_SUITS):
        counts[suit] = 0
    for i in range(LAST_RUNS):
        run = wide(laid[i])
        if is_run(run):
            by_suit[suit_of(run) * LAST_RUNS + counts[suit_of(run)]] = occupied(run)
            counts[suit_of(run)] += 1
        else:
            new += 1
    waiting = wide(0)  # suits that need a run of their own
    for suit in range(NUM_SUITS):
        waiting += one >> NUM_RANKS * suit & ONE_SUIT != 0 and counts[suit] == 0
    spare = new - waiting
    if spare < 0:
        return False
    reached = scratch(_RUNS_OPENED)  # by the runs opened so far: with how many Jokers, as bits
    for opened in range(new + 1):
        reached[opened] = wide(opened == 0)
    for suit in range(NUM_SUITS):
        ranks, ranks_two = one >> NUM_RANKS * suit & ONE_SUIT, two >> NUM_RANKS * suit & ONE_SUIT
        runs = by_suit[suit * LAST_RUNS : suit * LAST_RUNS + LAST_RUNS]
        ways = scratch(_RUNS_OPENED)
        least = wide(ranks != 0 and counts[suit] == 0)
        for own in range(new + 1):
            tried = least <= own <= least + spare
            total = counts[suit] + own
            ways[own] = _jokers_of_suit(runs, counts[suit], total, ranks, ranks_two, jokers) if tried else wide(0)
        for opened in range(new, -1, -1):
            total = wide(0)
            for own in range(opened + 1):
                for used in range(jokers + 1):
                    if ways[own] >> used & 1:
                        total |= reached[opened - own] << used
            reached[opened] = total
    return reached[new] >> jokers & 1 != 0
