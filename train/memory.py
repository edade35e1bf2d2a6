"""A policy with memory, in one file: PPO for one seat that reads the last events by a recurrent network or attention.

    python memory.py --game gin --memory transformer --opponent expert
    python memory.py --game gin --memory none                     # the same without memory, to compare with

`Tables(history=K)` gives the last K events in addition to the features (docs/memory.md). The network adds up an
embedding of each number of an event, reads the events as a sequence, and appends the result to the features.
No hidden state is carried from decision to decision, so the loop is that of any PPO.

The file needs the package with the extra `train`, and nothing else of the repository: copy it and change it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
import tyro
from torch import Tensor, nn

from banakil_env.core.history import COLUMNS
from banakil_env.envs.vector import Tables

MEMORIES = ("none", "gru", "transformer")


@dataclass(frozen=True)
class Config:
    """The settings of a run. The comment behind a field is its help text on the command line."""

    game: str = "gin"
    num_players: int = 2
    opponent: str = "greedy"  # player at the other seats
    memory: Literal["none", "gru", "transformer"] = "gru"  # how the events are read
    history: int = 48  # events that are read
    steps: int = 1_000_000  # decisions to learn from
    seed: int = 0
    num_tables: int = 128
    rollout: int = 64  # decisions at each table between two updates
    batch: int = 1024  # decisions in one gradient step
    epochs: int = 2
    rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    gae_lambda: float = 0.95
    width: int = 128  # size of the hidden layers
    memory_width: int = 32  # size of the vector of an event, and of the memory


class Events(nn.Module):
    """Encodes the last events: uint8 (n, K, columns) to float32 (n, memory_width)."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        width = config.memory_width
        self.numbers = nn.ModuleList([nn.Embedding(column.highest + 1, width) for column in COLUMNS])
        self.gru = nn.GRU(width, width, batch_first=True) if config.memory == "gru" else None
        self.attention = (
            nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0.0, batch_first=True, norm_first=True)
            if config.memory == "transformer"
            else None
        )
        self.place = nn.Parameter(torch.zeros(config.history, width)) if self.attention else None

    def forward(self, history: Tensor) -> Tensor:
        """Encode events. Zero rows precede the first event: the recurrent network skips them, attention masks them."""
        numbers = history.long()
        rows = sum(embed(numbers[..., i]) for i, embed in enumerate(self.numbers))
        there = (numbers[..., 1] > 0).unsqueeze(-1).float()
        if self.gru is not None:
            return self.gru(rows * there)[1].squeeze(0)
        assert self.attention is not None
        assert self.place is not None
        hidden = there.squeeze(-1) == 0
        hidden[:, -1] = False  # attention needs one row; if it is zero, no event has happened
        read = self.attention(rows + self.place, src_key_padding_mask=hidden)
        return (read * there).sum(1) / there.sum(1).clamp(min=1)


class Seen(NamedTuple):
    """The input of some decisions: features float32 (n, width), history uint8 (n, K, 8), masks bool (n, actions)."""

    features: Tensor
    history: Tensor
    masks: Tensor

    def at(self, rows: Any) -> Seen:
        """The input of the decisions in `rows`."""
        return Seen(*(part[rows] for part in self))


