"""A fast trainer: masked PPO over the batch of tables.

Three techniques make it many times as fast as a general library. One compiled call writes the features. The network
multiplies only nonzero features and computes the logits of legal actions only (`banakil_env/agents/sparse.py`).
Matrices are in bfloat16 if the processor multiplies them. At some tables the learner plays every seat, and each seat
has its own advantages, so that it learns from losses as well as from wins. At the others it plays one seat, and
rule-based players or past selves play the rest (`rollout.py`). A run can begin by imitating a rule-based player.

PPO: Schulman and others, "Proximal Policy Optimization Algorithms", 2017. Imitation with half of the actions by the
learner: Ross, Gordon and Bagnell, "A Reduction of Imitation Learning and Structured Prediction to No-Regret Online
Learning", 2011.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from banakil_env.agents.model import Network
from banakil_env.core.jit import compiled
from train.checkpoint import Checkpoint
from train.config import CLIP, GAMMA, IMITATED_SHARE, IMITATION_RATE, Config
from train.network_run import NetworkRun, explained_variance, sampled
from train.rollout import Seen


class FastRun(NetworkRun):
    """A run of the trainer in this file; see `Run`.

    All attributes are arrays of shape (steps, tables) about the picked moves of a rollout.

    Attributes:
        labels: the move that the imitated player would have made.
        learns: whether the learner picked the move, and not a past self.
        logprobs: the log probability of the pick.
        values: the expected return; it has one step more.
        advantages: the advantage of the pick; NaN where the rollout ended too soon to know it.
        returns: the target of the value; NaN where `advantages` is NaN.
    """

    method = "PPO"

    def __init__(
        self, config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False
    ) -> None:
        steps, tables = shape = config.rollout.steps, config.rollout.tables
        self.labels, self.learns = np.zeros(shape, np.int16), np.zeros(shape, np.bool_)
        self.logprobs, self.values = np.zeros(shape, np.float32), np.zeros((steps + 1, tables), np.float32)
        self.advantages, self.returns = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        super().__init__(config, folder, start, tensorboard)

    def compile(self) -> None:
        """Call everything that is compiled on its first call once, including the estimate of the advantages."""
        super().compile()
        self.estimate()

    # Playing ---------------------------------------------------------------------------------------------------------

    def roll_out(self) -> None:
        """Play `rollout.steps` decisions at every table, store the data for the update, and estimate the advantages."""
        config, rollout = self.config, self.rollout
        dice = np.random.default_rng([config.seed, self.steps])
        past = self.past.draw(self.steps)
        if past:
            past = copy.deepcopy(past).to(self.device)
        with torch.inference_mode(), self.precisely():
            for step in range(config.rollout.steps):
                seen, logits, values = self.judged(step)
                self.values[step] = values.cpu()
                self.learns[step] = rollout.learners[np.arange(config.rollout.tables), rollout.seats[step]] | (
                    past is None
                )
                if past:
                    self._let_past_play(past, np.flatnonzero(~self.learns[step]), seen, logits)
                logprobs = torch.log_softmax(logits, 1)
                picks = sampled(logprobs)
                rollout.picks[step] = picks.squeeze(1).cpu()
                self.logprobs[step] = logprobs.gather(1, picks).squeeze(1).cpu()
                if self.imitating:
                    self._label(step, dice)
                rollout.carry_out(step)
            self.values[-1] = self.judged(config.rollout.steps)[2].cpu()
        self.estimate()

    def _let_past_play(self, past: Network, rows: Any, seen: Seen, logits: Tensor) -> None:
        """Replace the learner's logits with those of a past self in the rows where it plays."""
        if len(rows):
            logits[torch.from_numpy(rows).to(self.device)] = past.among(*seen.part(rows))[0]

    def _label(self, step: int, dice: Any) -> None:
        """Note the imitated player's actions, which are carried out at a share of the tables."""
        tables = np.arange(self.config.rollout.tables)
        thrown = dice.integers(2**64, size=len(tables), dtype=np.uint64)
        self.labels[step] = self.rollout.place_of(step, self.rollout.ask(self.config.imitation.player, thrown))
        self.rollout.picks[step] = np.where(follows(tables), self.labels[step], self.rollout.picks[step])

    @property
    def gae_lambda(self) -> float:
        """Lambda for the current rollout; 1 during imitation, so that the value learns from the outcomes themselves."""
        return 1.0 if self.imitating else self.config.ppo.gae_lambda

    def estimate(self) -> None:
        """Compute the advantages of a rollout's picks, and the returns that the value learns from."""
        rollout = self.rollout
        work = np.zeros((*rollout.rewards.shape[1:], WORK))
        played = self.values, rollout.seats, rollout.rewards, rollout.ended
        estimate_advantages(*played, GAMMA, self.gae_lambda, work, self.advantages)
        np.add(self.advantages, self.values[:-1], out=self.returns)

    # Learning --------------------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Learn from the learner's picks whose advantage is known, and log figures.

        Without such picks it does nothing.
        """
        optimizer = self.config.optimizer
        self.set_learning_rate(self._imitation_rate() if self.imitating else self.learning_rate(1 - self.done()))
        known = np.flatnonzero(self.learns.reshape(-1) & ~np.isnan(self.advantages.reshape(-1)))
        if not len(known):
            return
        figures: dict[str, list[float]] = {}
        for _ in range(optimizer.epochs):
            for batch in torch.from_numpy(known)[torch.randperm(len(known))].split(optimizer.batch):
                loss, said = self.loss(batch.numpy())
                self.step(loss)
                for name, value in said.items():
                    figures.setdefault(name, []).append(float(value.detach()))
        self.figures.clear()
        self.log(
            explained_variance=self.explained(known),
            learning_rate=self.optimizer.param_groups[0]["lr"],
            **{name: float(np.mean(values)) for name, values in figures.items()},
        )

    def explained(self, numbers: Any) -> float:
        """The explained variance of some decisions: the share of the returns' variance that the values predicted."""
        return explained_variance(self.values[:-1].reshape(-1)[numbers], self.returns.reshape(-1)[numbers])

    def loss(self, numbers: Any) -> tuple[Tensor, dict[str, Tensor]]:
        """The sum of losses over some decisions of the rollout, given by their indices, and figures."""
        with self.precisely():
            logits, values = self.network.among(*self.rollout.seen(numbers, advised=not self.imitating))
        loss, said = self._imitation_loss(logits, numbers) if self.imitating else self._ppo_loss(logits, numbers)
        value_loss = (values - self.rollout.taken(self.returns, numbers)).square().mean() / 2
        said |= {"loss": loss, "value_loss": value_loss}
        return loss + self.config.optimizer.value_weight * value_loss, said

    def _imitation_rate(self) -> float:
        """The learning rate of imitation, which falls linearly to a tenth at its end."""
        return IMITATION_RATE * (1 - 0.9 * self.steps / self.config.imitation.decisions)

    def _imitation_loss(self, logits: Tensor, numbers: Any) -> tuple[Tensor, dict[str, Tensor]]:
        """The cross entropy of the imitated player's actions, and how often they are the likeliest actions."""
        labels = self.rollout.taken(self.labels, numbers).long()
        return nn.functional.cross_entropy(logits, labels), {"agreement": (logits.argmax(1) == labels).float().mean()}

    def _ppo_loss(self, logits: Tensor, numbers: Any) -> tuple[Tensor, dict[str, Tensor]]:
        """PPO's clipped loss minus the entropy bonus, and figures."""
        logprobs = torch.log_softmax(logits, 1)
        picks = self.rollout.taken(self.rollout.picks, numbers).long()
        change = logprobs.gather(1, picks[:, None]).squeeze(1) - self.rollout.taken(self.logprobs, numbers)
        ratio = change.exp()
        advantages = self.rollout.taken(self.advantages, numbers)
        advantages = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
        gains = torch.minimum(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages)
        entropy = -(logprobs.exp() * logprobs).sum(1).mean()
        clipped = ((ratio - 1).abs() > CLIP).float().mean()
        said = {"entropy": entropy, "clip_fraction": clipped, "kl": (ratio - 1 - change).mean()}
        return -gains.mean() - self.config.ppo.entropy * entropy, said


