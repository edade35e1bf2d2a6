"""Keeps the names of machine code apart when its parts were made in separate processes.

A process links parts that other processes have made. A symbol must therefore hold no address, and no number that a
process counts. Numba names a type of records by a number that each process counts from the start: two games compiled in
two processes would have functions of the kit under one symbol, and one game's code would run on the other's state. The
same goes for functions, which `lowering.py` names by a digest of what they are made of.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numba


def _record_symbol(record: Any) -> tuple[str, tuple[str, ...]]:
    """The name of a record type in the symbols of machine code: a digest of its fields."""
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


numba.types.Record.mangling_args = property(_record_symbol)
