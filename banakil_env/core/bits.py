"""Operations on sets of cards and on records that take a few machine instructions: count, iterate, expand, clear.

A set is a nonnegative `int64` mask. The functions here are plain Python for the interpreter; `jit/meanings/bits.py`
defines the machine instructions that compiled code uses instead.
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
    """The indices of the set bits, ascending. For Python only; compiled code cannot call it."""
    left, found = int(mask), []
    while left:
        bit = left & -left
        found.append(bit.bit_length() - 1)
        left ^= bit
    return found


def clear_record(record: Any) -> None:
    """Set every byte of a record to zero, in one operation on its memory."""
    np.asarray(record).reshape(1).view(np.uint8)[:] = 0


def clear_cells(cells: Any) -> None:
    """Set every byte of a contiguous uint8 array to zero, in one operation on its memory."""
    cells[:] = 0


def fetch_ahead(memory: Any) -> None:
    """Request the memory of a record or of a row of bytes before it is used, while other work goes on.

    It only saves time: no value changes.
    """


def only_if(condition: bool, mask: int) -> int:
    """The mask if the condition holds, else 0, computed without a branch that the processor could mispredict."""
    return mask if condition else 0


def write_bits(cells: Any, first: int, mask: int, count: int) -> None:
    """Write the lowest `count` bits of a mask, 0 or 1 each, into `cells` from the index `first` on.

    `cells` is a contiguous row of bytes; `count` is a constant from 1 to 64. Compiled code does not loop over the set
    bits: their number depends on the cards, and the processor would mispredict the end of the loop.
    """
    for i in range(count):
        cells[first + i] = mask >> i & 1


def write_counts(cells: Any, first: int, one: int, two: int, count: int) -> None:
    """Like `write_bits`, but write the sum of the bits of two masks: 0, 1 or 2 each."""
    for i in range(count):
        cells[first + i] = (one >> i & 1) + (two >> i & 1)


def read_bits(cells: Any, first: int, count: int) -> int:
    """A mask of the nonzero bytes among `count` bytes (a constant from 1 to 63) from the index `first` on."""
    return sum((cells[first + i] != 0) << i for i in range(count))
