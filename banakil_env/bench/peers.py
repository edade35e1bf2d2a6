"""Measures comparable environments on the same machine: those that are installed, each through its native interface.

`pip install -r requirements-peers.txt` installs them. PettingZoo's gin rummy needs an older release, in a separate
Python (requirements-peers-gin.txt). Each environment does the same work as far as its interface allows: choose a
random legal move, carry it out, and return the observation and the legal moves of the next player.
"""

from __future__ import annotations

import importlib.util
import json
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.bench import aec_loop
from banakil_env.bench.aec_loop import aec_steps
from banakil_env.bench.measure import Plan, Task, Work, clocked, rates, stepped

AEC = "last() (observation and mask) and step(); the choice outside the clock"


def tasks(quick: bool, gin_python: Path | None = None) -> list[Task]:
    """The rows of all comparable environments that are installed.

    Args:
        quick: whether the benchmark is the quick one.
        gin_python: a Python that has PettingZoo's gin rummy; None to leave it out.
    """
    found: list[Task] = []
    if gin_python is not None:
        found.append(Task("peers", "PettingZoo 1.26 gin rummy", AEC, "/s", partial(_pettingzoo_elsewhere, gin_python)))
    if _installed("rlcard"):
        found += [
            _task("PettingZoo Leduc hold'em", AEC, partial(_pettingzoo, "leduc_holdem_v4")),
            _task("RLCard gin rummy", "step() with state dict and legal actions, its own format", _rlcard),
        ]
    if _installed("pygame"):
        found.append(_task("PettingZoo connect four", AEC, partial(_pettingzoo, "connect_four_v3")))
    if _installed("pyspiel"):
        found += [
            _task(
                "OpenSpiel gin rummy, from Python",
                "legal_actions, apply_action, observation_tensor as a list; chance included, choice inside the clock",
                partial(_openspiel, True),
            ),
            _task(
                "OpenSpiel gin rummy, from Python, no observation",
                "legal_actions and apply_action; choice inside the clock",
                partial(_openspiel, False),
            ),
            _task(
                "OpenSpiel gin rummy, inside C++",
                "two uniformly random bots in evaluate_bots; no observation; new states outside the clock",
                _openspiel_inside,
            ),
        ]
    if _installed("pgx"):
        found += [
            _task(
                f"Pgx {game}, batch {size:,}",
                "step of a batch on the processor with observation and mask; a random legal choice inside the clock",
                partial(_pgx, game, size),
            )
            for game, size in ([("leduc_holdem", 4096)] if quick else [("leduc_holdem", 4096), ("backgammon", 1024)])
        ]
    if _installed("pufferlib"):
        found.append(_task("PufferLib triple triad, 4,096", "step of a batch in C; no mask", _pufferlib))
    return found


def _task(name: str, work: str, make: Callable[[], Work]) -> Task:
    return Task("peers", name, work, "/s", rates(make))


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _pettingzoo(module: str) -> Work:
    return stepped(aec_steps(importlib.import_module(f"pettingzoo.classic.{module}").env()))


def _pettingzoo_elsewhere(python: Path, plan: Plan) -> tuple[float, ...]:
    """The rates of PettingZoo's gin rummy, run by another Python.

    PettingZoo removed it in 1.27, and this package does not run with 1.26.
    """
    module = "pettingzoo.classic.gin_rummy_v4"
    command = [str(python), aec_loop.__file__, module, str(plan.runs), str(plan.seconds)]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    if answer.returncode:
        raise RuntimeError(f"{python} could not run {module}: {answer.stderr.strip().splitlines()[-1]}")
    return tuple(json.loads(answer.stdout.splitlines()[-1]))


def _rlcard() -> Work:
    import rlcard

    def steps() -> Iterator[float]:
        env = rlcard.make("gin-rummy", config={"seed": 1})
        state, _ = env.reset()
        while True:
            action = random.choice(list(state["legal_actions"]))
            begin = time.perf_counter()
            state, _ = env.step(action)
            if env.is_over():
                state, _ = env.reset()
            yield time.perf_counter() - begin

    return stepped(steps(), 200)


class _OpenSpiel:
    """Plays a game of gin rummy in OpenSpiel at each call; the call returns the number of decisions."""

    def __init__(self, observe: bool) -> None:
        import pyspiel

        self.observe = observe
        self.initial = pyspiel.load_game("gin_rummy").new_initial_state()
        self.random = random.Random(1)

    def __call__(self) -> int:
        state, decisions, draw = self.initial.clone(), 0, self.random
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw.random() * len(outcomes))][0])
                continue
            if self.observe:
                state.observation_tensor(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(draw.random() * len(legal))])
            decisions += 1
        return decisions


def _openspiel(observe: bool) -> Work:
    return clocked(_OpenSpiel(observe))


def _openspiel_inside() -> Work:
    import pyspiel

    initial = pyspiel.load_game("gin_rummy").new_initial_state()
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(2)]
    seed = iter(range(1, 2**31))

    def work() -> tuple[int, float]:
        state = initial.clone()
        begin = time.perf_counter()
        pyspiel.evaluate_bots(state, bots, next(seed))
        seconds = time.perf_counter() - begin
        return sum(1 for player, _ in _moves(state) if player >= 0), seconds

    return work


def _moves(state: Any) -> list[tuple[int, int]]:
    return [(move.player, move.action) for move in state.full_history()]


def _pgx(game: str, size: int) -> Work:
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(game)
    step = pgx.experimental.auto_reset(env.step, env.init)

    def once(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        actions = jax.random.categorical(choice, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=1)
        state = jax.vmap(step)(state, actions, jax.random.split(chance, size))
        return (state, key), (state.observation.sum(), state.rewards.sum())

    rounds = 50
    play = jax.jit(lambda carry: jax.lax.scan(once, carry, None, length=rounds))
    carry = (jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), size)), jax.random.key(2))

    def work() -> int:
        nonlocal carry
        carry, seen = play(carry)
        jax.block_until_ready(seen)
        return rounds * size

    return clocked(work)


def _pufferlib() -> Work:
    from pufferlib.ocean.tripletriad.tripletriad import TripleTriad

    env = TripleTriad(num_envs=4096)
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, env.single_action_space.n, (64, env.num_agents))

    def work() -> int:
        for row in actions:
            env.step(row)
        return int(actions.size)

    return clocked(work)
