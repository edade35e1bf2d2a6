"""Measures steps through PettingZoo's AEC interface, for environments with action masks of this and other packages.

The file is also a program, for a Python that has another release of PettingZoo and not this package:
`python aec_loop.py MODULE RUNS SECONDS` prints the steps per second of each run, as JSON.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np


def aec_steps(env: Any) -> Iterator[float]:
    """Play random legal actions through PettingZoo's AEC interface, without end, and yield the seconds of each step."""
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    while True:
        if not env.agents:
            env.reset()
        begin = time.perf_counter()
        observation, _, terminated, truncated, info = env.last()
        looked = time.perf_counter()
        action = None
        if not (terminated or truncated):
            mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            action = int(rng.choice(np.flatnonzero(mask)))
        chosen = time.perf_counter()
        env.step(action)
        yield time.perf_counter() - chosen + looked - begin


def rates_of(env: Any, runs: int, seconds: float) -> list[float]:
    """Steps per second of each run; the first hundred steps are not counted.

    Args:
        env: the environment.
        runs: the number of runs.
        seconds: the length of a run.
    """
    steps = aec_steps(env)
    for _ in range(100):
        next(steps)
    found = []
    for _ in range(runs):
        count, spent, end = 0, 0.0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            spent += sum(next(steps) for _ in range(20))
            count += 20
        found.append(count / spent)
    return found


if __name__ == "__main__":
    module, runs, seconds = sys.argv[1:]
    print(json.dumps(rates_of(importlib.import_module(module).env(), int(runs), float(seconds))))
