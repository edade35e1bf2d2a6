"""What is a record in the interpreter? A NumPy scalar whose fields are attributes, found by C code.

`numpy.record` looks up every field in Python, in three microseconds. The plain interface, positions as text, referees
and games that run in plain Python read many fields, and take a quarter of that time for each with the type here.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


class Record(np.void):  # type: ignore[misc]  # final to mypy, not to NumPy
    """A record with its fields as attributes, to read and to write; a view of the memory, as all NumPy's records.

    The attributes are properties that `record_dtype` adds: one type serves all records, so that it can be pickled.
    """

    def __getattr__(self, name: str) -> Any:
        """A field for which there is no property yet: a dtype that has come from another process in a pickle."""
        self._check_field(name)
        return self[name]

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
            return read(record)
        except ValueError:  # another record has this field
            raise AttributeError(name) from None

    return property(found)
