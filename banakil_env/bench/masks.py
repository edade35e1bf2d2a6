"""Measures the time to compute one mask.

Some masks need look-ahead, so the slowest decision matters as well as the mean. The positions come from matches at the
main table of a game, in which one player plays all seats.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.players import CompiledPlayer
from banakil_env.bench.measure import Plan, Task
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.envs.vector import Tables

TABLES = 256
FEW, MANY = 20_000, 200_000  # numbers of positions, in a quick and in a full benchmark
SLOW = 5_000  # nanoseconds above which a mask is measured again: the machine may have paused
AGAIN = 3

FIGURES: dict[str, Callable[[npt.NDArray[np.int64]], Any]] = {
    "mean": np.mean,
    "99.9th percentile": lambda found: np.percentile(found, 99.9),
    "slowest": np.max,
}


def tasks(game: Game, quick: bool, positions: int = 0) -> list[Task]:
    """Three rows for each rule-based player: mean, 99.9th percentile and maximum, in microseconds.

    Args:
        game: the game.
        quick: whether the benchmark is the quick one.
        positions: the number of positions; 0 for the default of the benchmark.
    """
    count = positions or (FEW if quick else MANY)
    work = f"the mask of one of {count:,} positions written, in matches; the shortest of {AGAIN + 1} times if slow"
    return [
        Task("masks", f"met by {player}, {name}", work, " µs", partial(_measure, game, player, count, name))
        for player in game.players
        for name in FIGURES
    ]


def _measure(game: Game, player: str, count: int, name: str, plan: Plan) -> tuple[float, ...]:
    return (float(FIGURES[name](_times(game, player, count))) / 1000,)


@functools.lru_cache(maxsize=1)
def _times(game: Game, player: str, count: int) -> npt.NDArray[np.int64]:
    """The nanoseconds of each of `count` masks, less the time of an empty call.

    Args:
        game: the game.
        player: the rule-based player whose positions are measured.
        count: the number of masks.
    """
    write, mask = kernels_of(game).legal_one, np.zeros(game.num_actions, np.int8)
    found, clock = np.zeros(count, np.int64), time.perf_counter_ns
    for done, state in enumerate(itertools.islice(_met_by(game, player), count)):
        begin = clock()
        write(state, mask)
        took = clock() - begin
        if took > SLOW:
            for _ in range(AGAIN):
                begin = clock()
                write(state, mask)
                took = min(took, clock() - begin)
        found[done] = took
    return np.maximum(found - _call_alone(), 0)


def _met_by(game: Game, player: str) -> Iterator[npt.NDArray[Any]]:
    """Yield the positions that a player reaches at all seats, without end; each is an array of one state."""
    options = {**game.tables[0].options, "episode": "match"}
    tables = Tables(TABLES, game=game, threads=1, **options)
    tables.reset(seed=1)
    act = CompiledPlayer(player, game).act
    dice, thrown = np.random.default_rng(1), np.zeros(TABLES, GENERATOR)
    while True:
        for row in range(TABLES):
            yield tables.states[row : row + 1].copy()
        thrown["rng"] = dice.integers(2**63, size=TABLES)
        tables.step(act(tables.observations, tables.masks, thrown["rng"]))


def _call_alone() -> int:
    """The time of an empty call: the median nanoseconds between two readings of the clock around it."""
    clock, nothing, found = time.perf_counter_ns, np.zeros(0, np.int8).fill, []
    for _ in range(10_001):
        begin = clock()
        nothing(0)
        found.append(clock() - begin)
    return int(np.median(found))
