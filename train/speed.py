"""Measures the processor time of the parts of `train/ppo.py` in a few rollouts and updates, as a table.

    python -m train.speed yaniv-2p gin-2p
    python -m train.speed rummy-2p --set rests=true batch=1024

It prints one line per standing table: decisions per second in total, and microseconds per decision of each part.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any
from unittest import mock

import torch

from train import ppo
from train.config import made_of, with_
from train.recipes import standing_tables

PARTS = {
    "features": "write features and list legal moves",
    "play": "the network in the rollout",
    "sample": "sample the moves",
    "step": "step the tables",
    "advantages": "estimate advantages",
    "forward": "the network and the loss in the update",
    "backward": "gradients",
    "optimizer": "Adam, the bound of the gradient, the average",
}
TABLES = standing_tables()


class Watch:
    """Measures the processor time of named parts. Time of a part inside another counts only for the inner part."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self._running: list[str] = []
        self._since = 0.0

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that calls `function` and counts its time for the part."""

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self._switch()
            self._running.append(part)
            try:
                return function(*args, **kwargs)
            finally:
                self._switch()
                self._running.pop()

        return call

    def _switch(self) -> None:
        now = time.process_time()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now


def measure(config: ppo.Config, rounds: int) -> dict[str, float]:
    """Microseconds per decision of each part, over `rounds` rollouts and updates after the first two."""
    learner, watch = ppo.Learner(config), Watch()
    for _ in range(2):  # lets the memory grow to its final size
        learner.play()
        learner.update()
    in_play, in_update = (watch.timed(part, learner.network.forward) for part in ("play", "forward"))

    def forward(*args: Any) -> Any:
        """The network; its time in the update counts for the update."""
        return in_update(*args) if torch.is_grad_enabled() else in_play(*args)

    for owner, name, timed in (
        (learner.rollout, "look", watch.timed("features", learner.rollout.look)),
        (learner.rollout, "carry_out", watch.timed("step", learner.rollout.carry_out)),
        (learner.rollout, "estimate_advantages", watch.timed("advantages", learner.rollout.estimate_advantages)),
        (learner.network, "forward", forward),
        (learner, "play", watch.timed("sample", learner.play)),
        (learner, "loss", watch.timed("forward", learner.loss)),
        (learner, "update", watch.timed("optimizer", learner.update)),
    ):
        setattr(owner, name, timed)
    with mock.patch.object(torch.Tensor, "backward", watch.timed("backward", torch.Tensor.backward)):
        for _ in range(rounds):
            learner.play()
            learner.update()
    decisions = rounds * config.num_tables * config.rollout
    return {part: 1e6 * seconds / decisions for part, seconds in watch.seconds.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.speed", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("tables", nargs="+", choices=TABLES, metavar="table", help="a standing table, such as gin-2p")
    parser.add_argument("--rounds", type=int, default=8, help="rollouts and updates that are timed")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="settings of train/ppo.py")
    options = parser.parse_args(arguments)
    changes = {name: json.loads(value) for name, _, value in (one.partition("=") for one in options.set)}
    print(f"| table | decisions per second | {' | '.join(PARTS.values())} |\n|{' --- |' * (len(PARTS) + 2)}")
    for name in options.tables:
        config = with_(made_of(ppo.Config, {"table": TABLES[name]}, "run"), changes)
        parts = measure(config, options.rounds)
        cells = [f"{1e6 / sum(parts.values()):,.0f}", *(f"{parts[part]:.2f}" for part in PARTS)]
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
