"""Declares the fields of a record in one place: dtype, bounds, lifetime, and how texts and networks present them.

A game declares its state and its observation as `Fields`. The following are all derived from that declaration: the
dtype, the check of a record (`core/bounds.py`), the fields that are cleared at the start of a turn, a round and a
match, words and lines of a position, the `Dict` space, the tables of the documentation, and feature columns.
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

# How a field is presented to a network (`core/features.py`), in this order: not at all; unchanged, 0 or 1; each number
# divided by `scale`; a cell for each value from `lowest` to `highest`; the number of cards of each face; 1 + a face, 0
# for none; depths in a pile; the cells of a table of melds.
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

# The lifetime of a field of a state: at the start of the next turn, round or match it is set to `Field.nothing`. A
# field without a lifetime keeps its value until the rules write it.
TURN, ROUND, MATCH = "turn", "round", "match"
LIVES = ("", TURN, ROUND, MATCH)

# What the numbers of a field of a state represent: a number; a card; a set of cards, as a mask; a seat; a flag for each
# seat. If `Field.absent` is 0, a card or a seat is stored as 1 + its number.
NUMBER, CARD, CARDS, SEAT, SEATS = "number", "card", "cards", "seat", "seats"
CODES = (NUMBER, CARD, CARDS, SEAT, SEATS)

# The name of the field of a state with the number of players. In rows with a cell per seat, cells of seats that do not
# play are absent.
PLAYERS = "num_players"

_WHOLE_NUMBERS = ("u1", "i1", "<u2", "<i2", "<u4", "<i4", "<i8", "<u8")


@dataclass(frozen=True)
class Field:
    """One field of a record.

    Attributes:
        name: the field's name, in the words of the game.
        note: its meaning, as a phrase for the documentation; `described` adds the coding.
        highest, lowest: the bounds of each number.
        shape: the shape of an array field; () for a single number.
        role: how the field is presented to a network, one of ROLES; for observations only.
        scale: for SCALED, the divisor that brings most numbers into [0, 1].
        record: the fields of a nested record; such a field has no bounds itself.
        dtype: the dtype of each number; None: the narrowest that holds the bounds.
        public: for states only: every seat sees the field unchanged. The observation has the same field
            (`Fields.shown`); the kit writes it and reads it back (`kit/seen.py`).
        by_seat: for states only: a public number for each seat. The observation lists them from the observer's seat on.
        lives: for states only: "turn", "round" or "match"; see LIVES.
        absent: the number that means "there is none", such as NO_SEAT; None: there is no such number.
        absent_in: the phases in which the field is absent, as a bit mask; see `core/bounds.py`.
        filled: the name of another field that holds the number of cells in use. The cells after these are absent.
        code: for states only: what the numbers represent; see CODES.
        word: for states only: the word that introduces the field in the line `turn` of a position, when the field is
            not absent. For a flag the word alone is written; for a number, a card or a seat the value follows.
        line: for states only: the key of the field's separate line in a position, which is left out when the field is
            absent.
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
            raise ValueError(
                f"{self.name}: absent is {self.absent}, but the bounds are {self.lowest} to {self.highest}"
            )

    @property
    def nothing(self) -> int:
        """The value of the field when it holds nothing: `absent` if declared, else the number within the bounds that is
        closest to 0.
        """
        return max(self.lowest, min(0, self.highest)) if self.absent is None else self.absent

    @property
    def first(self) -> int:
        """The number that represents the first card or seat: 1 if 0 means none, else 0."""
        return int(self.absent == 0)

    @property
    def described(self) -> str:
        """The note, followed by the coding of cards, seats and "none"."""
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
        raise ValueError(f"{self.name}: no integer dtype holds the bounds {self.lowest} to {self.highest}")


