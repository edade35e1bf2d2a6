"""Simple players of Yaniv, to measure `greedy` against.

They lay the cards of one rank that are worth most, and differ in when they call and what they draw.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.jit import compiled
from banakil_env.games.yaniv.state import ALSO, CALL, DISCARD, DRAW_STOCK, TAKE_FIRST, TAKE_LAST
from banakil_env.kit.pack52 import ACES, NUM_RANKS
from banakil_env.kit.pack54 import NATURALS, NUM_FACES, VALUES

LOW = 3  # an end of at most this number of points is taken


@compiled
def _lay(seen: Any, mask: Any) -> int:
    """The first card of the most points of one rank, or a further one; -1: all are laid."""
    if seen.laid_size:
        same = read_bits(mask, ALSO, NUM_FACES) & ACES << (seen.laid[0] - 1) % NUM_RANKS & NATURALS
        return ALSO + lowest(same) if same else (-1)
    best, most = -1, -1
    for face in range(NUM_FACES):
        if seen.hand[face]:
            worth = 0
            for other in range(face % NUM_RANKS, NUM_FACES - 1, NUM_RANKS):
                worth += seen.hand[other] * VALUES[face]
            if worth > most:
                best, most = face, worth
    return DISCARD + best


@compiled
def _take_low(seen: Any, mask: Any) -> int:
    for face in range(NUM_FACES):
        if seen.ends[face] and VALUES[face] <= LOW:
            return TAKE_LAST if seen.ends[face] == 2 else TAKE_FIRST
    return DRAW_STOCK


@compiled
def at_once(seen: Any, mask: Any, generator: Any) -> int:
    """Calls as soon as it may; takes low ends."""
    if mask[CALL]:
        return CALL
    card = _lay(seen, mask) if not mask[DRAW_STOCK] or seen.laid_size else (-1)
    return card if card >= 0 else _take_low(seen, mask)


@compiled
def never(seen: Any, mask: Any, generator: Any) -> int:
    """Never calls; takes low ends."""
    card = _lay(seen, mask) if not mask[DRAW_STOCK] or seen.laid_size else (-1)
    return card if card >= 0 else _take_low(seen, mask)


@compiled
def from_stock(seen: Any, mask: Any, generator: Any) -> int:
    """Calls as soon as it may; always draws from the stock."""
    if mask[CALL]:
        return CALL
    card = _lay(seen, mask) if not mask[DRAW_STOCK] or seen.laid_size else (-1)
    return card if card >= 0 else DRAW_STOCK


SIMPLE = {"at_once": at_once, "never": never, "from_stock": from_stock}
