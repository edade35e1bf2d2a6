"""Where does the time of a step go? Each part of it by itself, over a batch in the middle of play."""

# The names left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from banakil_env.bench.measure import Plan, Task
from banakil_env.core.jit import bind
from banakil_env.core.kernels import GENERATOR
from banakil_env.envs.vector import Tables
from banakil_env.games.banakil import GAME

SIZE = 4096


def _observe_all(states: Any, seats: Any, observations: Any) -> None:
    for row in range(states.shape[0]):
        observe(states[row], seats[row], observations[row])


def _list_all(states: Any, scratch: Any) -> int:
    count = 0
    for row in range(states.shape[0]):
        count += legal(states[row], scratch)
    return count


def _apply_all(states: Any, actions: Any) -> int:
    done = 0
    for row in range(states.shape[0]):
        done += apply(states[row], actions[row])
    return done


def _deal_all(states: Any) -> None:
    for row in range(states.shape[0]):
        start_episode(states[row])


def tasks() -> list[Task]:
    """One row a part, in nanoseconds for each table."""
    parts: dict[str, tuple[str, Callable[[Tables], Callable[[], Any]]]] = {
        "step": ("all of it", _step),
        "observe": ("the observation of the seat to move written", _observe),
        "legal": ("the legal moves listed", _list),
        "apply": ("a legal move checked and carried out", _apply),
        "deal": ("a new episode dealt, which a step does once an episode", _deal),
        "memory": ("as many bytes as a step writes set to zero: what the memory allows", _write),
    }
    return [
        Task("parts", f"{name}, {SIZE:,} tables", work, " ns", partial(_measure, make))
        for name, (work, make) in parts.items()
    ]


def _measure(make: Callable[[Tables], Callable[[], Any]], plan: Plan) -> tuple[float, ...]:
    """Nanoseconds a table; each value is the best of several rounds, what the processor needs when it is left alone."""
    tables = Tables(SIZE, threads=1)
    tables.reset(seed=1)
    generators = np.zeros(SIZE, GENERATOR)
    generators["rng"] = np.arange(SIZE)
    for _ in range(100):
        tables.step(tables.random_actions(generators))
    values = []
    for _ in range(plan.runs + 1):
        best = np.inf
        for _ in range(20):
            tables.random_actions(generators)
            part = make(tables)
            begin = time.perf_counter()
            part()
            best = min(best, time.perf_counter() - begin)
        values.append(1e9 * best / SIZE)
    return tuple(values[1:])  # the first may have compiled


@functools.cache
def _loop(function: Callable[..., Any], name: str, **names: Any) -> Any:
    return bind(function, name, **names)


def _step(tables: Tables) -> Callable[[], Any]:
    return partial(tables.step, tables.chosen)


def _observe(tables: Tables) -> Callable[[], Any]:
    loop = _loop(_observe_all, "bench_observe", observe=GAME.observe)
    return partial(loop, tables.states, tables.seats, tables.observations.reshape(-1).view(GAME.observation))


def _list(tables: Tables) -> Callable[[], Any]:
    return partial(
        _loop(_list_all, "bench_list", legal=GAME.legal), tables.states, np.empty(GAME.num_actions, np.int16)
    )


def _apply(tables: Tables) -> Callable[[], Any]:
    return partial(_loop(_apply_all, "bench_apply", apply=GAME.apply), tables.states.copy(), tables.chosen)


def _deal(tables: Tables) -> Callable[[], Any]:
    return partial(_loop(_deal_all, "bench_deal", start_episode=GAME.start_episode), tables.states.copy())


def _write(tables: Tables) -> Callable[[], Any]:
    arrays = [np.empty_like(array) for array in (tables.observations, tables.masks)]

    def write() -> None:
        for array in arrays:
            array.fill(0)

    for array in arrays:
        array.fill(1)  # touched before: the first write of a page is slow
    return write
