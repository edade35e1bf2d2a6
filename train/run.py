"""The base class of all trainers: the budget, the learning curve, the checkpoint and the agent.

A trainer adds only the learning. The folder of a run contains config.json, checkpoint.safetensors, agent.safetensors
(played as `net:FOLDER`), curve.json and curve.png. A run that was killed continues from its last checkpoint.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from banakil_env.agents.making import make_network
from banakil_env.agents.model import UNSAID, Network
from banakil_env.agents.network import FILE as AGENT_FILE
from banakil_env.agents.network import AgentError, load, save_agent
from banakil_env.core.files import write_whole
from banakil_env.envs.vector import Tables
from train import checkpoint as checkpoints
from train.checkpoint import Checkpoint, Progress
from train.config import PAST, SELF, Config, ConfigError
from train.curve import FILE as CURVE_FILE
from train.curve import Point, draw, standings
from train.pool import PastSelves
from train.progress import Display
from train.recipes import STAGES
from train.widen import with_rests


class DivergedError(RuntimeError):
    """A loss or a weight is no longer finite; the last checkpoint and agent are from before that."""


class Run(ABC):
    """One run, started from its configuration or continued from a checkpoint.

    A trainer sets `network`, `optimizer` and `tables`, calls `start`, and calls `between` between two rollouts.

    Args:
        config: the configuration; in a continued run only its end and its workers can differ.
        folder: the folder for all files of the run.
        tensorboard: whether to write figures for TensorBoard too.

    Attributes:
        network: the network that learns.
        average: the average of its last weights, if the agent plays with it (`agent`).
        optimizer: the optimizer of the network that learns.
        tables: every batch of tables.
        progress: the progress of the run; its steps are those of the last checkpoint.
        past: the past selves among the opponents.
        figures: figures of the last update, by name: entropy, clip_fraction, explained_variance and more.
    """

    network: Network
    average: Network | None = None
    optimizer: torch.optim.Optimizer
    tables: Sequence[Tables]
    method: str  # the name of the method in a chart

    def __init__(self, config: Config, folder: Path, tensorboard: bool = False) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.folder = config, folder
        self.progress = Progress()
        self.past = PastSelves(config.pool, config.seed, config.game)
        self.figures: dict[str, float] = {}
        self._tensorboard: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter  # imported here, since it takes a second

            self._tensorboard = SummaryWriter(str(folder / "tensorboard"))

    @property
    def agent(self) -> Network:
        """The network that is evaluated and written."""
        return self.average or self.network

    @abstractmethod
    def learn(self, display: Display) -> None:
        """Learn until `done() >= 1`, calling `between` before each rollout."""

    @property
    @abstractmethod
    def steps(self) -> int:
        """The number of decisions learned from so far."""

    def start(self, checkpoint: Checkpoint | None) -> None:
        """Start the run, or continue it from a checkpoint. All code is compiled before the time counts."""
        if checkpoint:
            self.progress = checkpoint.progress
            checkpoints.restore(checkpoint, self)
        standings(
            self.agent,
            dataclasses.replace(self.config, evaluation=dataclasses.replace(self.config.evaluation, deals=1)),
        )
        self._begun = time.monotonic() - self.progress.seconds
        self._cpu_begun = time.process_time() - self.progress.cpu_seconds
        self._saved = self._last = self.seconds()
        times = self.config.evaluation.times
        marks = [number / (times + 1) for number in range(times + 1)]
        self._marks = [mark for mark in marks if mark >= self.done() or not self.progress.points]

    def seconds(self) -> float:
        """Wall time since the start in seconds, over all parts of the run."""
        return time.monotonic() - self._begun

    def cpu_seconds(self) -> float:
        """Processor time of all threads of this process since the start in seconds, over all parts of the run."""
        return time.process_time() - self._cpu_begun

    def done(self) -> float:
        """The share of the budget that has been spent, from 0 to 1 and beyond."""
        steps = self.steps / self.config.steps if self.config.steps else 0.0
        seconds = self.seconds() / self.config.seconds if self.config.seconds else 0.0
        return max(steps, seconds)

    def learning_rate(self, left: float) -> float:
        """The learning rate when the share `left` of the budget is left, from 1 to 0. It falls linearly."""
        optimizer = self.config.optimizer
        return optimizer.learning_rate * (optimizer.final_rate + (1 - optimizer.final_rate) * max(left, 0.0))

    def train(self, display: Display | None = None) -> Progress:
        """Train to the end of the budget, and write the agent, the curve and its chart; returns the progress."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / "config.json", self.config.to_json().encode())
        with display or Display(self.config.name, sys.stderr) as shown:
            if self.done() < 1:
                self.learn(shown)
                self.check_weights()
            self.evaluate(shown)
        self.write_checkpoint()
        self.write_agent()
        return self.progress

    def between(self, display: Display) -> bool:
        """Called between two rollouts: evaluates, keeps a past self, writes a checkpoint.

        Returns:
            Whether to stop now, since more than half of the next rollout would be beyond the time limit.

        Raises:
            DivergedError: after the last update some weights are not finite.
        """
        self.check_weights()
        if self._marks and self.done() >= self._marks[0]:
            self.evaluate(display)
            self._marks = [mark for mark in self._marks if mark > self.done()]
        if self.steps >= self.config.imitation.decisions and self.past.due(self.steps):
            self.past.keep(self.steps, self.network)
        now = self.seconds()
        if now - self._saved >= self.config.checkpoint_seconds:
            self.write_checkpoint()
            self.write_agent()
            self._saved = now
        took, self._last = now - self._last, now
        return self.config.seconds is not None and now + took / 2 >= self.config.seconds and self.steps > 0

    def check_weights(self) -> None:
        """Raise DivergedError if a weight of the network that learns, or of its average, is not finite."""
        for learned in (self.network, self.average):
            if learned is not None and not all(bool(torch.isfinite(weights).all()) for weights in learned.parameters()):
                raise self._diverged("weights")

    def _diverged(self, what: str) -> DivergedError:
        kept = self.folder / checkpoints.FILE
        left = f"the last checkpoint, {kept}, is as it was" if kept.is_file() else "no checkpoint had been written yet"
        return DivergedError(
            f"{self.config.name}: the {what} became NaN or infinite after about {self.steps:,} decisions, with "
            f"optimizer.learning_rate {self.config.optimizer.learning_rate:g}; {left}. Begin another run with a lower "
            "learning rate"
        )

    def log(self, **figures: float) -> None:
        """Store the figures of an update for the next point of the curve, and write them for TensorBoard.

        Raises:
            DivergedError: a loss is not finite.
        """
        for name in ("loss", "value_loss"):
            if not math.isfinite(figures.get(name, 0.0)):
                raise self._diverged(name.replace("_", " "))
        self.figures.update({name: value for name, value in figures.items() if math.isfinite(value)})
        if self._tensorboard:
            for name, value in figures.items():
                self._tensorboard.add_scalar(f"train/{name}", value, self.steps)

    def evaluate(self, display: Display) -> None:
        """Evaluate and add a point to the curve, unless the curve has a point at these steps."""
        steps, points = self.steps, self.progress.points
        if points and points[-1].steps == steps:
            return
        said = {name: self.figures.get(name) for name in ("entropy", "clip_fraction", "explained_variance")}
        said["cpu_seconds"] = round(self.cpu_seconds(), 2)
        points.append(Point(steps, round(self.seconds(), 2), standings(self.agent, self.config), **said))
        display.show(self.done(), steps, self.seconds(), points[-1])
        if self._tensorboard:
            for standing in points[-1].standings:
                self._tensorboard.add_scalar(f"evaluation/points_{standing.opponent}", standing.margin, steps)
            self._tensorboard.flush()

    def write_checkpoint(self) -> None:
        """Write a checkpoint, from which the run can continue."""
        self.progress.steps, self.progress.seconds = self.steps, self.seconds()
        self.progress.cpu_seconds = self.cpu_seconds()
        path = self.folder / checkpoints.FILE
        checkpoints.write(path, self)

    def write_agent(self) -> None:
        """Write the agent, and the curve as numbers and as a picture."""
        points = [dataclasses.asdict(point) for point in self.progress.points]
        about = {
            "config": dataclasses.asdict(self.config),
            "steps": self.steps,
            "seconds": round(self.seconds(), 1),
            "last": points[-1],
        }
        save_agent(self.folder / AGENT_FILE, self.agent, about)
        write_whole(self.folder / CURVE_FILE, (json.dumps(points, indent=1) + "\n").encode())
        names = {SELF: "itself", PAST: "its past selves"}
        opponents = ", ".join(names.get(player, player) for player in dict.fromkeys(self.config.pool.players))
        title = f"{self.config.name}: {self.method}, learning from games with {opponents}"
        draw(self.progress.points, self.folder / "curve.png", title)


