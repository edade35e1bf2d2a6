"""Learners that differ from the learner of `train/ppo.py` in one idea, for `train/ablations.py`.

* A network without one kind of its columns or of its shared weights.
* A magnet: the policy is pulled toward a slowly moving reference, the moving average of its weights. The loss contains
  the KL divergence from the policy to the reference (Sokota and others, "A Unified Approach to Reinforcement Learning,
  Quantal Response Equilibria, and Two-Player Zero-Sum Games", arXiv 2206.05825, whose magnet moves as well).
* Past selves: in half of the episodes another seat is played by an earlier version of the agent.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from banakil_env.agents.model import Shape
from banakil_env.agents.network import NetworkPlayer
from train import ppo

SNAPSHOT_EVERY = 5  # number of rollouts between two versions that are kept


@dataclass(frozen=True)
class Config(ppo.Config):
    """The settings of a run of `train/ppo.py`, and of the ideas that are measured.

    Attributes:
        less: parts of `Shape` that are removed from the network.
        magnet: the weight of the KL divergence to the reference; 0 for none.
        past: whether past selves play at other seats.
    """

    less: tuple[str, ...] = ()
    magnet: float = 0.0
    past: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        whole = super().shape
        absent = [name for name in self.less if not getattr(whole, name)]
        if absent:
            raise ValueError(f"less must name parts that the network would have, not {', '.join(absent)}")
        if self.magnet and self.past:
            raise ValueError("magnet and past are measured one at a time")

    @property
    def seating(self) -> dict[str, Any]:
        """Arguments of `Tables` for the other seats. If past selves play, `AgainstPastSelves` sets the players."""
        return {"opponents": ["caller"], "seat": "random"} if self.past else super().seating

    @property
    def shape(self) -> Shape:
        """The shape of the network."""
        without: dict[str, Any] = dict.fromkeys(self.less, False)
        return dataclasses.replace(super().shape, **without)


class Magnet(ppo.Learner):
    """A learner whose policy is pulled toward the moving average of its weights.

    A second network with the average weights evaluates each decision too.
    """

    config: Config

    def loss(self, numbers: Any) -> tuple[Tensor, dict[str, float]]:
        """PPO's loss over some decisions plus the weighted KL divergence to the reference; and figures about both.

        `numbers` are the numbers of the decisions.
        """
        loss, said = super().loss(numbers)
        seen = self.rollout.seen(numbers)
        with torch.no_grad():
            reference = torch.log_softmax(self.average(seen)[0], 1)
        logprobs = torch.log_softmax(self.network(seen)[0], 1)
        divergence = (logprobs.exp() * (logprobs - reference)).sum(1).mean()
        return loss + self.config.magnet * divergence, said | {"magnet": float(divergence.detach())}


class AgainstPastSelves(ppo.Learner):
    """A learner that plays against its past selves.

    In each episode, every other seat is drawn to be played by the learner or by an earlier version of its agent. After
    each update another earlier version is drawn; all are equally likely.
    """

    config: Config

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.versions = [self.average.agent()]
        self.past = NetworkPlayer(self.versions[0], "past")
        self.dice = np.random.default_rng([config.seed, 1])
        self.rollouts = 0
        self.rollout.tables.set_opponents(["caller", self])
        self.rollout.tables.reset(self.seeds())

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        """The actions of the current earlier version, as `Player.act` of the arena."""
        return self.past.act(observations, masks, dice)

    def update(self) -> None:
        """Learn from the rollout, then draw the earlier version that plays next.

        After every `SNAPSHOT_EVERY` updates the current agent is added to the earlier versions first.
        """
        super().update()
        self.rollouts += 1
        if self.rollouts % SNAPSHOT_EVERY == 0:
            self.versions.append(self.average.agent())
        self.past = NetworkPlayer(self.versions[self.dice.integers(len(self.versions))], "past")


def learner_of(config: Config) -> ppo.Learner:
    """The learner of a configuration."""
    kind = AgainstPastSelves if config.past else Magnet if config.magnet else ppo.Learner
    return kind(config)
