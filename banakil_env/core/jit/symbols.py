"""How do two pieces of machine code get two names, when each was made in a process of its own?

A process loads machine code that other processes have made. A symbol must therefore hold no address, and no number that
a process counts.
"""

from __future__ import annotations

import hashlib
from types import FunctionType
from typing import Any

import numba
import numpy as np


def _record_symbol(record: Any) -> tuple[str, tuple[str, ...]]:
    """The name of a record type in the symbols of machine code: a digest of its fields.

    Numba uses a number there that each process counts from the start. Two games compiled in two processes then have
    functions of the kit under one symbol, and a process that loads both from the disk runs one game's code on the
    other's state.
    """
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


numba.types.Record.mangling_args = property(_record_symbol)


def fingerprint(names: dict[str, Any]) -> str:
    """Eight hex digits that differ when a name means another function or value."""
    meanings = []
    for name, value in sorted(names.items()):
        function = getattr(value, "__wrapped__", value)
        if isinstance(function, FunctionType):
            meaning: object = (function.__module__, function.__qualname__, function.__code__.co_firstlineno)
        elif isinstance(value, np.ndarray):
            meaning = (value.dtype, value.shape, hashlib.sha256(value.tobytes()).hexdigest())
        else:
            meaning = value
        meanings.append((name, meaning))
    return hashlib.sha256(repr(meanings).encode()).hexdigest()[:8]
