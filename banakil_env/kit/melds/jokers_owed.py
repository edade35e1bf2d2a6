"""Decides exactly whether Jokers that must go into new melds can do so in this turn, for games that exchange Jokers.

Such Jokers are called owed. A set uses one Joker with two natural cards. A run of four uses one Joker with three
natural cards, or two with two, which can be adjacent. With `fewest` 1, a set also uses two Jokers with one natural
card, and a run three.
"""

from __future__ import annotations

import numpy as np

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.joker_melds import RUN_SIZE, first_left, numbers_by_rank, windows_with
from banakil_env.kit.melds.places import NUM_PLACES, in_places
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS

# For each step 0..3: the places of a suit that have another place `step` places above.
_LOWER = [sum(((1 << NUM_PLACES - step) - 1) << NUM_PLACES * suit for suit in range(NUM_SUITS)) for step in range(4)]
LOWER = np.array(_LOWER, np.int64)

MAX_JOKERS = 4


@inlined
def _face_at(place: int) -> int:
    """The face at a bit of a place mask."""
    return place // NUM_PLACES * NUM_RANKS + place % NUM_PLACES % NUM_RANKS


@compiled
def _pairs(one: int, two: int) -> int:
    """The number of sets of two natural cards and a Joker that can be opened, given enough Jokers."""
    _, twos, fours, eights = numbers_by_rank(one, two)
    return popcount(twos) + 2 * popcount(fours) + 4 * popcount(eights)


@compiled
def _has_close(one: int) -> bool:
    """Whether two natural cards and two Jokers can open a run."""
    places = in_places(one)
    return places & (places >> 1 & LOWER[1] | places >> 2 & LOWER[2] | places >> 3 & LOWER[3]) != 0


@compiled
def _has_three(one: int) -> bool:
    """Whether three natural cards and a Joker can open a run."""
    places, found = in_places(one), 0
    for pattern in range(1, 5):
        found |= windows_with(places, pattern)
    return found != 0


@compiled
def _can_use(one: int, two: int, jokers: int, need: int, fewest: int) -> bool:
    """Whether openings with the natural cards of a hand can use at least `need` of its Jokers.

    One Joker goes into a set with two natural cards, or into a run with three. Two Jokers go into a run with two
    natural cards. If two are needed, such a run never uses more natural cards than a run with one Joker, so it is
    enough to try it and sets. With `fewest` 1, one natural card uses two or three Jokers, and two natural cards use
    four.
    """
    if need <= 0 or _pairs(one, two) >= need:
        return True
    if fewest == 1 and jokers >= 2 and popcount(one) + popcount(two) >= (2 if need == MAX_JOKERS else 1):
        return True
    if need == 1:
        return _has_three(one) or (jokers >= 2 and _has_close(one))
    places = in_places(one)
    for step in range(1, RUN_SIZE):
        lower = places & places >> step & LOWER[step]
        if lower and need == 2:
            return True
        while lower:
            place = lowest(lower)
            lower &= lower - 1
            cards = 1 << _face_at(place) | 1 << _face_at(place + step)
            left, left_two = first_left(one, two, cards, 0), two & ~cards
            if _pairs(left, left_two) >= need - 2:
                return True
            if (need == 4 or jokers == 4) and _has_close(left):
                return True
            if need == 3 and _has_three(left):
                return True
    return False


@compiled
def can_use_owed(one: int, two: int, jokers: int, owed: int, swaps: int, swaps_two: int, fewest: int = 2) -> bool:
    """Whether the owed Jokers can open new melds in this turn, with the help of further exchanges.

    Every exchange costs a natural card and brings one more owed Joker. Adding cards never helps, and neither does an
    exchange for a Joker that was opened in this turn: opening the meld with the natural card at once is at least as
    good.

    Args:
        one: the natural cards held, as a mask.
        two: the natural cards held twice, as a mask.
        jokers: the number of Jokers held.
        owed: the number of these that are owed.
        swaps: the faces that Jokers in runs represent, as a mask.
        swaps_two: the faces that two Jokers in runs represent, as a mask.
        fewest: the natural cards that an opening needs.
    """
    if owed <= 0 or _can_use(one, two, jokers, owed, fewest):
        return True
    faces, count = scratch(MAX_JOKERS), 0
    for cards in (swaps & one, swaps_two & two):
        while cards and count < MAX_JOKERS:
            faces[count] = lowest(cards)
            cards &= cards - 1
            count += 1
    for choice in range(1, 1 << count):
        left, left_two, taken = one, two, popcount(choice)
        for i in range(count):
            if choice >> i & 1:
                card = 1 << faces[i]
                left, left_two = first_left(left, left_two, card, 0), left_two & ~card
        if _can_use(left, left_two, jokers + taken, owed + taken, fewest):
            return True
    return False
