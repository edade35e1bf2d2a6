"""Measures each part of a step separately, over a batch of tables in the middle of episodes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from banakil_env.bench.measure import Plan, Task
from banakil_env.core.engine import apply, legal_mask, observe, start_episode
from banakil_env.core.game import Game
from banakil_env.core.jit import compiled
from banakil_env.core.kernels import GENERATOR
from banakil_env.envs.vector import Tables

SIZE = 4096
SIZES = (256, 4096, 65536)


@compiled
def _observe_all(states: Any, seats: Any, observations: Any) -> None:
    for row in range(states.shape[0]):
        observe(states[row], seats[row], observations[row])


@compiled
def _mark_all(states: Any, masks: Any) -> None:
    for row in range(states.shape[0]):
        legal_mask(states[row], masks[row])


@compiled
def _apply_all(states: Any, actions: Any) -> int:
    done = 0
    for row in range(states.shape[0]):
        done += apply(states[row], actions[row])
    return done


@compiled
def _deal_all(states: Any) -> None:
    for row in range(states.shape[0]):
        start_episode(states[row])


def tasks(game: Game, quick: bool) -> list[Task]:
    """One row for each part of a step, in nanoseconds per table.

    For several batch sizes there are also rows for the whole step, and for access to the same memory without the work.
    """
    parts: dict[str, tuple[str, Callable[[Tables], Callable[[], Any]]]] = {
        "observe": ("the observation of the seat to move written", _observe),
        "legal": ("the mask of the legal moves written", _mark),
        "apply": ("a legal move checked and carried out", _apply),
        "deal": ("a new episode dealt, which a step does once per episode", _deal),
    }
    whole = {
        "step": ("all of it", _step),
        "memory": ("observation and mask set to zero, the state read and written: what the memory allows", _write),
    }
    few = int(game.tables[0].options.get("num_players", game.seats[0]))
    sizes = {f"{size:,} tables": (size, few) for size in (SIZES[:2] if quick else SIZES)}
    sizes[f"{SIZE:,} tables of {game.max_seats}"] = (SIZE, game.max_seats)
    found = [
        Task("parts", f"{name}, {label}", work, " ns", partial(_measure, game, size, players, make))
        for label, (size, players) in sizes.items()
        for name, (work, make) in whole.items()
    ]
    return found + [
        Task("parts", f"{name}, {SIZE:,} tables", work, " ns", partial(_measure, game, SIZE, few, make))
        for name, (work, make) in parts.items()
    ]


def _measure(
    game: Game, size: int, players: int, make: Callable[[Tables], Callable[[], Any]], plan: Plan
) -> tuple[float, ...]:
    """Time a function on many tables; returns nanoseconds per table, one value for each of `plan.runs` runs.

    Each value is the shortest of 20 calls, which is close to the time on an undisturbed processor.

    Args:
        game: the game.
        size: the number of tables.
        players: the number of players at a table.
        make: returns the function to measure, for the given tables.
        plan: the number of runs.
    """
    tables = Tables(size, num_players=players, threads=1, game=game)
    tables.reset(seed=1)
    generators = np.zeros(size, GENERATOR)
    generators["rng"] = np.arange(size)
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
        values.append(1e9 * best / size)
    return tuple(values[1:])  # the first call can compile


def _step(tables: Tables) -> Callable[[], Any]:
    return partial(tables.step, tables.chosen)


def _observe(tables: Tables) -> Callable[[], Any]:
    observations = tables.observations.reshape(-1).view(tables.game.observation)
    return partial(_observe_all, tables.states.copy(), tables.seats, observations)


def _mark(tables: Tables) -> Callable[[], Any]:
    return partial(_mark_all, tables.states.copy(), tables.masks)


def _apply(tables: Tables) -> Callable[[], Any]:
    return partial(_apply_all, tables.states.copy(), tables.chosen)


def _deal(tables: Tables) -> Callable[[], Any]:
    return partial(_deal_all, tables.states.copy())


def _write(tables: Tables) -> Callable[[], Any]:
    """A function that writes to the arrays of the tables in place, as a step does; it restores the states."""
    states = tables.states.copy().view(np.uint8)

    def write() -> None:
        tables.observations.fill(0)
        tables.masks.fill(0)
        np.invert(states, out=states)

    write()
    return write
