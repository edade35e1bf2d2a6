"""What does a record hold? One declaration of its fields: dtype, bounds, documentation, and how a network sees them.

A game declares its state and its observation as `Fields`. The dtype, the bounds of every byte, the check of ranges, the
`Dict` space, the tables of the documentation and the feature columns are all made from that declaration.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.jit import compiled, inlined
from banakil_env.core.record_type import read_as_int, record_dtype

# How a network should see a field (`core/features.py`): not at all; as it is, 0 or 1; each number divided by `scale`;
# a cell for each value from `lowest` to `highest`; how many cards of each face; 1 + a face, 0 for none; depths in a
# pile; the cells of a table of melds.
HIDDEN, FLAG, SCALED, ONE_HOT, COUNTS, FACE, DEPTHS, MELD_CELLS = (
    "hidden",
    "flag",
    "scaled",
    "one-hot",
    "counts",
    "face",
    "depths",
    "meld cells",
)
ROLES = (HIDDEN, FLAG, SCALED, ONE_HOT, COUNTS, FACE, DEPTHS, MELD_CELLS)

_WHOLE_NUMBERS = ("u1", "i1", "<u2", "<i2", "<u4", "<i4", "<i8", "<u8")


@dataclass(frozen=True)
class Field:
    """One field of a record.

    Attributes:
        name: of the field; a name of the game's own words.
        note: what it says, in a sentence for the documentation.
        highest, lowest: the values that each number can have.
        shape: of an array of them; () for one number.
        role: how a network sees it (of an observation only).
        scale: with SCALED, what the numbers are divided by, so that most lie between 0 and 1.
        record: the field is a record of these fields and has no bounds itself.
        dtype: of each number; None: the narrowest that holds them.
        public: of a state only: everybody sees it as it is. The observation has the same field (`Fields.shown`); the
            kit writes it and reads it back (`kit/seen.py`).
        by_seat: of a state only: a public number for each seat; the observation has them from the observer on.
        word: of a state only: the word in the line `turn` of a position where this flag is set.
    """

    name: str
    note: str
    highest: int = 1
    shape: tuple[int, ...] = ()
    lowest: int = 0
    role: str = FLAG
    scale: float = 1.0
    record: Fields | None = None
    dtype: str | None = None
    public: bool = False
    by_seat: bool = False
    word: str = ""

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError(f"{self.name}: role must be one of {', '.join(ROLES)}, not {self.role!r}")

    @property
    def number(self) -> np.dtype[Any]:
        """The dtype of one number, or of the nested record."""
        if self.record is not None:
            return self.record.dtype
        if self.dtype is not None:
            return np.dtype(self.dtype)
        for kind in map(np.dtype, _WHOLE_NUMBERS):
            bounds = np.iinfo(kind)
            if bounds.min <= self.lowest and self.highest <= bounds.max:
                return kind
        raise ValueError(f"{self.name}: no whole number of 64 bits holds {self.lowest} to {self.highest}")


class Fields(Mapping[str, Field]):
    """The fields of one kind of record, by name, in their order in memory.

    Attributes:
        dtype: of the record, without padding; its fields are attributes in the interpreter too.
    """

    def __init__(self, *fields: Field) -> None:
        self._fields = {field.name: field for field in fields}
        if len(self._fields) < len(fields):
            raise ValueError(f"two fields have one name: {', '.join(field.name for field in fields)}")
        self.dtype = record_dtype(*((field.name, field.number, field.shape) for field in fields))

    def __getitem__(self, name: str) -> Field:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    @property
    def public(self) -> str:
        """The names of the fields that are public as they are, separated by blanks."""
        return " ".join(name for name, field in self._fields.items() if field.public)

    @property
    def by_seat(self) -> str:
        """The names of the public fields with a number for each seat, separated by blanks."""
        return " ".join(name for name, field in self._fields.items() if field.by_seat)

    def shown(self, names: str) -> tuple[Field, ...]:
        """The declarations of these public fields for an observation. ValueError: one of them is not public."""
        hidden = {*names.split()} - {*self.public.split(), *self.by_seat.split()}
        if hidden:
            raise ValueError(
                f"{', '.join(sorted(hidden))}: not public; write public=True or by_seat=True, "
                "or another field of the observation"
            )
        return tuple(self._fields[name] for name in names.split())

    @functools.cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every array of numbers of the record, those of nested records too, in the order of memory."""
        return tuple(self._numbers())

    def _numbers(self, prefix: str = "", base: int = 0) -> Iterator[Number]:
        for field in self._fields.values():
            assert self.dtype.fields is not None
            offset = base + self.dtype.fields[field.name][1]
            if field.record is not None:
                yield from field.record._numbers(f"{prefix}{field.name}.", offset)
            else:
                yield Number(f"{prefix}{field.name}", field, offset)

    @functools.cached_property
    def highest_bytes(self) -> npt.NDArray[np.uint8]:
        """The highest value of every byte of the record as uint8; 255 for the bytes of wider and of signed numbers."""
        low, span = self._byte_bounds()
        return np.where(low == 0, span, 255).astype(np.uint8)

    def _byte_bounds(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """For every byte, its lowest value and the span above that value, both modulo 256."""
        low, span = np.zeros(self.dtype.itemsize, np.uint8), np.full(self.dtype.itemsize, 255, np.uint8)
        for number in self.numbers:
            if number.field.number.itemsize == 1:
                place = slice(number.offset, number.offset + number.count)
                low[place] = number.field.lowest % 256
                span[place] = number.field.highest - number.field.lowest
        return low, span

    @functools.cached_property
    def ranges(self) -> Ranges:
        """The bounds of every number, as compiled code compares them."""
        wide: list[tuple[int, int, int, int, int]] = []
        for number in self.numbers:
            kind = number.field.number
            if kind.itemsize == 1 or kind == np.uint64:
                continue
            bounds = number.field.lowest, number.field.highest
            signed = int(kind.kind == "i")
            wide += [(number.offset + kind.itemsize * i, kind.itemsize, signed, *bounds) for i in range(number.count)]
        low, span = map(read_as_int, self._byte_bounds())
        return Ranges(low, span, np.array(wide, np.int64).reshape(-1, 5))

    def number_at(self, offset: int) -> tuple[Number, int]:
        """The field of the byte at `offset`, and the index of its number in the field."""
        for number in self.numbers:
            size = number.field.number.itemsize
            if number.offset <= offset < number.offset + size * number.count:
                return number, (offset - number.offset) // size
        raise IndexError(f"the record has {self.dtype.itemsize} bytes, and none at {offset}")

    def out_of_range(self, record: Any) -> str | None:
        """The first number of a record that is not within its bounds, in words; None if all numbers are."""
        row = np.asarray(record).reshape(1)
        at = first_out_of_range(read_as_int(row.view(np.uint8)), *self.ranges.arrays)
        if at < 0:
            return None
        number, i = self.number_at(int(at))
        value = row.view(np.uint8)[at : at + number.field.number.itemsize].copy().view(number.field.number)[0]
        where = f"{number.name}[{', '.join(str(n) for n in np.unravel_index(i, number.field.shape))}]"
        name = where if number.field.shape else number.name
        return f"{name} is {value}, and lies from {number.field.lowest} to {number.field.highest}"

    @property
    def notes(self) -> Mapping[str, str]:
        """The note of each field, by name."""
        return MappingProxyType({name: field.note for name, field in self._fields.items()})


def seen_otherwise(fields: Iterable[Field], names: str) -> tuple[Field, ...]:
    """The same fields, but the named ones do not appear in an observation, which shows their content in other
    fields.
    """
    hidden = names.split()
    return tuple(replace(each, public=False, by_seat=False) if each.name in hidden else each for each in fields)


@dataclass(frozen=True)
class Number:
    """An array of numbers in a record: its name (`rules.target` in a nested record), field and place."""

    name: str
    field: Field
    offset: int

    @property
    def count(self) -> int:
        """How many numbers."""
        return int(np.prod(self.field.shape, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Ranges:
    """Bounds as arrays: of each byte (uint8) the lowest value and the span above it; of wider numbers (int64, 5
    columns) offset, size in bytes, whether signed, lowest and highest.
    """

    lowest: npt.NDArray[np.uint8]
    span: npt.NDArray[np.uint8]
    wide: npt.NDArray[np.int64]

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The arguments of `first_out_of_range` after the bytes."""
        return self.lowest, self.span, self.wide


def read_numbers(record: Any, names: tuple[str, ...]) -> list[Any]:
    """Fields of a record as plain numbers or tuples of numbers, several times as fast as by NumPy.

    Args:
        names: of numbers and rows of numbers, whole numbers only.
    """
    layout, places = _layout_of(record.dtype, names)
    numbers = layout.unpack_from(record)
    return [numbers[place] for place in places]


@functools.cache
def _layout_of(dtype: np.dtype[Any], names: tuple[str, ...]) -> tuple[struct.Struct, list[int | slice]]:
    """The bytes of a record up to the last of these fields, and the place of each field among the unpacked numbers."""
    codes, size, count, places = "<", 0, 0, {}
    for name in sorted(names, key=lambda name: dtype.fields[name][1]):  # type: ignore[index]  # it has fields
        kind, offset = dtype.fields[name][:2]  # type: ignore[index]  # likewise
        cells = int(np.prod(kind.shape))
        codes += f"{offset - size}x{cells}{_CODES[kind.base.str[1:]]}"
        places[name] = slice(count, count + cells) if kind.shape else count
        size, count = offset + kind.itemsize, count + cells
    return struct.Struct(codes), [places[name] for name in names]


# How `struct` calls NumPy's whole numbers.
_CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


@inlined
def _two_bytes(cells: Any, at: int) -> Any:
    return cells[at] | cells[at + 1] << 8


@compiled
def first_out_of_range(cells: Any, lowest: Any, span: Any, wide: Any) -> Any:
    """The offset in bytes of the first number outside its bounds; -1 if all numbers are within bounds.

    Args:
        cells: the bytes of a record, uint8. lowest, span, wide: see `Ranges`.
    """
    beyond = 0
    for i in range(cells.shape[0]):  # one loop without a branch, so that the compiler vectorises it
        beyond |= (cells[i] - lowest[i]) & 255 > span[i]
    if beyond:
        for i in range(cells.shape[0]):
            if (cells[i] - lowest[i]) & 255 > span[i]:
                return i
    for k in range(wide.shape[0]):
        at, size, signed = wide[k, 0], wide[k, 1], wide[k, 2]
        value = _two_bytes(cells, at)
        if size >= 4:
            value |= _two_bytes(cells, at + 2) << 16
        if size == 8:
            top = _two_bytes(cells, at + 6)
            value |= _two_bytes(cells, at + 4) << 32 | (top - (top >> 15 << 16)) << 48
        elif signed and value >> (8 * size - 1):
            value -= 1 << 8 * size
        if value < wide[k, 3] or value > wide[k, 4]:
            return at
    return -1
