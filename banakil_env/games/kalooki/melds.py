"""What does a meld take? Fours grow at one end, and their Jokers move (K4.2, K6.2, K6.3).

`place` is the place of an action among those that add and swap: a natural, a Joker low, a Joker high, then the naturals
exchanged.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.kalooki.state import NUM_JOKERS
from banakil_env.kit import contract_table as K
from banakil_env.kit import wild_melds as W
from banakil_env.kit.pack54 import JOKER


@inlined
def has_neighbours(meld: int) -> bool:
    """Whether two Jokers of a four lie side by side (K4.2)."""
    return W.is_run(meld) and W.jokers_at(meld) & W.jokers_at(meld) >> 1 != 0


@inlined
def end_of(four: int) -> int:
    """The place at which a four grows, as a bit: above it, or below it once the Ace lies high; 0: it has fourteen."""
    there = W.occupied(four)
    above = there << 1 & ~there & W.ONE_RUN
    return above if above else there >> 1 & ~there


@compiled
def naturals_taken(meld: int) -> int:
    """The naturals, as a mask of faces, that may be added to a meld."""
    return W.faces_at(meld, end_of(meld)) if W.is_run(meld) else W.naturals_taken(meld)


@compiled
def joker_end(meld: int) -> int:
    """Where a Joker may be added: LOW, HIGH, or 0 for nowhere; to a three it is HIGH."""
    if not W.is_run(meld):
        return wide(W.HIGH)
    end, jokers = end_of(meld), W.jokers_at(meld)
    if end & ~(jokers << 1 | jokers >> 1) == 0:
        return wide(0)
    return wide(W.HIGH) if end > W.occupied(meld) else wide(W.LOW)


@compiled
def exchanged(meld: int) -> int:
    """The faces of a four for which a Joker makes room: it goes to the end, and no other Joker lies there."""
    if not W.is_run(meld) or end_of(meld) == 0:
        return wide(0)
    end, jokers = end_of(meld), W.jokers_at(meld)
    last = (end << 1 | end >> 1) & jokers
    return W.faces_at(meld, last if last else jokers)


@inlined
def face_of(place: int) -> int:
    """The card that a place takes from the hand."""
    return place if place < JOKER else wide(JOKER) if place < K.SWAP else place - K.SWAP


@compiled
def fits(meld: int, place: int) -> bool:
    """Whether a meld takes what a place says."""
    if place < JOKER:
        return naturals_taken(meld) >> place & 1 != 0
    if place < K.SWAP:
        return joker_end(meld) == (W.LOW if place == K.ADD_LOW else W.HIGH)
    return exchanged(meld) >> (place - K.SWAP) & 1 != 0


@compiled
def with_place(meld: int, place: int) -> int:
    """A meld that takes it, when it has taken what a place says."""
    if not W.is_run(meld):
        return W.with_natural(meld, place) if place < JOKER else W.with_joker(meld, wide(W.HIGH))
    end = end_of(meld)
    if place < JOKER:
        return meld | end
    if place >= K.SWAP:
        meld = W.with_exchange(meld, place - K.SWAP)
    return meld | end << W.NUM_PLACES


@compiled
def room_in(meld: int) -> int:
    """How many Jokers can be added to a meld, one after the other; to a three all there are."""
    if not W.is_run(meld):
        return wide(NUM_JOKERS)
    count = wide(0)
    while joker_end(meld):
        meld |= end_of(meld) << W.NUM_PLACES
        count += 1
    return count


@compiled
def room_on(state: Any) -> int:
    """How many Jokers can be added to the melds on the table."""
    count = wide(0)
    for slot in range(wide(state.num_melds)):
        count += room_in(wide(state.melds[slot]))
    return count
