"""NumPy records for the interpreter: their fields are attributes and are read as `int`.

`numpy.record` looks up every field in Python, which takes three microseconds. The plain interface, positions as text,
referees and games that run in plain Python read many fields. With the type here each takes a quarter of that time,
because C code finds the field.

An integer field is read as Python's `int`, and so is an item of an array of narrow integers (`Cells`). So the
interpreter gets the same results as compiled code (`jit/whole_numbers.py`), whereas NumPy would compute with a byte in
eight bits. Unsigned 64-bit words, which seeds and the generator use, remain NumPy numbers: they must wrap around.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


class Cells(np.ndarray[Any, Any]):
    """An integer array whose items are read as `int`."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return int(found) if type(found) in _WHOLE else found

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))


_WHOLE = frozenset((np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64))
_NARROW = frozenset(map(np.dtype, _WHOLE - {np.int64}))


def read_as_int(value: Any) -> Any:
    """An integer as `int`, an array of narrow integers as `Cells`; any other value unchanged."""
    if type(value) in _WHOLE:
        return int(value)
    return value.view(Cells) if type(value) is np.ndarray and value.dtype in _NARROW else value


class Record(np.void):  # type: ignore[misc]  # final to mypy, not to NumPy
    """A record whose fields are attributes, to read and to write. Like every NumPy record, it is a view of memory.

    `record_dtype` adds the attributes as properties to this one type. A single type for all records can be pickled.
    """

    def __getattr__(self, name: str) -> Any:
        """Read a field that has no property yet, because its dtype came from another process in a pickle."""
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
        fields: for each field its name, its dtype and, for an array, its shape.
        align: whether to add padding as a C compiler would.
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
        except ValueError:  # the property exists for another dtype; this record has no such field
            raise AttributeError(name) from None
        return read_as_int(value)

    return property(found)
