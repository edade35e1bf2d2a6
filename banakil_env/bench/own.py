"""Measures each interface of this package: one task for each row that `banakil bench` prints about it."""

from __future__ import annotations

import functools
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pettingzoo

from banakil_env.bench.aec_loop import aec_steps
from banakil_env.bench.measure import Plan, Task, Work, clocked, rates, stepped
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.envs.forms import FEATURES, RECORD
from banakil_env.envs.single import SingleEnv
from banakil_env.envs.tables.arrays import ROWS_PER_THREAD
from banakil_env.envs.vector import Tables

SIZES = (1, 256, 4096, 65536)
MADE = "pettingzoo.make"

# The first game of a process: with an empty cache (a new user), and with all code compiled.
FIRST_USE = """
import time; begin = time.perf_counter()
import pettingzoo, banakil_env
env = pettingzoo.make("aec", "{id}"); env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
print(time.perf_counter() - begin)
"""
FIRST_BATCH = """
import time; begin = time.perf_counter()
from banakil_env.envs.vector import Tables
tables = Tables(4096, opponents="{opponent}", game="{game}"); tables.reset(seed=1)
tables.step(tables.masks.argmax(axis=1))
print(time.perf_counter() - begin)
"""


def tasks(game: Game, quick: bool) -> list[Task]:
    """All rows of this package for one game.

    They use its main table and the last of its tables with another number of players.
    """
    return [*_engine(game), *_batch(game, quick), *_single(game), *_training(game), *_states(game), *_starts(game)]


def _tables(game: Game) -> dict[str, dict[str, Any]]:
    """The measured tables by their titles: the main one, and the last one with another number of players."""
    main = game.tables[0]
    others = [table for table in game.tables if table.options.get("num_players") != main.options.get("num_players")]
    return {table.title: dict(table.options) for table in [main, *others[-1:]]}


def _opponents(game: Game) -> list[str]:
    return list(game.players)


def _strongest(game: Game) -> str:
    """The rule-based player that serves as opponent in the rows about training."""
    return "greedy" if "greedy" in game.players else "random"


def _engine(game: Game) -> list[Task]:
    work = "a legal move chosen at random and carried out, inside one compiled loop; no mask, no observation"
    return [
        Task("engine", f"random play, {name}", work, "/s", rates(partial(_random_play, game, options)))
        for name, options in _tables(game).items()
    ]


def _random_play(game: Game, options: dict[str, Any]) -> Work:
    kernels, states = kernels_of(game), game.new(**options)
    kernels.start_one(states, np.uint64(1))
    generators, mask = np.zeros(1, GENERATOR), np.empty(game.num_actions, np.int8)

    def play() -> int:
        kernels.random_play(states, generators, 100_000, mask)
        return 100_000

    return clocked(play)


def _batch(game: Game, quick: bool) -> list[Task]:
    masked = (
        f"a legal move carried out, mask ({game.num_actions:,}) and observation ({game.observation.itemsize:,} bytes; "
        f"the state has {game.state.itemsize:,}) of the next seat written"
    )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    found = []
    for name, options in _tables(game).items():
        for size in SIZES[:3] if quick else SIZES:
            for threads in (1, 2) if cores > 1 and size >= 2 * ROWS_PER_THREAD else (1,):
                label = f"{size:,} table{'s' if size > 1 else ''}, {name}, {threads} thread{'s' if threads > 1 else ''}"
                task = rates(partial(_batch_steps, game, size, {**options, "threads": threads}))
                found.append(Task("batch", label, f"{masked}; moves chosen outside the clock", "/s", task))
    features = f"a legal move carried out, mask and {game.features.width:,} features of the next seat written"
    history = f"{features}, with the last 64 events as it has seen them"
    for label, work, options in (
        ("features", features, {}),
        ("features, history of 64", history, {"history": 64}),
    ):
        task = rates(partial(_batch_steps, game, 4096, {"threads": 1, "observation": FEATURES, **options}))
        found.append(Task("batch", f"4,096 tables, {label}, 1 thread", work, "/s", task))
    for opponent in _opponents(game):
        work = f"a learner's move, all moves of the other ({opponent}), then as above"
        task = rates(partial(_batch_steps, game, 4096, {"threads": 1, "opponents": opponent}))
        found.append(Task("batch", f"4,096 tables, learner against {opponent}, 1 thread", work, "/s", task))
    return found


