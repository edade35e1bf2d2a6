"""Simple players of 500 Rummy, to measure `greedy` against.

They play the first card or meld that can be played, and shed the card that is worth most; they differ in the draw.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.rummy500.state import ADD, DISCARD, DRAW, MAX_TAKE, TAKE, VALUES, YES
from banakil_env.kit.melds.wild_melds import NUM_TAKEN
from banakil_env.kit.pack54 import NUM_FACES


@compiled
def _play(seen: Any, mask: Any) -> int:
    """Lay a card off, else open the first meld, else discard the card that is worth most."""
    adds = read_bits(mask, ADD, NUM_TAKEN)
    if adds:
        return ADD + lowest(adds)
    discards = read_bits(mask, DISCARD, NUM_FACES)
    first = legal_at(mask, 0)
    if not discards or first < ADD:
        return first
    best = lowest(discards)
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        best = face if VALUES[face] > VALUES[best] else best
    return DISCARD + best


@compiled
def from_stock(seen: Any, mask: Any, generator: Any) -> int:
    """Never takes of the pile where it can draw, and lets every rummy lie."""
    return DRAW if mask[DRAW] else YES + 1 if mask[YES] else _play(seen, mask)


@compiled
def top(seen: Any, mask: Any, generator: Any) -> int:
    """Takes as few cards of the pile as it may, calls for every rummy."""
    return YES if mask[YES] else legal_at(mask, 1) if mask[DRAW] and _depths(mask) else _play(seen, mask)


@compiled
def whole(seen: Any, mask: Any, generator: Any) -> int:
    """Takes as many cards of the pile as it may, calls for every rummy."""
    depths = _depths(mask)
    return YES if mask[YES] else TAKE + depths - 1 if depths else _play(seen, mask)


@compiled
def _depths(mask: Any) -> int:
    """How many cards of the pile may be taken at the most; 0: none."""
    for depth in range(MAX_TAKE, 0, -1):
        if mask[TAKE + depth - 1]:
            return depth
    return 0


SIMPLE = {"from_stock": from_stock, "top": top, "whole": whole}
