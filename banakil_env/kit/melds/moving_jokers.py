"""Runs that grow at one end, whose Jokers move there: what sets and such runs take, and what room they have for Jokers.

A run grows at its high end; once the Ace lies there, at its low end. Jokers never lie side by side in it. A natural
takes the place of the Joker that stands for it, and the Joker goes to the end. `place` is the place of an action among
those that add and swap (`kit/contracts/table.py`).
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
    """Whether two Jokers of a run are neighbours."""
    return W.is_run(meld) and W.jokers_at(meld) & W.jokers_at(meld) >> 1 != 0


@inlined
def end_of(run: int) -> int:
    """The place at which a run grows, as a bit: above the run, or below it once it ends with a high Ace; 0: it has
    fourteen cards.
    """
    there = W.occupied(run)
    above = there << 1 & ~there & W.ONE_RUN
    return above if above else there >> 1 & ~there


@compiled
def naturals_taken(meld: int) -> int:
    """The naturals, as a mask of faces, that can be added to a meld."""
    return W.faces_at(meld, end_of(meld)) if W.is_run(meld) else W.naturals_taken(meld)


@compiled
def joker_end(meld: int) -> int:
    """The end at which a Joker can be added: LOW, HIGH, or 0 for none; HIGH for a set."""
    if not W.is_run(meld):
        return W.HIGH
    end, jokers = end_of(meld), W.jokers_at(meld)
    if end & ~(jokers << 1 | jokers >> 1) == 0:
        return 0
    return W.HIGH if end > W.occupied(meld) else W.LOW


@compiled
def exchanged(meld: int) -> int:
    """The faces that can replace a Joker of a run. The Joker moves to an end of the run at which there is no Joker."""
    if not W.is_run(meld) or end_of(meld) == 0:
        return 0
    end, jokers = end_of(meld), W.jokers_at(meld)
    last = (end << 1 | end >> 1) & jokers
    return W.faces_at(meld, last if last else jokers)


@compiled
def fits(meld: int, place: int) -> bool:
    """Whether a meld takes the action of this place."""
    if place < JOKER:
        return naturals_taken(meld) >> place & 1 != 0
    if place < K.SWAP:
        return joker_end(meld) == (W.LOW if place == K.ADD_LOW else W.HIGH)
    return exchanged(meld) >> (place - K.SWAP) & 1 != 0


@compiled
def with_place(meld: int, place: int) -> int:
    """The meld after the action of this place; the meld must take it."""
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
    """The number of Jokers that can be added to a meld, one after the other; for a set, all Jokers of the pack."""
    if not W.is_run(meld):
        return MAX_JOKERS
    count = 0
    while joker_end(meld):
        meld |= end_of(meld) << W.NUM_PLACES
        count += 1
    return count


@compiled
def room_on(state: Any) -> int:
    """The number of Jokers that can be added to the melds on the table."""
    count = 0
    for slot in range(state.num_melds):
        count += room_in(state.melds[slot])
    return count


@compiled
def can_end(naturals: int, jokers: int, room: int) -> bool:
    """Whether a turn can be ended with these numbers of naturals and Jokers in hand and this room for Jokers."""
    return naturals > 0 or jokers <= room