def _batch_steps(game: Game, size: int, options: dict[str, Any]) -> Work:
    tables = Tables(size, game=game, **options)
    tables.reset(seed=1)
    generators = np.zeros(size, GENERATOR)
    generators["rng"] = np.arange(size)

    def work() -> tuple[int, float]:
        seconds = 0.0
        rounds = 1 if size >= 1024 else 100
        for _ in range(rounds):
            actions = tables.random_actions(generators)
            begin = time.perf_counter()
            tables.step(actions)
            seconds += time.perf_counter() - begin
        return rounds * size, seconds

    # Start in the middle of episodes, as in a long run: first moves take less time than the average.
    for _ in range(60):
        tables.step(tables.random_actions(generators))
    return work


def _single(game: Game) -> list[Task]:
    aec = "last() (observation and mask of the seat to move, as {}) and step(); the choice outside the clock"
    one = "step() with the learner's legal move and all moves of the other seat; the choice outside the clock"
    found = [
        Task(
            "single", f"AEC, {way}, {form}", aec.format(form), "/s", rates(partial(_aec_work, game, way == MADE, form))
        )
        for form in (FEATURES, RECORD)
        for way in ("unwrapped", MADE)
    ]
    return found + [
        Task(
            "single",
            f"Gymnasium against {opponent}",
            one,
            "/s",
            rates(partial(_gymnasium_work, game, opponent)),
        )
        for opponent in _opponents(game)
    ]


def _aec_work(game: Game, wrapped: bool, form: str) -> Work:
    env = pettingzoo.make("aec", game.id, observation=form)
    return stepped(aec_steps(env if wrapped else env.unwrapped))


def _gymnasium_work(game: Game, opponent: str) -> Work:
    return stepped(_gymnasium_steps(game, opponent))


def _gymnasium_steps(game: Game, opponent: str) -> Iterator[float]:
    rng = np.random.default_rng(1)
    env = SingleEnv(opponents=opponent, observation=RECORD, game=game)
    _, info = env.reset(seed=1)
    while True:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        begin = time.perf_counter()
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
        yield time.perf_counter() - begin


def _training(game: Game) -> list[Task]:
    if importlib.util.find_spec("sb3_contrib") is None:
        return []
    work = (
        f"MaskablePPO, 64 tables against {_strongest(game)}, 256x256 network, 128 steps, batch 2,048, 4 epochs, no GPU"
    )
    return [
        Task("training", "SB3 rollout", f"{work}: collecting only", "/s", partial(_train_figure, game, 1)),
        Task("training", "SB3 training", f"{work}: collecting and learning", "/s", partial(_train_figure, game, 0)),
        Task("training", "the environment's share", f"{work}: in the VecEnv", "%", partial(_train_figure, game, 2)),
    ]


def _train_figure(game: Game, which: int, plan: Plan) -> tuple[float, ...]:
    return tuple(run[which] for run in _train(game, plan))


