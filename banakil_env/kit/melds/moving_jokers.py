"""Runs that grow at one end only and whose Jokers move to this end: the cards and Jokers that melds accept.

A run grows at its high end; after a high Ace, it grows at its low end. Two Jokers are never adjacent in it. A natural
card replaces the Joker that represents it, and the Joker moves to the end. `place` is the place of an action among the
actions that add and swap (`kit/contracts/table.py`).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.pack54 import JOKER, LAYERS

MAX_JOKERS = LAYERS


@inlined
def has_neighbors(meld: int) -> bool:
    """Whether two Jokers of a run are adjacent."""
    return W.is_run(meld) and W.jokers_at(meld) & W.jokers_at(meld) >> 1 != 0


@inlined
def end_of(run: int) -> int:
    """The place at which a run grows, as a bit: above the run, or below it after a high Ace; 0 for a full run."""
    there = W.occupied(run)
    above = there << 1 & ~there & W.ONE_RUN
    return above if above else there >> 1 & ~there


@compiled
def naturals_taken(meld: int) -> int:
    """The natural cards that can be added to a meld, as a mask of faces."""
    return W.faces_at(meld, end_of(meld)) if W.is_run(meld) else W.naturals_taken(meld)


@compiled
def joker_end(meld: int) -> int:
    """The end at which a Joker can be added: LOW or HIGH, or 0 if there is none; HIGH for a set."""
    if not W.is_run(meld):
        return W.HIGH
    end, jokers = end_of(meld), W.jokers_at(meld)
    if end & ~(jokers << 1 | jokers >> 1) == 0:
        return 0
    return W.HIGH if end > W.occupied(meld) else W.LOW


@compiled
def exchanged(meld: int) -> int:
    """The faces that can replace a Joker of a run, as a mask. The Joker must be able to move to the run's end."""
    if not W.is_run(meld) or end_of(meld) == 0:
        return 0
    end, jokers = end_of(meld), W.jokers_at(meld)
    last = (end << 1 | end >> 1) & jokers
    return W.faces_at(meld, last if last else jokers)


@compiled
def fits(meld: int, place: int) -> bool:
    """Whether an addition or exchange, given by its place among these actions, is possible with a meld."""
    if place < JOKER:
        return naturals_taken(meld) >> place & 1 != 0
    if place < K.SWAP:
        return joker_end(meld) == (W.LOW if place == K.ADD_LOW else W.HIGH)
    return exchanged(meld) >> (place - K.SWAP) & 1 != 0


@compiled
def with_place(meld: int, place: int) -> int:
    """The meld after an addition or exchange, given by its place among these actions; it must be possible."""
    if not W.is_run(meld):
        return W.with_natural(meld, place) if place < JOKER else W.with_joker(meld, W.HIGH)
    end = end_of(meld)
    if place < JOKER:
        return meld | end
    if place >= K.SWAP:
        meld = W.with_exchange(meld, place - K.SWAP)
    return meld | end << W.NUM_PLACES


@compiled
def room_in(meld: int) -> int:
    """The number of Jokers that can be added to a meld, one after the other; MAX_JOKERS for a set."""
    if not W.is_run(meld):
        return MAX_JOKERS
    count = 0
    while joker_end(meld):
        meld |= end_of(meld) << W.NUM_PLACES
        count += 1
    return count


@compiled
def room_on(state: Any) -> int:
    """The number of Jokers that can be added to all melds on the table."""
    count = 0
    for slot in range(state.num_melds):
        count += room_in(state.melds[slot])
    return count


@compiled
def can_end(naturals: int, jokers: int, room: int) -> bool:
    """Whether a turn can be ended with these cards in hand, if the melds on the table accept `room` Jokers."""
    return naturals > 0 or jokers <= room
