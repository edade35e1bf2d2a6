"""Trains as `train/ppo.py` on several machines: actors of a Ray cluster play, and one process learns.

    python -m train gin-2p-learned --ray 8        # eight actors, on this machine if there is no cluster
    RAY_ADDRESS=HEAD:6379 python -m train gin-2p-learned --ray 64

An actor has separate tables and one processor. The learner sends its weights to all actors, each actor plays one
rollout with them, and the learner learns from these rollouts one after another. Then it sends its new weights. The
option `--steps` counts the decisions of all actors. If an actor is lost, its rollout is lost: another actor replaces
it, and the learner continues with the rollouts of the others. The seconds of the run are processor time of the learner
and of all actors.

Every machine needs the checkout at the same path and the same Python environment.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import ray
import torch
from ray.exceptions import GetTimeoutError, RayError, RayTaskError

from banakil_env.agents.sparse import Sparse
from banakil_env.arena import WorkerError
from train import ppo
from train.config import ConfigError

# The arrays of a rollout that the learner needs; the tables stay with the actor.
SENT = ("moves", "faces", "seats", "values", "picks", "ended", "cut", "rewards", "logprobs")
TRIES = 3  # rounds in a row in which every actor is lost, after which the run fails
WAIT = 600.0  # seconds to wait for a rollout


class ClusterLearner(ppo.Learner):
    """The learner of `train/ppo.py`, with rollouts that actors play.

    Args:
        config: the configuration of the run.
        actors: the number of actors.

    Attributes:
        actors: the actors of Ray, from the first rollout on.
        lost: the number of actors that have been replaced.

    Raises:
        ConfigError: the number of actors is less than one.
    """

    def __init__(self, config: ppo.Config, actors: int) -> None:
        if actors < 1:
            raise ConfigError(f"--ray must be 1 or more actors, not {actors}")
        super().__init__(config)
        if not ray.is_initialized():
            ray.init(log_to_driver=False, logging_level="ERROR")
        self.lost, self._hired, self._number = 0, 0, actors
        self._played: list[dict[str, Any]] = []
        self._last_loss: RayError | None = None
        self.actors: list[Any] = []

    def _hire(self) -> Any:
        """Create an actor that plays other deals than all actors before."""
        self._hired += 1
        seeds = [self.config.seed, self.steps, self._hired]
        return ray.remote(num_cpus=1)(_Actor).remote(self.config, seeds, sys.path)

    def play(self) -> None:
        """Let every actor play a rollout with the current weights; lost actors are replaced.

        Raises WorkerError if an actor failed, did not answer in time, or all were lost repeatedly.
        """
        # Created here, since a continued run knows its decisions by now, which are part of the actors' seeds.
        if not self.actors:
            self.actors = [self._hire() for _ in range(self._number)]
        weights = ray.put({name: part.numpy() for name, part in self.network.state_dict().items()})
        for _ in range(TRIES):
            answers = [actor.play.remote(weights) for actor in self.actors]
            self._played = [played for number, one in enumerate(answers) if (played := self._rollout_of(number, one))]
            if self._played:
                return
        raise WorkerError(
            f"all {len(self.actors)} actors were lost {TRIES} times one after another, the last by: {self._last_loss}"
        ) from self._last_loss

    def _rollout_of(self, number: int, answer: Any) -> dict[str, Any] | None:
        """The rollout of an actor and the scale of its values; None if the actor was lost and replaced."""
        try:
            played: dict[str, Any] = ray.get(answer, timeout=WAIT)
        except RayTaskError as error:
            raise WorkerError(f"an actor failed: {error.cause}") from error
        except GetTimeoutError:
            has = ray.cluster_resources().get("CPU", 0)
            raise WorkerError(
                f"an actor has not answered in {WAIT:.0f} seconds: {len(self.actors)} actors need a processor each, "
                f"and the cluster has {has:.0f}"
            ) from None
        except RayError as error:  # the actor, its machine, or its rollout was lost
            self._last_loss = error
            ray.kill(self.actors[number])
            self.actors[number], self.lost = self._hire(), self.lost + 1
            return None
        return played | {"scale": self.scale}

    def update(self) -> None:
        """Learn from the rollouts one after another."""
        for played in self._played:
            for name in SENT:
                setattr(self.rollout, name, np.array(played[name]))
            columns, values, lengths = played["features"]
            self.seconds += played["seconds"]
            self.rollout.features = Sparse(columns, values, lengths, np.arange(len(columns)))
            if played["scale"]:  # earlier rollouts of this round may have changed the scale
                self.rollout.values *= played["scale"] / self.scale
            self.rescale()
            self.rollout.estimate_advantages(self.config.gae_lambda, self.scale or 1.0)
            super().update()


class _Player(ppo.Learner):
    """A learner that only plays, with the weights that it receives; the scale of its values does not change."""

    def __init__(self, config: ppo.Config, seeds: list[int]) -> None:
        self._dice = np.random.default_rng(seeds)
        super().__init__(config)
        torch.manual_seed(int(self._dice.integers(2**63)))

    def seeds(self) -> list[int]:
        """The seed of each table's first deal; every actor gets other deals."""
        found: list[int] = self._dice.integers(2**63, size=self.config.num_tables).tolist()
        return found

    def rescale(self) -> None:
        """Do nothing: only the learner adapts to the size of the rewards."""


class _Actor:
    """A process of the cluster. It plays at tables of its own with the weights that the learner sends."""

    def __init__(self, config: ppo.Config, seeds: list[int], path: list[str]) -> None:
        sys.path.extend(folder for folder in path if folder not in sys.path)
        self._player = _Player(config, seeds)

    def play(self, weights: dict[str, Any]) -> dict[str, Any]:
        """Play a rollout with these weights; returns its arrays, and the processor time."""
        begun, player, rollout = time.process_time(), self._player, self._player.rollout
        player.network.load_state_dict({name: torch.from_numpy(np.array(part)) for name, part in weights.items()})
        player.play()
        features = rollout.features.columns, rollout.features.values, rollout.features.lengths
        found = {name: getattr(rollout, name) for name in SENT}
        return found | {"features": features, "seconds": time.process_time() - begun}