def device_of(name: str) -> torch.device:
    """The device with this name; "auto" is a GPU if there is one. Raises ConfigError if it is not available."""
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
        torch.zeros(1, device=device).item()  # fails for the device "meta"
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"device: {name!r:.80} is not available: {error}") from None
    return device


def first_network(config: Config) -> Network:
    """The network at the start of a run.

    Raises ConfigError if the network of `begin_from` cannot be loaded or has another shape.
    """
    network = make_network(config.game, config.network, config.seed)
    if config.begin_from is not None:
        try:
            begun = load(config.begin_from, config.game).network
        except AgentError as error:
            stage = Path(config.begin_from).name
            made = f"`python -m train {stage}` trains it, into runs/{stage}: set begin_from to that folder"
            way = f"{made}, or to null, for random weights" if stage in STAGES else "set it to null, for random weights"
            raise ConfigError(f"begin_from: {error}; {way}") from error
        wanted, there = config.network, begun.shape
        more = any(getattr(there, name) > getattr(wanted, name) for name in UNSAID)
        fixed = ("hidden", "channels", "offers", "takes")  # a network cannot be widened in these
        if more or any(getattr(there, name) != getattr(wanted, name) for name in fixed):
            also = "".join(f" with {name}" for name in UNSAID if getattr(there, name))
            raise ConfigError(
                f"begin_from: the agent of {config.begin_from} is of {there}{also}; set network.hidden, "
                "network.channels, network.sets, network.rests, network.offers, network.cards and network.takes to the "
                "same, or begin_from to another agent or to null"
            )
        weights, own = begun.state_dict(), network.state_dict()
        if there.rests != wanted.rests:
            weights = with_rests(weights, config.game, there)
        # Weights for advice are left out of a learner without an adviser.
        network.load_state_dict(own | {name: tensor for name, tensor in weights.items() if name in own})
    return network