class Policy(nn.Module):
    """Computes logits and values from features and, with memory, from the last events."""

    def __init__(self, features: int, actions: int, config: Config) -> None:
        super().__init__()
        self.events = None if config.memory == "none" else Events(config)
        remembered = config.memory_width if self.events else 0
        self.body = nn.Sequential(
            *(nn.Linear(features + remembered, config.width), nn.ReLU()),
            *(nn.Linear(config.width, config.width), nn.ReLU()),
        )
        self.policy, self.value = nn.Linear(config.width, actions), nn.Linear(config.width, 1)
        nn.init.normal_(self.policy.weight, std=0.01)

    def forward(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """Log probabilities of all actions, very low for illegal ones, (n, actions), and values, (n,), as float32."""
        given = [seen.features] + ([self.events(seen.history)] if self.events else [])
        hidden = self.body(torch.cat(given, 1))
        logits = self.policy(hidden).masked_fill(~seen.masks, -1e9)
        return torch.log_softmax(logits, 1), self.value(hidden).squeeze(1)


class Learner:
    """A run: the tables, the policy, and the rewards of the episodes that have ended."""

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(config.seed)
        self.config = config
        self.tables = Tables(
            config.num_tables,
            game=config.game,
            num_players=config.num_players,
            opponents=config.opponent,
            observation="features",
            history=0 if config.memory == "none" else config.history,
            threads=1,
        )
        self.tables.reset(config.seed)
        game = self.tables.game
        self.policy = Policy(game.features.width, game.num_actions, config)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=config.rate, eps=1e-5)
        self.scale = 1.0  # points that correspond to a return of about 1
        self.rewards: list[float] = []  # of each episode
        self.steps = 0

    def look(self) -> Seen:
        """Copies of the learners' current observations, since the next step overwrites the arrays of the tables."""
        tables = self.tables
        history = tables.history if tables.length else np.zeros((tables.num_tables, 0, 8), np.uint8)
        return Seen(*(torch.from_numpy(part.copy()) for part in (tables.features, history, tables.masks != 0)))

    def play(self) -> tuple[Seen, Tensor, Tensor, Tensor, Tensor]:
        """Play a rollout; returns the inputs, the actions, their log probabilities, advantages and returns."""
        config, shape = self.config, (self.config.rollout, self.config.num_tables)
        seen, actions = [], torch.zeros(shape, dtype=torch.int64)
        logprobs, values, rewards, ended = (torch.zeros(shape) for _ in range(4))
        with torch.no_grad():
            for step in range(config.rollout):
                seen.append(self.look())
                chances, values[step] = self.policy(seen[-1])
                actions[step] = torch.multinomial(chances.exp(), 1).squeeze(1)
                logprobs[step] = chances.gather(1, actions[step, :, None]).squeeze(1)
                self.tables.step(actions[step].numpy())
                over = self.tables.terminations | self.tables.truncations
                rewards[step], ended[step] = (
                    torch.from_numpy(self.tables.payoffs.copy()),
                    torch.from_numpy(over).float(),
                )
                self.rewards += self.tables.payoffs[over].tolist()
            after = self.policy(self.look())[1]
        self.scale = max(self.scale, float(np.std(self.rewards[-2000:] or [1.0])))
        advantages, ahead = torch.zeros(shape), torch.zeros(config.num_tables)
        for step in reversed(range(config.rollout)):
            goes_on = 1 - ended[step]
            ahead = rewards[step] / self.scale + goes_on * (after + config.gae_lambda * ahead) - values[step]
            advantages[step], after = ahead, values[step]
        flat = Seen(*(torch.cat(parts) for parts in zip(*seen)))
        returns = advantages + values
        return flat, actions.flatten(), logprobs.flatten(), advantages.flatten(), returns.flatten()

    def update(self) -> dict[str, float]:
        """Play a rollout and learn from it."""
        config = self.config
        seen, actions, logprobs, advantages, returns = self.play()
        said = {}
        for _ in range(config.epochs):
            for rows in torch.randperm(len(actions)).split(config.batch):
                chances, values = self.policy(seen.at(rows))
                ratio = (chances.gather(1, actions[rows, None]).squeeze(1) - logprobs[rows]).exp()
                worth = (advantages[rows] - advantages.mean()) / (advantages.std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                entropy = -(chances.exp() * chances).sum(1).mean()
                policy_loss = -torch.minimum(ratio * worth, clipped * worth).mean()
                value_loss = (values - returns[rows]).square().mean() / 2
                self.optimizer.zero_grad()
                (policy_loss + value_loss / 2 - config.entropy * entropy).backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
                self.optimizer.step()
                said = {"policy": policy_loss, "value": value_loss, "entropy": entropy}
        self.steps += len(actions)
        return {name: float(loss.detach()) for name, loss in said.items()}


def main(config: Config) -> Learner:
    """Train, and print figures of the episodes."""
    learner, begun, told = Learner(config), time.monotonic(), 0
    while learner.steps < config.steps:
        losses = learner.update()
        if learner.steps >= told:
            recent = learner.rewards[-2000:] or [float("nan")]
            said = f"{np.mean(recent):+.3f} ± {2 * np.std(recent) / len(recent) ** 0.5:.3f}"
            seconds = time.monotonic() - begun
            print(f"{learner.steps:>10,} decisions {seconds:>6.0f} s  reward {said}  entropy {losses['entropy']:.2f}")
            told += max(config.steps // 10, 1)
    return learner


if __name__ == "__main__":
    main(tyro.cli(Config))
