"""This package's network in Stable-Baselines3: a policy that contains it, and a rollout buffer that needs less memory.

The trained network is the one that plays, so its weights are saved without Stable-Baselines3. Observations stay bytes
and masks stay booleans until the network gets them. Each distribution is created once, from masked logits. Everything
else is MaskablePPO's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor
from torch import Tensor

from banakil_env.agents.making import make_network
from banakil_env.agents.model import Shape, legal_logits
from banakil_env.core.game import Game


class NetworkPolicy(MaskableActorCriticPolicy):
    """A policy for MaskablePPO whose hidden layers and heads are a `Network`.

    Args:
        game: the game of the network.
        shape: the shape of the network.
        seed: the seed of its initial weights.
    """

    def __init__(self, *args: Any, game: Game, shape: Shape, seed: int, **options: Any) -> None:
        self._game, self._shape, self._seed = game, shape, seed
        # Extracts nothing, since the network writes its own features.
        options["features_extractor_class"] = FlattenExtractor
        super().__init__(*args, **options)

    def _build(self, lr_schedule: Any) -> None:
        self.network = make_network(self._game, self._shape, self._seed)
        options: dict[str, Any] = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.network.parameters(), **options)

    def _of(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """All logits and the values. Features are computed on the CPU."""
        return self.network.of_rows(obs.cpu().numpy())

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and log probabilities of a batch, for rollouts."""
        logits, values = self._of(obs)
        chances = torch.log_softmax(_masked(logits, action_masks), 1)
        actions = chances.argmax(1) if deterministic else torch.multinomial(chances.exp(), 1).squeeze(1)
        return actions, values, chances.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log probabilities of the actions, and entropies, for updates."""
        logits, values = self._of(obs)
        chances = torch.log_softmax(_masked(logits, action_masks), 1)
        entropy = -(chances.exp() * chances).sum(1)
        return values, chances.gather(1, actions[:, None]).squeeze(1), entropy

    def predict_values(self, obs: Any) -> Tensor:
        """The value of each observation, (n, 1)."""
        values: Tensor = self._of(obs)[1]
        return values[:, None]

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """The distribution over the actions, for `predict`."""
        distribution = self.action_dist.proba_distribution(action_logits=self._of(obs)[0])
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution


def _masked(logits: Tensor, masks: Any) -> Tensor:
    if masks is None:
        return logits
    return legal_logits(logits, torch.as_tensor(masks, dtype=torch.bool, device=logits.device).view_as(logits))


class BooleanMaskBuffer(MaskableRolloutBuffer):
    """A rollout buffer that stores masks in one byte per action instead of four."""

    def reset(self) -> None:
        """Empty the buffer."""
        super().reset()
        self.action_masks = np.ones(self.action_masks.shape, np.bool_)
