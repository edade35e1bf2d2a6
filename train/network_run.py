"""The base class of the trainers in this repository: a network, its optimizer, and the rollouts that it learns from."""

from __future__ import annotations

import copy
from abc import abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from banakil_env.agents.sparse import multiplies_bfloat16
from train.checkpoint import Checkpoint
from train.config import MAX_GRAD_NORM, Config
from train.progress import Display
from train.rollout import Rollout, Seen
from train.run import Run, device_of, first_network


class NetworkRun(Run):
    """A run that plays rollouts and learns from each; see `Run`.

    Attributes:
        device: the device of the network that learns.
        dtype: the type of the matrices that it multiplies.
        rollout: the tables, and the last rollout.
    """

    def __init__(
        self, config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False
    ) -> None:
        super().__init__(config, folder, tensorboard)
        torch.manual_seed(config.seed)
        self.device = device_of(config.device)
        self.dtype = _precision(config.precision, self.device)
        self.network = first_network(config).to(self.device)
        if config.optimizer.average:
            self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5, fused=True)
        self._steps = start.progress.steps if start else 0
        self.rollout = Rollout(config, self.past.others, self.device, self.dtype)
        self.tables = self.rollout.batches
        self.rollout.deal(None if start else config.seed)
        self.compile()
        self.start(start)
        if start:
            self.rollout.deal(None)

    @property
    def steps(self) -> int:
        """The number of decisions learned from so far."""
        return self._steps

    @property
    def imitating(self) -> bool:
        """Whether the run still imitates a rule-based player."""
        return self.steps < self.config.imitation.decisions

    def learn(self, display: Display) -> None:
        """Play rollouts and learn from each until the run is done, calling `between` before each rollout."""
        last = False
        while self.done() < 1 and not last:
            last = self.between(display)
            self.roll_out()
            self.update()
            self._steps += self.rollout.picks.size
            display.show(self.done(), self.steps, self.seconds(), None)

    @abstractmethod
    def roll_out(self) -> None:
        """Play `rollout.steps` decisions at every table, and store the data that the update needs."""

    @abstractmethod
    def update(self) -> None:
        """Learn from the rollout."""

    def compile(self) -> None:
        """Call the functions that are compiled on their first call once, before the time of the run starts."""
        with self.precisely():
            logits, values = self.network.among(*self.rollout.look(0))
        (logits.clamp(min=0).sum() + values.sum()).backward()
        self.optimizer.zero_grad()

    def judged(self, step: int) -> tuple[Seen, Tensor, Tensor]:
        """Store the current observations as those of a step, and evaluate them.

        During imitation the network gets no advice: it would only learn to follow the advice.

        Returns:
            The input of the network, the logits of the legal actions, and the expected returns.
        """
        seen = self.rollout.look(step, advised=not self.imitating)
        return seen, *self.network.among(*seen)

    def precisely(self) -> Any:
        """A context in which matrices are multiplied in `dtype`."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.dtype == torch.bfloat16)

    def set_learning_rate(self, rate: float) -> None:
        """Set the learning rate for the next steps of the optimizer."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def step(self, loss: Tensor) -> None:
        """Take one step of the optimizer. The average of the weights begins when imitation ends."""
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), MAX_GRAD_NORM)
        self.optimizer.step()
        if self.average:
            weight = 1.0 if self.imitating else 1 - self.config.optimizer.average
            with torch.no_grad():
                for mean, last in zip(self.average.parameters(), self.network.parameters()):
                    mean.lerp_(last, weight)


def sampled(logprobs: Tensor) -> Tensor:
    """Draw a random column for each row, (n, 1), by log probabilities, (n, width)."""
    upto = logprobs.exp().cumsum(1)
    drawn = torch.rand(len(logprobs), 1, device=logprobs.device) * upto[:, -1:]
    return (upto <= drawn).sum(1, keepdim=True).clamp(max=logprobs.shape[1] - 1)


def explained_variance(expected: Any, found: Any) -> float:
    """The share of the variance of `found` that the predictions `expected` explain: 1 for all of it, 0 for none."""
    return float(1 - np.var(found - expected) / max(np.var(found), 1e-12))


def _precision(name: str, device: torch.device) -> torch.dtype:
    """The type of the matrices; "auto" means bfloat16 if the processor has instructions for it."""
    if name == "auto":
        fast = torch.cuda.is_bf16_supported() if device.type == "cuda" else multiplies_bfloat16()
        return torch.bfloat16 if fast else torch.float32
    return {"bfloat16": torch.bfloat16, "float32": torch.float32}[name]
