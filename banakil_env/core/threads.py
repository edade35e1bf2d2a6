"""Splits work on rows between threads. They run in parallel because compiled functions release the interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}


def pool(workers: int) -> ThreadPoolExecutor:
    """The pool with this number of threads, which a process makes once; a forked process makes a new one."""
    key = (os.getpid(), workers)
    if key not in _pools:
        _pools[key] = ThreadPoolExecutor(workers, thread_name_prefix="parts")
    return _pools[key]


def in_parts(call: Callable[[int, int], Any], rows: int, threads: int, at_least: int) -> list[Any]:
    """Run `call(first, last)` on equal parts of the rows, each part on one thread. Returns the results of the calls.

    Args:
        call: a function that processes the rows from `first` to before `last`.
        rows: number of rows.
        threads: largest number of threads.
        at_least: least number of rows in a part; fewer rows run on the calling thread.
    """
    parts = max(1, min(threads, rows // at_least))
    bounds = [rows * part // parts for part in range(parts + 1)]
    if parts == 1:
        return [call(0, rows)]
    others = [pool(parts - 1).submit(call, bounds[part], bounds[part + 1]) for part in range(1, parts)]
    return [call(0, bounds[1]), *[other.result() for other in others]]
