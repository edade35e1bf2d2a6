"""Compares the speed of `JaxTable` with `Tables`: the same tables and random legal actions, in turns in one process.

    python -m banakil_env.bench.jax_pairs --game gin --tables 4096

Both draw their actions by compiled code and step on one thread, without opponents. Seconds are processor time, since
other programs can run as well. A pair is one run of each, one after the other; the program prints the medians over the
pairs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from banakil_env.envs.forms import FEATURES, RECORD
from banakil_env.envs.vector import Tables


def main() -> None:
    """Print the steps per second of `JaxTable` and `Tables`, and their ratio."""
    parser = argparse.ArgumentParser(description="Measure JaxTable next to Tables.")
    parser.add_argument("--game", default="gin")
    parser.add_argument("--tables", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=200, help="steps of each table in a run")
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--observation", choices=(RECORD, FEATURES), default=RECORD)
    wanted = parser.parse_args()
    runs = in_jax(wanted), in_tables(wanted)
    for run in runs:
        run()  # the first run compiles
    seconds = [[timed(run) for run in runs] for _ in range(wanted.pairs)]
    done = wanted.tables * wanted.steps
    for name, each in zip(("JaxTable", "Tables"), zip(*seconds)):
        median = statistics.median(each)
        print(f"{name:10} {done / median / 1e6:6.2f} M steps/s, {median / done * 1e9:5.0f} ns a step")
    print(f"time of JaxTable / time of Tables: {statistics.median(a / b for a, b in seconds):.2f}")


def timed(run: Callable[[], Any]) -> float:
    """The seconds of processor time that a run takes."""
    begin = time.process_time()
    run()
    return time.process_time() - begin


def in_jax(wanted: argparse.Namespace) -> Callable[[], Any]:
    """A function for one run of `JaxTable` as a compiled computation; it returns when the computation is done."""
    import jax  # needs the extra `jax`

    from banakil_env.envs.jax import JaxTable

    env = JaxTable(wanted.game, observation=wanted.observation)

    def step(states: Any, key: Any) -> Any:
        keys = jax.random.split(key, wanted.tables)
        actions = jax.vmap(env.random_action)(keys, states.legal_action_mask)
        states = jax.vmap(env.step)(states, actions)
        return states, states.rewards.sum()

    play = jax.jit(lambda states: jax.lax.scan(step, states, jax.random.split(jax.random.key(1), wanted.steps)))
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), wanted.tables))
    return lambda: jax.block_until_ready(play(states))


def in_tables(wanted: argparse.Namespace) -> Callable[[], Any]:
    """A function for one run of `Tables`, a Python loop over NumPy arrays."""
    tables = Tables(wanted.tables, game=wanted.game, observation=wanted.observation, threads=1)
    tables.reset(seed=0)
    begin = tables.snapshot()

    def play() -> float:
        tables.restore(begin)
        tables.generators["rng"] = np.arange(wanted.tables, dtype=np.uint64)
        total = 0.0
        for _ in range(wanted.steps):
            tables.step(tables.random_actions())
            total += float(tables.rewards.sum())
        return total

    return play


if __name__ == "__main__":
    main()
