"""Clears several fields of a record by name, or copies them to another record.

The names are one constant text, separated by blanks. Fields that a record does not have are skipped, so shared code can
name the fields of several games, and a game spends time only on its own fields. The functions here run in the
interpreter; `jit/meanings/records.py` defines them for compiled code.
"""

from __future__ import annotations

from typing import Any


def clear_fields(record: Any, names: str) -> None:
    """Set every number of these fields to 0, or to the number given in the text: `opened named=52`."""
    for name, number in cleared(names):
        if name in record.dtype.names:
            record[name] = number


def cleared(names: str) -> list[tuple[str, int]]:
    """The fields that a text such as `opened named=52` names, with their numbers."""
    parts = [each.partition("=") for each in names.split()]
    return [(name, int(number or 0)) for name, _, number in parts]


def copy_fields(source: Any, record: Any, names: str) -> None:
    """Copy these fields to another record, in which they have the same dtype and shape."""
    for name in names.split():
        if name in source.dtype.names and name in record.dtype.names:
            record[name] = source[name]


def copy_record(source: Any, record: Any) -> None:
    """Copy every field to another record of the same dtype."""
    for name in record.dtype.names:
        record[name] = source[name]


def copy_places(source: Any, record: Any, names: str, place: int, to: int) -> None:
    """Copy the number at index `place` of each of these array fields to the index `to` in another record.

    The fields must have the same dtype and shape in both records.
    """
    for name in names.split():
        if name in source.dtype.names and name in record.dtype.names:
            record[name][to] = source[name][place]
