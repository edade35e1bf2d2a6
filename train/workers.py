"""Several processes play, and one learns: the workers of a run of `aggrevate`.

A worker has its own tables. It plays a rollout with the weights that it received last, while the learner learns from
the rollouts of the others. The weights of a rollout are therefore about as many rollouts old as there are workers. The
gains of its trials do not depend on weights: they are outcomes of playouts.

The order of the rollouts depends on the machine, so a run with workers cannot be repeated exactly by its seed.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import nn

from banakil_env.arena.apart import WorkerError, settle
from banakil_env.arena.seeds import FIRST_HELD_OUT
from train.config import Config

if TYPE_CHECKING:
    from train.aggrevate import AggrevateRun, Played


class Workers:
    """The processes that play for one learner; a context manager, which ends them.

    Args:
        run: the class of the run, `AggrevateRun`.
        config: the configuration of the run, with the number of its `workers`.
        steps: decisions that the run has learned from so far, so that a continued run plays other deals.
    """

    def __init__(self, run: type[AggrevateRun], config: Config, steps: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._connections: list[Connection] = []  # the worker that has waited longest for its turn comes first
        self._processes = []
        for number in range(config.workers):
            here, there = context.Pipe()
            given = run, _config_of(config, number, steps), there
            process = context.Process(target=_play, args=given, daemon=True)
            process.start()
            there.close()
            self._connections.append(here)
            self._processes.append(process)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
            process.join()

    def begin(self, network: nn.Module) -> None:
        """Let all workers play with these weights. Raises WorkerError if a worker has ended."""
        weights = weights_of(network)
        for connection in self._connections:
            _send(connection, weights)

    def rollout(self, network: nn.Module) -> Played:
        """The next finished rollout. Its worker continues with the current weights.

        Raises:
            WorkerError: a worker has ended.
        """
        ready = wait(self._connections)
        connection = next(one for one in self._connections if one in ready)
        try:
            played: Played = connection.recv()
        except (EOFError, OSError):
            raise _ended() from None
        _send(connection, weights_of(network))
        self._connections.remove(connection)
        self._connections.append(connection)
        return played


def weights_of(network: nn.Module) -> dict[str, Any]:
    """The weights of a network in the form that workers receive: NumPy arrays by name."""
    return {name: tensor.cpu().numpy() for name, tensor in network.state_dict().items()}


def _send(connection: Connection, weights: dict[str, Any]) -> None:
    """Send weights to a worker. Raises WorkerError if it has ended."""
    try:
        connection.send(weights)
    except OSError:
        raise _ended() from None


def _ended() -> WorkerError:
    return WorkerError(
        "a worker of the run has ended; its error, if any, is printed above. The same command continues from the "
        "last checkpoint; with --set workers=0 the learner plays itself"
    )


def _config_of(config: Config, number: int, steps: int) -> Config:
    """The configuration of a worker: that of the run, with other deals, on one thread of the CPU."""
    [drawn] = np.random.SeedSequence([config.seed, steps, number]).generate_state(1, np.uint64)
    return dataclasses.replace(
        config,
        workers=0,
        seed=int(drawn) % FIRST_HELD_OUT,
        threads=1,
        device="cpu",
        precision="float32" if config.precision == "float32" else "auto",  # bfloat16 may be fast only on the GPU
        begin_from=None,
    )


def _play(kind: type[AggrevateRun], config: Config, learner: Connection) -> None:
    """Play rollouts for the learner until the learner ends."""
    settle()
    run = kind(config, Path())
    played = None
    while True:
        try:
            if played:
                learner.send(played)
            weights = learner.recv()
        except (EOFError, OSError):
            return
        played = run.played_with(weights)