@functools.cache
def _train(game: Game, plan: Plan) -> list[tuple[float, float, float]]:
    """For each run: training and rollout in steps per second, and the environment's share of the time in percent."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    from banakil_env.envs.sb3 import TablesVecEnv

    class Clock(BaseCallback):
        collecting = 0.0

        def _on_rollout_start(self) -> None:
            self.begin = time.perf_counter()

        def _on_step(self) -> bool:
            return True

        def _on_rollout_end(self) -> None:
            self.collecting += time.perf_counter() - self.begin

    class Timed(TablesVecEnv):
        seconds = 0.0

        def step_wait(self) -> Any:
            begin = time.perf_counter()
            result = super().step_wait()
            self.seconds += time.perf_counter() - begin
            return result

        def env_method(self, *args: Any, **kwargs: Any) -> list[Any]:
            begin = time.perf_counter()
            result = super().env_method(*args, **kwargs)
            self.seconds += time.perf_counter() - begin
            return result

    steps = 64 * 128 * (1 if plan.quick else 2)
    values = []
    for _ in range(min(plan.runs, 3)):
        env = Timed(64, opponents=_strongest(game), copy=False, game=game, seed=1)
        model = MaskablePPO(
            "MlpPolicy",
            env,
            n_steps=128,
            batch_size=2048,
            n_epochs=4,
            seed=1,
            device="cpu",
            policy_kwargs={"net_arch": [256, 256]},
        )
        env.reset()
        clock = Clock()
        begin = time.perf_counter()
        model.learn(steps, callback=clock)
        whole = time.perf_counter() - begin
        values.append((steps / whole, steps / clock.collecting, 100 * env.seconds / whole))
    return values


def _states(game: Game) -> list[Task]:
    return [
        Task(
            "state",
            "snapshot and restore",
            "one table of a batch, its arrays rewritten",
            "/s",
            rates(partial(_snapshots, game)),
        ),
        Task("state", "copy", "state.copy() of the plain interface", "/s", rates(partial(_copies, game))),
        Task(
            "state",
            "memory per table",
            "state, dice, control record, final state, all arrays",
            " bytes",
            partial(_memory, game),
        ),
    ]


def _snapshots(game: Game) -> Work:
    tables = Tables(64, threads=1, game=game)
    tables.reset(seed=1)
    row = np.array([7])

    def work() -> int:
        for _ in range(200):
            tables.restore(tables.snapshot(row), row)
        return 200

    return clocked(work)


def _copies(game: Game) -> Work:
    state = game.new()[0]

    def work() -> int:
        for _ in range(1000):
            state.copy()
        return 1000

    return clocked(work)


def _memory(game: Game, plan: Plan) -> tuple[float, ...]:
    tables = Tables(64, threads=1, game=game)
    arrays = [getattr(tables, name) for name in tables.buffer_specs()]
    arrays += [tables.states, tables.final_states, tables.controls, tables.dice]
    return (sum(array.nbytes for array in arrays) / 64,)


def _starts(game: Game) -> list[Task]:
    found = []
    opponent = _strongest(game)
    aec, batch = FIRST_USE.format(id=game.id), FIRST_BATCH.format(game=game.name, opponent=opponent)
    for name, code in (("first AEC game", aec), (f"first step of a batch against {opponent}", batch)):
        work = "a new process, imports included"
        found.append(
            Task(
                "start",
                f"{name}, cold",
                f"{work}, nothing compiled yet",
                " s",
                partial(_start, code, True),
            )
        )
        found.append(Task("start", f"{name}, warm", f"{work}, compiled before", " s", partial(_start, code, False)))
    return found


def _start(code: str, cold: bool, plan: Plan) -> tuple[float, ...]:
    """The seconds until the first game of a new process has ended, for each run.

    Args:
        code: the program to run.
        cold: whether the cache is empty. An empty cache is measured once, a full cache three times.
        plan: the lengths of the measurement.
    """
    with tempfile.TemporaryDirectory() as folder:
        # The user's cache is read as well as the configured one (core/jit/files.py): all these variables name this
        # folder.
        empty = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"), folder)
        environment = {**os.environ, **empty, "BANAKIL_QUIET": "1"}
        command = [sys.executable, "-c", code]

        def run() -> float:
            return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)

        first = run()
        return (first,) if cold else (run(), run(), run())
