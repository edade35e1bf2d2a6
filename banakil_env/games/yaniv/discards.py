"""The cards that can be laid in one turn (Y3), and those that can follow. A row has the laid faces in order.

A row that is not yet a discard can be the beginning of one. `followers` looks ahead over all cards in the hand, so that
only cards that can become a discard are laid.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import only_if
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.pack52 import ACES, KINGS, NUM_RANKS, below
from banakil_env.kit.pack54 import JOKER, JOKER_BIT, NATURALS

NO_RUN, ONLY_JOKERS = -1, -2


@inlined
def _from_rank(rank: int) -> int:
    """Return all natural cards of this rank and the higher ranks, as a mask."""
    return ((1 << NUM_RANKS) - (1 << rank)) * ACES


@compiled
def rank_of_all(row: Any, size: int) -> int:
    """Return the common rank of the first `size` cards; -1: several ranks, or a Joker."""
    rank = row[0] % NUM_RANKS
    for i in range(size):
        if row[i] == JOKER or row[i] % NUM_RANKS != rank:
            return -1
    return rank


@compiled
def low_end(row: Any, size: int) -> int:
    """Return the face at the low end if these cards are a rising sequence of one suit. A Joker represents any card.

    ONLY_JOKERS: there is no other card. NO_RUN: the cards are not a run, or a Joker would be below an Ace or above a
    King.
    """
    low = ONLY_JOKERS
    for i in range(size):
        face = row[i]
        if face != JOKER:
            if face % NUM_RANKS < i or (low != ONLY_JOKERS and low != face - i):
                return NO_RUN
            low = face - i
    return NO_RUN if low >= 0 and low % NUM_RANKS + size > NUM_RANKS else low


@compiled
def _between_in_order(row: Any, size: int) -> bool:
    """Return whether the cards from the second on are in ascending order (Y3.5)."""
    for i in range(2, size):
        if row[i] < row[i - 1]:
            return False
    return True


@compiled
def is_discard(row: Any, size: int) -> bool:
    """Return whether the first `size` cards of the row, at least one, are a legal discard in this order."""
    if size == 1:
        return True
    if rank_of_all(row, size) >= 0:
        return row[0] <= row[size - 1] and _between_in_order(row, size - 1)
    return size >= 3 and low_end(row, size) >= 0


@compiled
def followers(row: Any, size: int, hand: Any) -> int:
    """Return the faces of the hand that can be laid next, as a mask: with them the row is a discard, or begins one."""
    return _following_in_set(row, size, hand[0]) | _following_in_run(row, size, hand)


@compiled
def _following_in_set(row: Any, size: int, held: int) -> int:
    rank = rank_of_all(row, size)
    if rank < 0 or not _between_in_order(row, size):
        return 0
    # A card not below the first can be the last card. Any other card has to be between, and needs such a card after it.
    held &= ACES << rank
    last = held & -(1 << row[0])
    between = held & -(1 << row[size - 1]) if size > 1 else held
    return last | only_if(last != 0, between)


@compiled
def _following_in_run(row: Any, size: int, hand: Any) -> int:
    low = low_end(row, size)
    if low == NO_RUN:
        return 0
    held, joker = hand[0] & NATURALS, hand[0] & JOKER_BIT
    if low == ONLY_JOKERS:
        fits = held & _from_rank(size)
        longer = only_if(joker != 0 and held & _from_rank(size + 1) != 0, JOKER_BIT)
        if size > 1:
            return fits | longer
        # JK and a card are not a run yet: a third one must follow.
        return longer | (fits & ~KINGS if joker else fits & below(held))
    room = NUM_RANKS - low % NUM_RANKS
    if room <= size:
        return 0
    next_card = held & 1 << low + size
    if size > 1:
        return next_card | joker
    if room < 3:
        return 0
    third = held & 1 << low + 2
    second_joker = hand[1] & JOKER_BIT
    return only_if(third | joker != 0, next_card) | only_if(third | second_joker != 0, joker)
