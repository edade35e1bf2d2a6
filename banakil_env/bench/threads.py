"""Measures the gain of two threads: in a batch step, and the largest that this machine allows.

If cores share execution units or memory bandwidth, no program runs twice as fast on two threads. Pure arithmetic and
pure writing to memory show the largest possible gain.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from unittest import mock

import numpy as np

from banakil_env.bench.measure import Plan, Task
from banakil_env.core.game import Game
from banakil_env.core.jit import compiled
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.random import random_bits
from banakil_env.envs.tables import arrays
from banakil_env.envs.vector import Tables

SIZES = (256, 512, 1024, 2048, 4096, 16384)
WRITTEN = 4096 * 1799  # bytes that a step of 4,096 tables writes


def tasks(game: Game) -> list[Task]:
    """The gain of two threads over one: for arithmetic, for writing to memory, and for batch steps of several sizes."""
    if (os.cpu_count() or 1) < 2:
        return []
    limits = {
        "arithmetic alone": ("random numbers drawn by each thread", _arithmetic),
        "memory alone": (f"{WRITTEN:,} bytes set to zero by each thread", _memory),
    }
    found = [Task("threads", name, work, "x", partial(_gain_of, make)) for name, (work, make) in limits.items()]
    work = "one step by two threads, however they share it, and one step by one thread; in turns"
    return found + [
        Task("threads", f"step of {size:,} tables", work, "x", partial(_gain_of_step, game, size)) for size in SIZES
    ]


def _gain(one: Callable[[], float], two: Callable[[], float], plan: Plan) -> tuple[float, ...]:
    """Run `one` and `two` in turns; returns the shortest time of `one` divided by that of `two`, for each run.

    Args:
        one: does the work and returns its seconds.
        two: the same, for the faster way.
        plan: the number of runs, and the seconds of each.
    """
    values = []
    for _ in range(plan.runs):
        quickest, end = [np.inf, np.inf], time.perf_counter() + plan.seconds
        while quickest[0] == np.inf or time.perf_counter() < end:
            quickest = [min(quickest[0], one()), min(quickest[1], two())]
        values.append(quickest[0] / quickest[1])
    return tuple(values)


def _seconds(*works: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    for work in works:
        work()
    return time.perf_counter() - begin


def _gain_of(make: Callable[[], Callable[[], Any]], plan: Plan) -> tuple[float, ...]:
    """The gain of two threads for work done twice: one after the other, and on two threads at once.

    Args:
        make: makes a function that does the work once.
        plan: the lengths of the measurement.
    """
    first, second = make(), make()
    _seconds(first, second)  # compiles, and touches the memory for the first time
    with ThreadPoolExecutor(1) as pool:

        def side_by_side() -> None:
            other = pool.submit(second)
            first()
            other.result()

        return _gain(partial(_seconds, first, second), partial(_seconds, side_by_side), plan)


@compiled
def _draw(generators: Any, count: int) -> Any:
    mixed = np.uint64(0)  # returned, so that the compiler does not remove the work
    for _ in range(count):
        mixed ^= random_bits(generators[0])
    return mixed


def _arithmetic() -> Callable[[], Any]:
    return partial(_draw, np.zeros(1, GENERATOR), 1_000_000)


def _memory() -> Callable[[], Any]:
    return partial(np.ones(WRITTEN, np.uint8).fill, 0)


def _gain_of_step(game: Game, size: int, plan: Plan) -> tuple[float, ...]:
    with mock.patch.object(arrays, "ROWS_PER_THREAD", 1):
        return _gain(_steps(game, size, 1), _steps(game, size, 2), plan)


def _steps(game: Game, size: int, threads: int) -> Callable[[], float]:
    """A function that returns the seconds of a step in the middle of episodes, without the choice of moves."""
    tables = Tables(size, threads=threads, game=game)
    tables.reset(seed=1)
    generators = np.zeros(size, GENERATOR)
    generators["rng"] = np.arange(size)

    def step() -> float:
        return _seconds(partial(tables.step, tables.random_actions(generators)))

    for _ in range(60):
        step()
    return step
