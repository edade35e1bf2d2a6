"""Messages while a library is built, and how long that will take."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType

from banakil_env.core.jit import settings
from banakil_env.core.jit.files import folder

SECONDS_A_BYTE = 1 / 6000  # measured: seconds of building for each byte of bytecode

Tell = Callable[[str, float], None]
_told: list[Tell] = []  # whom `telling` tells
_unkept: list[str] = []  # names of libraries built in this process that no folder keeps


@contextlib.contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """Inside the block, call `tell` with the name of each library that is built and an estimate of the time (seconds),
    and print nothing.
    """
    _told.append(tell)
    try:
        yield
    finally:
        _told.remove(tell)


def announce(name: str, functions: Iterable[FunctionType]) -> None:
    """Announce on the error stream what is being built.

    Without a folder that keeps them, every process builds all libraries, and only the first is announced.
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
        how = "and others, in every process: no folder that only you can write keeps them; NUMBA_CACHE_DIR can name one"
    print(f"banakil_env: building {name}, {how} (about {seconds:.0f} s) ...", file=sys.stderr, flush=True)


def announce_wait(name: str) -> None:
    """Announce on the error stream that another process is building what this one needs."""
    if not _told and not settings.QUIET:
        print(f"banakil_env: waiting for another process that builds {name} ...", file=sys.stderr, flush=True)
