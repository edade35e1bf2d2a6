"""Measures the cost of a history: `Tables` with and without one, stepped in turns with the same deals and actions.

    python -m banakil_env.bench.history_pairs --game gin --observation cards --history 64

Actions are random legal actions, the caller plays every seat, on one thread. Times are processor time, since other
programs can run as well. The program prints the shortest and the median time of all steps.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

from banakil_env.envs.forms import FEATURES, FORMS
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the nanoseconds per step and table without and with a history, and their ratio."""
    parser = argparse.ArgumentParser(description="Measure tables with a history next to tables without one.")
    parser.add_argument("--game", nargs="+", choices=list(GAMES), default=list(GAMES), help="without it all")
    parser.add_argument("--observation", choices=FORMS, default=FEATURES)
    parser.add_argument("--history", type=int, default=64, help="events that are shown")
    parser.add_argument("--tables", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=60, help="steps of each that are measured")
    wanted = parser.parse_args(arguments)
    print(f"{'game':14} {'without':>9} {'with':>9}  ratio of the shortest, of the medians")
    for game in wanted.game:
        without, remembering = times(game, wanted)
        ratios = (
            f"{min(remembering) / min(without):.2f} {statistics.median(remembering) / statistics.median(without):9.2f}"
        )
        print(f"{game:14} {min(without):6.0f} ns {min(remembering):6.0f} ns  {ratios}", flush=True)


def times(game: str, wanted: argparse.Namespace) -> tuple[list[float], list[float]]:
    """Nanoseconds per table of each step, without and with a history."""
    both = [
        Tables(wanted.tables, game=game, observation=wanted.observation, history=length, threads=1)
        for length in (0, wanted.history)
    ]
    for tables in both:
        tables.reset(seed=0)
        for _ in range(40):  # start in the middle of episodes, as in a long run
            tables.step(tables.random_actions())
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(wanted.steps):
        actions = both[0].random_actions().copy()
        for tables, each in zip(both, found):
            begin = time.thread_time_ns()
            tables.step(actions)
            each.append((time.thread_time_ns() - begin) / wanted.tables)
    return found


if __name__ == "__main__":
    main()
