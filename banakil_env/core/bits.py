"""Operations on sets of cards and on records, in a few machine instructions: count, iterate, expand, clear.

Sets are nonnegative `int64` masks. The functions here are plain Python, for the interpreter; `jit/meanings/bits.py` has
the one or few machine instructions that compiled code makes of each.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def popcount(mask: int) -> int:
    """The number of bits that are set."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """The index of the lowest set bit; `mask` must not be 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask: int) -> int:
    """The index of the highest set bit; `mask` must not be 0."""
    return int(mask).bit_length() - 1


def bits_of(mask: Any) -> list[int]:
    """The indices of the set bits, ascending; for Python only, compiled code does not use it."""
    left, found = int(mask), []
    while left:
        bit = left & -left
        found.append(bit.bit_length() - 1)
        left ^= bit
    return found


def clear_record(record: Any) -> None:
    """Set every byte of a record to zero, in one sweep over its memory."""
    np.asarray(record).reshape(1).view(np.uint8)[:] = 0


def clear_cells(cells: Any) -> None:
    """Set every byte of a contiguous array of bytes to zero, in one sweep over its memory."""
    cells[:] = 0


def fetch_ahead(memory: Any) -> None:
    """Request the memory of a record or a row of bytes that is soon to be written, while other work goes on.

    There is no visible effect.
    """


def only_if(condition: bool, mask: int) -> int:
    """The mask if the condition holds, else 0; without a branch, which the processor might mispredict."""
    return mask if condition else 0


def write_bits(cells: Any, first: int, mask: int, count: int) -> None:
    """Write the lowest `count` bits of a mask into `cells` from the index `first` on, 0 or 1 each.

    `cells` is a contiguous row of bytes, `count` a constant of 1..64. There is no loop over the bits: its length would
    depend on the cards, and the processor would mispredict its end.
    """
    for i in range(count):
        cells[first + i] = mask >> i & 1


def write_counts(cells: Any, first: int, one: int, two: int, count: int) -> None:
    """Like `write_bits`, but write the sum of two masks: 0, 1 or 2 each."""
    for i in range(count):
        cells[first + i] = (one >> i & 1) + (two >> i & 1)


def read_bits(cells: Any, first: int, count: int) -> int:
    """A mask of the bytes that are not 0, among `count` bytes (a constant of 1..63) from the index `first` on."""
    return sum((cells[first + i] != 0) << i for i in range(count))
