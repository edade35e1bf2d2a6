"""Who does the other half? Threads that wait for work; compiled functions leave the interpreter to others meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}


def pool(workers: int) -> ThreadPoolExecutor:
    """Threads that wait for work, the same at every call; a process that was forked makes its own."""
    key = (os.getpid(), workers)
    if key not in _pools:
        _pools[key] = ThreadPoolExecutor(workers, thread_name_prefix="parts")
    return _pools[key]


def in_parts(call: Callable[[int, int], Any], rows: int, threads: int, at_least: int) -> list[Any]:
    """`call(first, last)` over all rows in equal parts, each in a thread of its own; what the calls gave.

    Args:
        threads: at most so many. at_least: rows in each part, or one thread does all.
    """
    parts = max(1, min(threads, rows // at_least))
    bounds = [rows * part // parts for part in range(parts + 1)]
    if parts == 1:
        return [call(0, rows)]
    others = [pool(parts - 1).submit(call, bounds[part], bounds[part + 1]) for part in range(1, parts)]
    return [call(0, bounds[1]), *[other.result() for other in others]]