class Fields(Mapping[str, Field]):
    """The fields of one kind of record, by name, in the order in memory.

    Attributes:
        dtype: the dtype of the record, without padding. In the interpreter too, the fields of a record are attributes.
    """

    def __init__(self, *fields: Field) -> None:
        self._fields = {field.name: field for field in fields}
        if len(self._fields) < len(fields):
            raise ValueError(f"two fields have the same name: {', '.join(field.name for field in fields)}")
        self.dtype = record_dtype(*((field.name, field.number, field.shape) for field in fields))

    def __getitem__(self, name: str) -> Field:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    @property
    def public(self) -> str:
        """The names of the fields that observations show unchanged, separated by blanks."""
        return " ".join(name for name, field in self._fields.items() if field.public)

    @property
    def by_seat(self) -> str:
        """The names of the public fields with a number for each seat, separated by blanks."""
        return " ".join(name for name, field in self._fields.items() if field.by_seat)

    def shown(self, names: str) -> tuple[Field, ...]:
        """The declarations of these public fields for an observation.

        Args:
            names: names of fields, separated by blanks.

        Raises:
            ValueError: one of the fields is not public.
        """
        hidden = {*names.split()} - {*self.public.split(), *self.by_seat.split()}
        if hidden:
            raise ValueError(
                f"{', '.join(sorted(hidden))}: not public; declare it with public=True or by_seat=True, "
                "or give the observation a different field"
            )
        return tuple(_as_seen(self._fields[name]) for name in names.split())

    def cleared(self, lives: str) -> str:
        """The fields that end with this lifetime and their empty values, as `core.records.clear_fields` takes them:
        `named=52 opened=0`.
        """
        return " ".join(f"{name}={each.nothing}" for name, each in self._fields.items() if each.lives == lives)

    @functools.cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every array of numbers in the record, including those of nested records, in the order in memory."""
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
        """The highest value of each byte of the record, uint8; 255 for bytes of wider and of signed numbers."""
        highest = np.full(self.dtype.itemsize, 255, np.uint8)
        for number in self.numbers:
            if number.field.number.itemsize == 1 and number.field.lowest == 0:
                highest[number.offset : number.offset + number.count] = number.field.highest
        return highest

    @property
    def notes(self) -> Mapping[str, str]:
        """The note of each field with its coding, by field name."""
        return MappingProxyType({name: field.described for name, field in self._fields.items()})


def _as_seen(field: Field) -> Field:
    """A state's field as declared in an observation: without lifetime and coding, which apply to states only."""
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
    """The same fields, with the named ones not public.

    An observation shows the content of these fields in other fields.

    Args:
        fields: fields of a state.
        names: names of fields, separated by blanks.
    """
    hidden = names.split()
    return tuple(replace(each, public=False, by_seat=False) if each.name in hidden else each for each in fields)


@dataclass(frozen=True)
class Number:
    """An array of numbers in a record: its name (`rules.target` in a nested record), its field, its offset in bytes."""

    name: str
    field: Field
    offset: int

    @property
    def count(self) -> int:
        """The number of numbers in the array."""
        return int(np.prod(self.field.shape, dtype=np.int64))


def read_numbers(record: Any, names: tuple[str, ...]) -> list[Any]:
    """Fields of a record as plain numbers or tuples of numbers; several times as fast as access by NumPy.

    Args:
        record: a NumPy record.
        names: fields that are integers or one-dimensional arrays of integers.
    """
    layout, places = _layout_of(record.dtype, names)
    numbers = layout.unpack_from(record)
    return [numbers[place] for place in places]


@functools.cache
def _layout_of(dtype: np.dtype[Any], names: tuple[str, ...]) -> tuple[struct.Struct, list[int | slice]]:
    """The `struct` layout up to the last of these fields, and the place of each field among the unpacked numbers."""
    codes, size, count, places = "<", 0, 0, {}
    for name in sorted(names, key=lambda name: dtype.fields[name][1]):  # type: ignore[index]  # the dtype has fields
        kind, offset = dtype.fields[name][:2]  # type: ignore[index]  # likewise
        cells = int(np.prod(kind.shape))
        codes += f"{offset - size}x{cells}{_CODES[kind.base.str[1:]]}"
        places[name] = slice(count, count + cells) if kind.shape else count
        size, count = offset + kind.itemsize, count + cells
    return struct.Struct(codes), [places[name] for name in names]


# The codes of `struct` for NumPy's integer dtypes.
_CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}
