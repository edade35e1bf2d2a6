"""How is an agent trained by PPO when the luck of others' hands and dice is to leave its advantages?

Variance-reduced policy optimisation (Fan and Farina, "GAE Falls Short in Imperfect-Information Self-Play Reinforcement
Learning", arXiv 2605.19235, 2026), in these words:

- The *critic* (`critic.py`) sees all hands and says, for each legal action, the expected return of every seat. It takes
  part in training only. The policy sees its own observation, and is the network of every other trainer.
- What is *taken* is the critic's return of the action that was carried out. What is *expected* is its mean over the
  policy of the seat that decides.
- The target of what is taken is an Expected SARSA(λ) trace: what is expected at the table's next decision, of any
  seat, and a share λ of what the trace found beyond that. The action that happened to be drawn there is averaged out.
- The *advantage* of an action is its target less what was expected before it.

The rest is the trainer `fast`: rollouts, PPO's clipped loss, imitation at the beginning, the average of the weights.
The value that the agent itself carries is fitted to the same targets, and estimates no advantage.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from banakil_env.core.jit import compiled
from train.checkpoint import Checkpoint
from train.config import GAMMA, Config
from train.critic import Critic, OtherHands, make_critic
from train.fast_ppo import FastRun
from train.network_run import explained_variance


class VRPORun(FastRun):
    """A run of the trainer in this file; see `FastRun`.

    Attributes, arrays of shape (steps, tables, players), players counted by their seats:
        expected: the critic's mean over the policy, of one step more. taken: of the pick.
        targets: what it should have said of the pick.
    """

    method = "VRPO"
    critic: Critic

    def __init__(
        self, config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False
    ) -> None:
        steps, tables, players = config.rollout.steps, config.rollout.tables, config.table.seats
        self.expected = np.zeros((steps + 1, tables, players), np.float32)
        self.taken, self.targets = (np.zeros((steps, tables, players), np.float32) for _ in range(2))
        super().__init__(config, folder, start, tensorboard)

    def make_critic(self) -> nn.Module:
        """See `NetworkRun`."""
        return make_critic(self.config).to(self.device)

    def compile(self) -> None:
        """See `NetworkRun`."""
        super().compile()
        self.hands = OtherHands(self.config, self.rollout, self.device, self.dtype)
        self.hands.look(0)
        with self.precisely():
            returns = self.critic(*self.hands.seen(np.arange(self.config.rollout.tables)))
        returns.clamp(min=0).sum().backward()
        self.optimizer.zero_grad()

    # Playing ----------------------------------------------------------------------------------------------------------

    def criticise(self, step: int, logprobs: Tensor) -> None:
        """See `FastRun`. Where the imitated player may decide, what is expected is what is taken."""
        tables = self.config.rollout.tables
        numbers = np.arange(step * tables, (step + 1) * tables)
        self.hands.look(step)
        returns = self.critic(*self.hands.seen(numbers))
        expected, seats = (returns * logprobs.exp()[:, None]).sum(2), self._seats(numbers)
        if step < self.config.rollout.steps:
            taken = _of_picks(returns, self.rollout.taken(self.rollout.picks, numbers))
            np.put_along_axis(self.taken[step], seats, taken.cpu().numpy(), 1)
            expected = taken if self.imitating else expected
        np.put_along_axis(self.expected[step], seats, expected.cpu().numpy(), 1)

    def _seats(self, numbers: Any) -> Any:
        """The seats of each turn at some decisions, int64 (n, players): the first is the seat to move."""
        players = self.expected.shape[2]
        return (self.rollout.seats.reshape(-1)[numbers][:, None] + np.arange(players)) % players

    def estimate(self) -> None:
        """See `FastRun`."""
        rollout = self.rollout
        given = self.expected, self.taken, rollout.rewards, rollout.ended
        expected_sarsa(*given, GAMMA, self.gae_lambda, self.targets)
        self.returns[:] = self.of_movers(self.targets)
        np.subtract(self.returns, self.of_movers(self.expected[:-1]), out=self.advantages)

    def of_movers(self, array: Any) -> Any:
        """What an array of shape (steps, tables, players) says of the seats to move, (steps, tables)."""
        return np.take_along_axis(array, self.rollout.seats[:-1, :, None], 2)[..., 0]

    # Learning ---------------------------------------------------------------------------------------------------------

    def loss(self, numbers: Any) -> tuple[Tensor, dict[str, Tensor]]:
        """See `FastRun`; the critic's own loss is added, which touches no weight of the agent."""
        loss, said = super().loss(numbers)
        with self.precisely():
            returns = self.critic(*self.hands.seen(numbers))
        taken = _of_picks(returns, self.rollout.taken(self.rollout.picks, numbers))
        targets = self.targets.reshape(-1, self.targets.shape[2])[numbers]
        by_turn = torch.from_numpy(np.take_along_axis(targets, self._seats(numbers), 1)).to(self.device)
        critic_loss = (taken - by_turn).square().mean() / 2
        return loss + critic_loss, said | {"critic_loss": critic_loss}

    def explained(self, numbers: Any) -> float:
        """See `FastRun`."""
        return explained_variance(self.of_movers(self.taken).reshape(-1)[numbers], self.returns.reshape(-1)[numbers])


def _of_picks(returns: Tensor, picks: Tensor) -> Tensor:
    """Of the returns of all actions, (n, players, width), those of the picks, int (n,): (n, players)."""
    return returns.gather(2, picks.long()[:, None, None].expand(-1, returns.shape[1], 1)).squeeze(2)


@compiled
def expected_sarsa(
    expected: Any, taken: Any, rewards: Any, ended: Any, gamma: float, trace_lambda: float, targets: Any
) -> None:
    """Write the targets of what was taken: Expected SARSA(λ) along the decisions of each table, for every seat.

    Args:
        expected: (steps + 1, tables, players). taken, targets: (steps, tables, players).
        rewards: (steps, tables, seats), of a step that has ended the episode. ended: (steps, tables).
    """
    steps, tables, players = taken.shape
    for table in range(tables):
        for player in range(players):
            beyond = 0.0
            for step in range(steps - 1, -1, -1):
                if ended[step, table]:
                    target = float(rewards[step, table, player])
                else:
                    target = gamma * (expected[step + 1, table, player] + trace_lambda * beyond)
                targets[step, table, player] = target
                beyond = target - taken[step, table, player]
