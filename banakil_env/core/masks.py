"""Counts and selects the legal actions of a mask, 32 actions at a time.

A mask is a contiguous row of bytes, one per action, 1 if legal, else 0. It must have at least 32 actions, as in every
game of the family.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled, inlined

CELLS_AT_ONCE = 32


@inlined
def _cells_from(mask: Any, first: int) -> int:
    """The next 32 cells from `first` on as a set of bits, or fewer at the end of the mask."""
    last = mask.shape[0] - CELLS_AT_ONCE
    return (
        read_bits(mask, first, CELLS_AT_ONCE)
        if first <= last
        else (read_bits(mask, last, CELLS_AT_ONCE) >> (first - last))
    )


@compiled
def count_legal(mask: Any) -> int:
    """The number of legal actions in a mask."""
    count = 0
    for first in range(0, mask.shape[0], CELLS_AT_ONCE):
        count += popcount(_cells_from(mask, first))
    return count


@compiled
def legal_at(mask: Any, place: int) -> int:
    """The legal action at this place in ascending order, counted from 0; -1 if there are fewer."""
    for first in range(0, mask.shape[0], CELLS_AT_ONCE):
        cells = _cells_from(mask, first)
        count = popcount(cells)
        if place < count:
            for _ in range(place):
                cells &= cells - 1
            return first + lowest(cells)
        place -= count
    return -1
