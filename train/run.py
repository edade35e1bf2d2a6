"""What do all trainers share? The budget, the learning curve, the checkpoint and the agent: all but the learning.

The folder of a run holds config.json, checkpoint.safetensors, agent.safetensors (`ppo:FOLDER` plays it), curve.json and
curve.png. A run that was killed goes on from its last checkpoint.
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

from banakil_env.agents.model import Network, make_network
from banakil_env.agents.network import FILE as AGENT_FILE
from banakil_env.agents.network import AgentError, load, save_agent, write_whole
from banakil_env.envs.vector import Tables
from train import checkpoint as checkpoints
from train.checkpoint import Checkpoint, Progress
from train.config import PAST, SELF, Config, ConfigError
from train.curve import FILE as CURVE_FILE
from train.curve import Point, draw, standings
from train.pool import PastSelves
from train.progress import Display


class DivergedError(RuntimeError):
    """A loss or a weight is not finite any more; the last checkpoint and agent are those written before."""


class Run(ABC):
    """One run, from its configuration or from a checkpoint of it.

    A trainer sets `network`, `optimizer` and `tables`, calls `start`, and between two rollouts `between`.

    Args:
        config: what to do; of a run that goes on it may differ in its end only.
        folder: where everything is written.
        tensorboard: write what TensorBoard shows, too.

    Attributes:
        network: the network that learns. average: of its last weights, where that is what plays (`agent`).
        optimizer: of the network that learns.
        tables: every batch of tables that is learned from.
        progress: how far it is; its steps are of the last checkpoint.
        past: the past selves that it plays.
        figures: of the last update, by name: entropy, clip_fraction, explained_variance and more.
    """

    network: Network
    average: Network | None = None
    optimizer: torch.optim.Optimizer
    tables: Sequence[Tables]
    method: str  # what a picture calls it

    def __init__(self, config: Config, folder: Path, tensorboard: bool = False) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.folder = config, folder
        self.progress = Progress()
        self.past = PastSelves(config.pool, config.seed, config.game)
        self.figures: dict[str, float] = {}
        self._tensorboard: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter  # late: a second that not every run has to wait for

            self._tensorboard = SummaryWriter(str(folder / "tensorboard"))

    @property
    def agent(self) -> Network:
        """The network that is measured and written."""
        return self.average or self.network

    @abstractmethod
    def learn(self, display: Display) -> None:
        """Learn until `done() >= 1`, calling `between` before each rollout."""

    @property
    @abstractmethod
    def steps(self) -> int:
        """Decisions learned from so far."""

    def start(self, checkpoint: Checkpoint | None) -> None:
        """Begin, or go on from a checkpoint; everything is compiled before the time counts."""
        if checkpoint:
            self.progress = checkpoint.progress
            checkpoints.restore(checkpoint, self)
        standings(
            self.agent,
            dataclasses.replace(self.config, evaluation=dataclasses.replace(self.config.evaluation, deals=1)),
        )
        self._begun = time.monotonic() - self.progress.seconds
        self._saved = self._last = self.seconds()
        times = self.config.evaluation.times
        marks = [number / (times + 1) for number in range(times + 1)]
        self._marks = [mark for mark in marks if mark >= self.done() or not self.progress.points]

    def seconds(self) -> float:
        """Of wall time since the start, over all parts of the run."""
        return time.monotonic() - self._begun

    def done(self) -> float:
        """How much of the budget is spent, 0 to 1 and beyond."""
        steps = self.steps / self.config.steps if self.config.steps else 0.0
        seconds = self.seconds() / self.config.seconds if self.config.seconds else 0.0
        return max(steps, seconds)

    def learning_rate(self, left: float) -> float:
        """It falls in a line with what is left of the budget, 1 to 0."""
        ppo = self.config.ppo
        return ppo.learning_rate * (ppo.final_rate + (1 - ppo.final_rate) * max(left, 0.0))

    def train(self, display: Display | None = None) -> Progress:
        """Train to the end of the budget, and write the agent, the curve and its picture; the progress."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / "config.json", self.config.to_json().encode())
        with display or Display(self.config, sys.stderr) as shown:
            if self.done() < 1:
                self.learn(shown)
                self.check_weights()
            self.evaluate(shown)
        self.write_checkpoint()
        self.write_agent()
        return self.progress

    def between(self, display: Display) -> bool:
        """What is done between two rollouts: evaluate, keep a past self, write a checkpoint.

        Returns:
            Whether the next rollout is the last: one that would end after the time is up by more than half of it is
            not begun.

        Raises:
            DivergedError: the last update has left weights that are not finite.
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
        """DivergedError: a weight of what learns, or of its average, is not finite."""
        for learned in (self.network, self.average):
            if learned is not None and not all(bool(torch.isfinite(weights).all()) for weights in learned.parameters()):
                raise self._diverged("weights")

    def _diverged(self, what: str) -> DivergedError:
        kept = self.folder / checkpoints.FILE
        left = f"the last checkpoint, {kept}, is as it was" if kept.is_file() else "no checkpoint had been written yet"
        return DivergedError(
            f"{self.config.name}: the {what} became NaN or infinite after about {self.steps:,} decisions, with "
            f"ppo.learning_rate {self.config.ppo.learning_rate:g}; {left}. Begin another run with a lower learning rate"
        )

    def log(self, **figures: float) -> None:
        """Figures of an update: kept for the next point of the curve, and written for TensorBoard.

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
        """Add a point to the curve, unless there is one at these steps."""
        steps, points = self.steps, self.progress.points
        if points and points[-1].steps == steps:
            return
        said = [self.figures.get(name) for name in ("entropy", "clip_fraction", "explained_variance")]
        points.append(Point(steps, round(self.seconds(), 2), standings(self.agent, self.config), *said))
        display.show(self.done(), steps, self.seconds(), points[-1])
        if self._tensorboard:
            for standing in points[-1].standings:
                self._tensorboard.add_scalar(f"evaluation/points_{standing.opponent}", standing.margin, steps)
            self._tensorboard.flush()

    def write_checkpoint(self) -> None:
        """Write all that is needed to go on from here."""
        self.progress.steps, self.progress.seconds = self.steps, self.seconds()
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
    """The device of this name; "auto": a GPU where there is one. ConfigError: it cannot be had."""
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
        torch.zeros(1, device=device).item()  # which the device "meta" cannot give
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"device: {name!r:.80} cannot be had: {error}") from None
    return device


def first_network(config: Config) -> Network:
    """The network that a run begins with. ConfigError: that of `begin_from` cannot be had or is of another shape."""
    network = make_network(config.game, config.network, config.seed)
    if config.begin_from is not None:
        try:
            begun = load(config.begin_from, config.game).network
        except AgentError as error:
            raise ConfigError(f"begin_from: {error}; or set begin_from to null, for weights by chance") from error
        if dataclasses.replace(begun.shape, advice=config.network.advice) != config.network:
            raise ConfigError(
                f"begin_from: the agent of {config.begin_from} is of {begun.shape}; set network.hidden and "
                "network.channels to the same, or begin_from to another agent or to null"
            )
        network.load_state_dict(network.state_dict() | begun.state_dict(), strict=begun.shape == config.network)
    return network