def follows(tables: Any, share: float = IMITATED_SHARE) -> Any:
    """Whether the imitated player's action is carried out at each of these tables: an evenly spread share of them."""
    return np.floor((tables + 1) * share) > np.floor(tables * share)


# Indices of the values that `estimate_advantages` keeps for each seat at a table.
KNOWN, WORTH, AHEAD = range(3)
WORK = 3


@compiled
def estimate_advantages(
    values: Any, seats: Any, rewards: Any, ended: Any, gamma: float, gae_lambda: float, work: Any, advantages: Any
) -> None:
    """Compute generalized advantage estimates along the decisions of each seat.

    A seat's decision is followed by its next decision, or by the end of the episode, whose reward every seat gets. For
    a seat's last decision in the rollout the advantage is unknown, unless that seat is to move at the rollout's end.

    Args:
        values: (steps + 1, tables), the expected return.
        seats: (steps + 1, tables), the seat to move; -1 if the episode is over.
        rewards: (steps, tables, seats).
        ended: (steps, tables), whether the episode ended.
        gamma: the discount.
        gae_lambda: lambda.
        work: buffer, float64 (tables, seats, WORK).
        advantages: float32 (steps, tables), receives the result.
    """
    steps = rewards.shape[0]
    for table in range(values.shape[1]):
        of = work[table]
        of[:] = 0
        if seats[steps, table] >= 0:
            of[seats[steps, table], KNOWN] = 1
            of[seats[steps, table], WORTH] = gamma * values[steps, table]
        for step in range(steps - 1, -1, -1):
            if ended[step, table]:
                for seat in range(of.shape[0]):
                    of[seat, KNOWN], of[seat, WORTH], of[seat, AHEAD] = 1, rewards[step, table, seat], 0
            seat = seats[step, table]
            if of[seat, KNOWN]:
                of[seat, AHEAD] = of[seat, WORTH] - values[step, table] + gamma * gae_lambda * of[seat, AHEAD]
                advantages[step, table] = of[seat, AHEAD]
            else:
                advantages[step, table] = np.nan
            of[seat, KNOWN], of[seat, WORTH] = 1, gamma * values[step, table]
