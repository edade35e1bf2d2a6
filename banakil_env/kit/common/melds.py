"""Writes melds into the arrays of the common layout; a game's `Looks.write_own` calls these functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import highest, lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.channels import CARD, ONE
from banakil_env.kit.common.faces import NUM_RANKS, NUM_SUITS

NUM_PLACES = NUM_RANKS + 1  # places in a run: A 2 .. K A
_RANK, _SIZE = np.float32(1 / NUM_RANKS), np.float32(1 / NUM_PLACES)


@compiled
def write_nothing(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write nothing: implements `Looks.write_own` for a game without melds."""


@inlined
def whose(owner: int, partners: bool) -> int:
    """The owner of a meld as MINE, PARTNERS or OTHERS.

    Args:
        owner: the relative seat of the owner.
        partners: whether the opposite seat is the partner.
    """
    return C.MINE if owner == 0 else C.PARTNERS if partners and owner == 2 else C.OTHERS


@inlined
def lay(left: Any, cards: Any, face: int, owned: int, count: int) -> None:
    """Write `count` cards of a face that are in a meld, and subtract them from `left`.

    `owned` is MINE, PARTNERS or OTHERS.
    """
    cards[face, C.MELD + owned] += np.float32(count) * CARD
    left[face] -= count


@inlined
def _fitting(cards: Any, face: int, for_me: bool, for_others: bool) -> None:
    if for_me:
        cards[face, C.TAKES] = ONE
    if for_others:
        cards[face, C.WOULD_BE_TAKEN] = ONE


@compiled
def lay_run(
    left: Any, cards: Any, row: Any, owned: int, suit: int, places: int, wilds: int, for_me: bool, for_others: bool
) -> None:
    """Write a run.

    Args:
        row: the row of the meld in the array `melds`.
        owned: MINE, PARTNERS or OTHERS.
        suit: the suit of the run.
        places: the places of its cards in A 2 .. K A, as a mask.
        wilds: the places with a wild card, as a mask; the caller writes the wild cards themselves.
        for_me: whether cards that fit its ends are marked as TAKES.
        for_others: whether cards that fit its ends are marked as WOULD_BE_TAKEN.
    """
    first = NUM_RANKS * suit
    left_over = places
    while left_over:
        place = lowest(left_over)
        left_over &= left_over - 1
        face = first + place % NUM_RANKS
        if wilds >> place & 1:
            cards[face, C.WILD_IN + owned] += CARD
        else:
            lay(left, cards, face, owned, 1)
            cards[face, C.IN_RUN] += CARD
    low, high = lowest(places), highest(places)
    if low > 0:
        _fitting(cards, first + low - 1, for_me, for_others)
    if high < NUM_PLACES - 1:
        _fitting(cards, first + (high + 1) % NUM_RANKS, for_me, for_others)
    row[owned] = ONE
    row[C.RUN_AT] = ONE
    row[C.SUIT_AT + suit] = ONE
    row[C.LOW_AT] = np.float32(low % NUM_RANKS) * _RANK
    row[C.SIZE_AT] = np.float32(popcount(places)) * _SIZE
    row[C.WILDS_AT] = np.float32(popcount(wilds)) * CARD


@compiled
def lay_set(
    left: Any,
    cards: Any,
    row: Any,
    owned: int,
    rank: int,
    one: int,
    two: int,
    wilds: int,
    free: bool,
    for_me: bool,
    for_others: bool,
) -> None:
    """Write a set.

    Args:
        row, owned, for_me, for_others: see `lay_run`.
        rank: the rank of the set.
        one: the suits of its natural cards, as a mask.
        two: the suits that it has twice, as a mask.
        wilds: the number of wild cards; the caller writes the wild cards themselves.
        free: whether the set can have a suit twice.
    """
    for suit in range(NUM_SUITS):
        face = NUM_RANKS * suit + rank
        count = (one >> suit & 1) + (two >> suit & 1)
        if count:
            lay(left, cards, face, owned, count)
            cards[face, C.IN_SET] += np.float32(count) * CARD
            row[C.SUIT_AT + suit] = ONE
        if free or count == 0:
            _fitting(cards, face, for_me, for_others)
            if wilds:
                cards[face, C.WILD_IN + owned] += np.float32(wilds) * CARD
    row[owned] = ONE
    row[C.SET_AT] = ONE
    row[C.LOW_AT] = np.float32(rank) * _RANK
    row[C.SIZE_AT] = np.float32(popcount(one) + popcount(two) + wilds) * _SIZE
    row[C.WILDS_AT] = np.float32(wilds) * CARD
