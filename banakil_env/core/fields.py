"""Declares the fields of a record once: dtype, bounds, lifetime, and how texts and networks show them.

A game declares its state and its observation as `Fields`. The dtype, the check of a record (`core/bounds.py`), what is
cleared at the start of a turn, a round and a match, words and lines of a position, the `Dict` space, the tables of the
documentation and the feature columns are all made from that declaration.
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

from banakil_env.core.record_type import record_dtype

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

# How long a field of a state lives: at the start of the next turn, round or match it becomes `Field.nothing`. A field
# without a lifetime stays as it is until the rules write it.
TURN, ROUND, MATCH = "turn", "round", "match"
LIVES = ("", TURN, ROUND, MATCH)

# What the numbers of a field of a state stand for: a number; a card; a set of cards, as a mask; a seat; a flag for each
# seat. Where `Field.absent` is 0, a card or a seat is stored as 1 + its number.
NUMBER, CARD, CARDS, SEAT, SEATS = "number", "card", "cards", "seat", "seats"
CODES = (NUMBER, CARD, CARDS, SEAT, SEATS)

# The field of a state with the number of players. Rows with a place for each seat have nothing behind it, and a seat is
# a number below it.
PLAYERS = "num_players"

_WHOLE_NUMBERS = ("u1", "i1", "<u2", "<i2", "<u4", "<i4", "<i8", "<u8")


@dataclass(frozen=True)
class Field:
    """One field of a record.

    Attributes:
        name: of the field; a name of the game's own words.
        note: what it says, in a sentence for the documentation; `described` adds how that is coded.
        highest, lowest: the values that each number can have.
        shape: of an array of them; () for one number.
        role: how a network sees it (of an observation only).
        scale: with SCALED, what the numbers are divided by, so that most lie between 0 and 1.
        record: the field is a record of these fields and has no bounds itself.
        dtype: of each number; None: the narrowest that holds them.
        public: of a state only: everybody sees it as it is. The observation has the same field (`Fields.shown`); the
            kit writes it and reads it back (`kit/seen.py`).
        by_seat: of a state only: a public number for each seat; the observation has them from the observer on.
        lives: of a state only: "turn", "round" or "match"; see LIVES.
        absent: the number that stands for "there is none", such as NO_SEAT; None: every number means something.
        absent_in: the phases in which it is absent, as a mask of bits; see `core/bounds.py`.
        filled: the name of the field with the number of its first cells that are in use; the others are absent.
        code: of a state only: what its numbers stand for; see CODES.
        word: of a state only: how the line `turn` of a position begins to say that it is not absent. A flag is said by
            the word alone, a number, a card or a seat stands behind it.
        line: of a state only: the key of its own line in a position, which is left out where it is absent.
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
    lives: str = ""
    absent: int | None = None
    absent_in: int = 0
    filled: str = ""
    code: str = NUMBER
    word: str = ""
    line: str = ""

    def __post_init__(self) -> None:
        for name, allowed in (("role", ROLES), ("lives", LIVES), ("code", CODES)):
            given = getattr(self, name)
            if given not in allowed:
                raise ValueError(f"{self.name}: {name} must be one of {', '.join(allowed)}, not {given!r}")
        if self.absent is not None and not self.lowest <= self.absent <= self.highest:
            raise ValueError(f"{self.name}: absent is {self.absent}, and numbers are {self.lowest} to {self.highest}")

    @property
    def nothing(self) -> int:
        """The number that the field has where it says nothing: `absent`, or the number next to 0."""
        return max(self.lowest, min(0, self.highest)) if self.absent is None else self.absent

    @property
    def first(self) -> int:
        """The number that stands for the first card or seat: 1 where 0 stands for none."""
        return int(self.absent == 0)

    @property
    def described(self) -> str:
        """The note, and how cards, seats and "there is none" are coded."""
        if self.code == CARDS:
            return f"{self.note}; a mask"
        if self.absent is None:
            return self.note
        first = {CARD: "1 + the face, ", SEAT: "1 + the seat, "}.get(self.code, "") if self.first else ""
        return f"{self.note}; {first}{self.absent}: none"

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
        return tuple(_as_seen(self._fields[name]) for name in names.split())

    def cleared(self, lives: str) -> str:
        """The fields that `core.records.clear_fields` writes when this lifetime ends: `named=52 opened=0`."""
        return " ".join(f"{name}={each.nothing}" for name, each in self._fields.items() if each.lives == lives)

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
        highest = np.full(self.dtype.itemsize, 255, np.uint8)
        for number in self.numbers:
            if number.field.number.itemsize == 1 and number.field.lowest == 0:
                highest[number.offset : number.offset + number.count] = number.field.highest
        return highest

    @property
    def notes(self) -> Mapping[str, str]:
        """The note of each field, by name, and how it is coded."""
        return MappingProxyType({name: field.described for name, field in self._fields.items()})


def _as_seen(field: Field) -> Field:
    """A field of a state as an observation has it: how it is kept and written in positions is of the state only."""
    return replace(
        field,
        note=field.described,
        lives="",
        absent=None,
        absent_in=0,
        filled="",
        code=NUMBER,
        word="",
        line="",
    )


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
