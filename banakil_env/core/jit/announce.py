"""What does a user read while a function is compiled, and how long will it take?"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType

# Measured: seconds of compiling for each byte of an entry's bytecode, and for each entry.
SECONDS_A_BYTE, SECONDS_AN_ENTRY = 1 / 6000, 0.3

Tell = Callable[[str, float], None]
_told: list[Tell] = []  # whom `telling` tells
_unkept: list[str] = []  # names compiled in this process that no folder keeps


@contextlib.contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """Call `tell` with the name of each entry compiled inside the block, and an estimate of the time (seconds).

    Inside the block nothing is printed.
    """
    _told.append(tell)
    try:
        yield
    finally:
        _told.remove(tell)


def announce(function: FunctionType, callees: list[FunctionType], folder: Path | None) -> None:
    """Announce on the error stream what is being compiled: once per entry; cached entries are silent.

    Without a folder that keeps them, every process compiles all entries, and only the first is announced.
    """
    name, seconds = _name_of(function), _seconds_of(callees)
    for tell in _told:
        tell(name, seconds)
    if _told or os.environ.get("BANAKIL_QUIET", "0") not in ("", "0"):
        return
    how = "for this machine, once"
    if folder is None:
        _unkept.append(name)
        if len(_unkept) > 1:
            return
        how = "and others, in every process: no folder that only you can write keeps them; NUMBA_CACHE_DIR can name one"
    print(f"banakil_env: compiling {name}, {how} (about {seconds:.0f} s) ...", file=sys.stderr, flush=True)


def _name_of(function: FunctionType) -> str:
    """The name of a bound loop, which begins with its game (`banakil_apply_one`), or `banakil.solver.solve`."""
    if function.__name__ not in function.__qualname__.split("."):  # bound: its fingerprint stands behind the name
        return function.__name__
    module = (function.__module__ or "").removeprefix("banakil_env.").removeprefix("games.")
    return f"{module}.{function.__name__}"


def _seconds_of(functions: list[FunctionType]) -> float:
    """Estimated compile time in seconds, from the size of the bytecode; at least 1."""
    size = sum(len(each.__code__.co_code) for each in functions)
    return max(1.0, SECONDS_AN_ENTRY + SECONDS_A_BYTE * size)
