"""Clears several fields of a record by name, or copies them to another record.

The names are one constant text, with blanks between them. Fields that a record does not have are skipped: shared code
can name the fields of several games, and each game pays only for its fields. What stands here is for the interpreter;
`jit/meanings/records.py` is what compiled code does.
"""

from __future__ import annotations

from typing import Any


def clear_fields(record: Any, names: str) -> None:
    """Set every number of these fields to 0, or to the number that the text gives for it: `opened named=52`."""
    for name, number in cleared(names):
        if name in record.dtype.names:
            record[name] = number


def cleared(names: str) -> list[tuple[str, int]]:
    """The fields that such a text names, and their numbers."""
    parts = [each.partition("=") for each in names.split()]
    return [(name, int(number or 0)) for name, _, number in parts]


def copy_fields(source: Any, record: Any, names: str) -> None:
    """Copy these fields, of the same dtype and shape in both records."""
    for name in names.split():
        if name in source.dtype.names and name in record.dtype.names:
            record[name] = source[name]


def copy_record(source: Any, record: Any) -> None:
    """Copy every field to another record of the same dtype."""
    for name in record.dtype.names:
        record[name] = source[name]


def copy_places(source: Any, record: Any, names: str, place: int, to: int) -> None:
    """Copy the number at `place` of each of these rows to the place `to`; the rows have one dtype and shape."""
    for name in names.split():
        if name in source.dtype.names and name in record.dtype.names:
            record[name][to] = source[name][place]
