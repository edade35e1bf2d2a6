"""Prints messages while a library is built, with an estimate of the time."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType

from banakil_env.core.jit import settings
from banakil_env.core.jit.files import folder

SECONDS_A_BYTE = 1 / 6000  # seconds of building per byte of bytecode, measured

Tell = Callable[[str, float], None]
_told: list[Tell] = []  # the functions that `telling` has registered
_unkept: list[str] = []  # libraries built in this process that cannot be stored in any folder


@contextlib.contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """Inside the block, call `tell` for each library that is built, instead of printing a message.

    Args:
        tell: gets the name of the library and an estimate of the time in seconds.
    """
    _told.append(tell)
    try:
        yield
    finally:
        _told.remove(tell)


def announce(name: str, functions: Iterable[FunctionType]) -> None:
    """Print to the error stream which library is being built.

    If no folder can store libraries, every process builds all of them, and only the first is announced.

    Args:
        name: the name of the library.
        functions: the functions in it, for the estimate of the time.
    """
    seconds = max(1.0, SECONDS_A_BYTE * sum(len(each.__code__.co_code) for each in functions))
    for tell in _told:
        tell(name, seconds)
    if _told or settings.QUIET:
        return
    how = "for this machine, once"
    if folder() is None:
        _unkept.append(name)
        if len(_unkept) > 1:
            return
        how = "and others, in every process: there is no folder that only you can write; NUMBA_CACHE_DIR can name one"
    print(f"banakil_env: building {name}, {how} (about {seconds:.0f} s) ...", file=sys.stderr, flush=True)


def announce_wait(name: str) -> None:
    """Print to the error stream that another process is building the library that this process needs."""
    if not _told and not settings.QUIET:
        print(f"banakil_env: waiting for another process that builds {name} ...", file=sys.stderr, flush=True)
