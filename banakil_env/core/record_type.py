"""Records in the interpreter: NumPy scalars whose fields are attributes, found by C code, and read as `int`.

`numpy.record` looks up every field in Python, in three microseconds. The plain interface, positions as text, referees
and games that run in plain Python read many fields, and take a quarter of that time for each with the type here.

A whole number is read as Python's `int`, and so is an item of an array of narrow numbers (`Cells`): the interpreter
computes with them as compiled code does (`jit/whole_numbers.py`), where NumPy would compute with a byte in eight bits.
Words of 64 bits without a sign, of seeds and the generator, stay NumPy's: they wrap around.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


class Cells(np.ndarray[Any, Any]):
    """An array of whole numbers, each read as `int`."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return int(found) if type(found) in _WHOLE else found

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))


_WHOLE = frozenset((np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64))
_NARROW = frozenset(map(np.dtype, _WHOLE - {np.int64}))


def read_as_int(value: Any) -> Any:
    """A whole number as `int`, an array of narrow ones as `Cells`; anything else as it is."""
    if type(value) in _WHOLE:
        return int(value)
    return value.view(Cells) if type(value) is np.ndarray and value.dtype in _NARROW else value


class Record(np.void):  # type: ignore[misc]  # final to mypy, not to NumPy
    """A record with its fields as attributes, to read and to write; a view of the memory, as all NumPy's records.

    The attributes are properties that `record_dtype` adds: one type serves all records, so that it can be pickled.
    """

    def __getattr__(self, name: str) -> Any:
        """A field for which there is no property yet: a dtype that has come from another process in a pickle."""
        self._check_field(name)
        return read_as_int(self[name])

    def __setattr__(self, name: str, value: Any) -> None:
        self._check_field(name)
        self[name] = value

    def _check_field(self, name: str) -> None:
        names = self.dtype.names or ()
        if name not in names:
            raise AttributeError(f"there is no field {name!r}; there are {', '.join(names)}")


def record_dtype(*fields: tuple[Any, ...], align: bool = False) -> np.dtype[Any]:
    """The dtype of records with these fields.

    Args:
        fields: each a name, a dtype and, for an array, its shape.
        align: with padding, as a C compiler would; otherwise without.
    """
    for name, *_ in fields:
        if not hasattr(Record, name):
            setattr(Record, name, _property_of(name))
    return np.dtype((Record, np.dtype(list(fields), align=align)))


def _property_of(name: str) -> property:
    read = operator.itemgetter(name)

    def found(record: Record) -> Any:
        try:
            value = read(record)
        except ValueError:  # another record has this field
            raise AttributeError(name) from None
        return read_as_int(value)

    return property(found)
