"""Checks the numbers of a record against the declaration of its fields.

The rules that every record follows:

- A number is within the bounds of its field.
- A field is absent in the phases that it names (`Field.absent_in`).
- Cells after those in use (`Field.filled`), and cells of seats that do not play, are absent.
- The number of a seat is the number of a seat that plays.

An absent field or cell holds `Field.nothing`. A game itself checks only what follows from its rules (`engine.check`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.fields import PLAYERS, SEAT, Fields, Number
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.record_type import read_as_int

# The conditions in the first column of `Bounds.placed`: absent in a phase, absent after the cells in use, a seat that
# plays.
IN_PHASE, BEHIND, SEAT_PLAYS = range(3)

PHASE = "phase"


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds as arrays, for compiled code.

    Attributes:
        lowest, span: uint8 (bytes,), for each byte the lowest value and the highest minus the lowest, both modulo 256.
        wide: int64 (n, 5), for each number of several bytes: offset, size in bytes, whether signed, lowest and highest.
        placed: int64 (n, 10), for each condition that depends on another field: the condition; offset, size in bytes,
            whether signed, number of cells and cells per place; the number that means absent; offset and size of the
            other field; and the mask of phases, or the number of the first seat.
    """

    lowest: npt.NDArray[np.uint8]
    span: npt.NDArray[np.uint8]
    wide: npt.NDArray[np.int64]
    placed: npt.NDArray[np.int64]

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The arguments of `first_out_of_bounds` that follow the bytes."""
        return self.lowest, self.span, self.wide, self.placed


def bounds_of(fields: Fields) -> Bounds:
    """The bounds for the records of these fields."""
    low, span = np.zeros(fields.dtype.itemsize, np.uint8), np.full(fields.dtype.itemsize, 255, np.uint8)
    wide: list[tuple[int, ...]] = []
    for number in fields.numbers:
        kind, bounds = number.field.number, (number.field.lowest, number.field.highest)
        if kind.itemsize == 1:
            cells = slice(number.offset, number.offset + number.count)
            low[cells], span[cells] = bounds[0] % 256, bounds[1] - bounds[0]
        elif kind != np.uint64:
            signed = int(kind.kind == "i")
            wide += [(number.offset + kind.itemsize * i, kind.itemsize, signed, *bounds) for i in range(number.count)]
    placed = np.array(list(_placed(fields)), np.int64).reshape(-1, 10)
    return Bounds(read_as_int(low), read_as_int(span), np.array(wide, np.int64).reshape(-1, 5), placed)


def _placed(fields: Fields) -> Iterator[tuple[int, ...]]:
    """The rows of `Bounds.placed`."""
    at = {number.name: (number.offset, number.field.number.itemsize) for number in fields.numbers}
    for number in fields.numbers:
        field, kind, count = number.field, number.field.number, number.count
        cells = (number.offset, kind.itemsize, int(kind.kind == "i"), count)
        filled = field.filled or (PLAYERS if field.by_seat else "")
        if field.absent_in:
            yield (IN_PHASE, *cells, 1, field.nothing, *at[PHASE], field.absent_in)
        if filled in at:
            yield (BEHIND, *cells, count // field.shape[0], field.nothing, *at[filled], 0)
        if field.code == SEAT:
            yield (SEAT_PLAYS, *cells, 1, field.nothing, *at[PLAYERS], field.first)


def out_of_bounds(fields: Fields, record: Any, *, alone: bool = False, bounds: Bounds | None = None) -> str | None:
    """Describe the first number of a record that its field does not allow; None if all numbers are allowed.

    Args:
        fields: the fields of the record.
        record: one record.
        alone: leave out the conditions that depend on another field; for records before the deal.
        bounds: `bounds_of(fields)`, to be computed once if many records are checked; None: they are computed here.
    """
    row, bounds = np.asarray(record).reshape(1), bounds or bounds_of(fields)
    placed = bounds.placed[:0] if alone else bounds.placed
    at = first_out_of_bounds(read_as_int(row.view(np.uint8)), bounds.lowest, bounds.span, bounds.wide, placed)
    if at < 0:
        return None
    number, i = _number_at(fields, int(at))
    field = number.field
    value = int(row.view(np.uint8)[at : at + field.number.itemsize].copy().view(field.number)[0])
    cell = f"[{', '.join(str(n) for n in np.unravel_index(i, field.shape))}]" if field.shape else ""
    said = f"{number.name}{cell} is {value}"
    if not field.lowest <= value <= field.highest:
        return f"{said}, but must be from {field.lowest} to {field.highest}"
    if field.absent_in >> int(row[PHASE][0]) & 1:
        return f"{said}, but must be {field.nothing} in this phase of the game"
    players = int(row[PLAYERS][0])
    if field.code == SEAT and value != field.nothing and value - field.first >= players:
        return f"{said}, but the seats that play are 0 to {players - 1}"
    filled = field.filled or PLAYERS
    return f"{said}, but must be {field.nothing} there, since {filled} is {int(row[filled][0])}"


def _number_at(fields: Fields, offset: int) -> tuple[Number, int]:
    """The field that contains the byte at `offset`, and the index of the number in it."""
    for number in fields.numbers:
        size = number.field.number.itemsize
        if number.offset <= offset < number.offset + size * number.count:
            return number, (offset - number.offset) // size
    raise IndexError(f"the record has {fields.dtype.itemsize} bytes; there is no byte at {offset}")


@inlined
def _two_bytes(cells: Any, at: int) -> Any:
    return cells[at] | cells[at + 1] << 8


@compiled
def _number(cells: Any, at: int, size: int, signed: int) -> int:
    """Read the number of `size` bytes at the offset `at`."""
    if size == 1:
        value = cells[at]
    else:
        value = _two_bytes(cells, at)
        if size >= 4:
            value |= _two_bytes(cells, at + 2) << 16
        if size == 8:
            top = _two_bytes(cells, at + 6)
            return value | _two_bytes(cells, at + 4) << 32 | (top - (top >> 15 << 16)) << 48
    if signed and value >> (8 * size - 1):
        value -= 1 << 8 * size
    return value


@compiled
def first_out_of_bounds(cells: Any, lowest: Any, span: Any, wide: Any, placed: Any) -> Any:
    """The offset in bytes of the first number that its field does not allow; -1 if all numbers are allowed.

    Args:
        cells: the bytes of a record, uint8.
        lowest, span, wide, placed: the bounds, see `Bounds`.
    """
    beyond = 0
    for i in range(cells.shape[0]):  # without a branch, so the compiler uses vector instructions
        beyond |= (cells[i] - lowest[i]) & 255 > span[i]
    if beyond:
        for i in range(cells.shape[0]):
            if (cells[i] - lowest[i]) & 255 > span[i]:
                return i
    for k in range(wide.shape[0]):
        value = _number(cells, wide[k, 0], wide[k, 1], wide[k, 2])
        if value < wide[k, 3] or value > wide[k, 4]:
            return wide[k, 0]
    for k in range(placed.shape[0]):
        at = _first_misplaced(cells, placed[k])
        if at >= 0:
            return at
    return -1


@compiled
def _first_misplaced(cells: Any, row: Any) -> int:
    """The offset of the first number that a row of `Bounds.placed` forbids; -1 if it forbids none."""
    kind, size, nothing = row[0], row[2], row[6]
    other, first = _number(cells, row[7], row[8], 0), 0
    if kind == IN_PHASE and row[9] >> other & 1 == 0:
        return -1
    if kind == BEHIND:
        first = other * row[5]
    for i in range(first, row[4]):
        at = row[1] + size * i
        value = _number(cells, at, size, row[3])
        if value != nothing and (kind != SEAT_PLAYS or value - row[9] >= other):
            return at
    return -1
