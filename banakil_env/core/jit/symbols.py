"""Makes symbols in machine code unique across processes.

A process links parts that other processes have made, so a symbol must contain neither an address nor a number that a
process counts. Numba names a record type by such a number: two games compiled in two processes would have functions of
the kit under the same symbol, and the code of one game would run on the state of the other. Functions have the same
problem; `lowering.py` names them by a digest of their sources.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numba


def _record_symbol(record: Any) -> tuple[str, tuple[str, ...]]:
    """The name of a record type in the symbols of machine code: a digest of its fields."""
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


numba.types.Record.mangling_args = property(_record_symbol)
