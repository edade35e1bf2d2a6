"""Distillation: a network that asks nobody learns from a stronger player, and goes on by itself.

    python -m train.distil --game gin --teacher zoo:gin-2p-5      # into runs/gin-2p-alone
    python -m train gin-2p-alone                                  # a recipe of train/recipes/alone

Agents of the zoo that are advised by a rule-based player are the strongest here, and slow: they ask that player, and
most of them are convolutions over suits. A network of plain layers takes a tenth of the time and asks nobody. It learns
in two parts, whose decisions `steps` counts together:

1. *Lessons.* The teacher labels decisions (`train/labels.py`): at first those of a rule-based player, then those of the
   network's own games, which lead to other positions. The network is fitted to the teacher's probabilities by
   cross-entropy; labels are kept and used several times. Its values are fitted to the points at the end of the episode.
2. *Self-play*: PPO as in `train/ppo.py`, every other rollout against the players of `against`, with a penalty on the
   distance from the policy that the lessons ended with (the Kullback-Leibler divergence, weighted by `reference`).
   Without it a policy forgets within a few updates what it was taught.
"""

from __future__ import annotations

import copy
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from torch import Tensor, nn

import train  # noqa: F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents.sparse import Sparse
from banakil_env.agents.sparse_features import write_features
from banakil_env.core.files import write_whole
from banakil_env.envs.vector import Tables
from train import ppo
from train.labels import Decisions, Teacher, joined, labelled, rule_based

TAUGHT = "taught.pt"  # the weights with which the lessons ended, in the folder of a run


@dataclass(frozen=True)
class Config(ppo.Config):
    """A run: what `train/ppo.py` takes, and these."""

    teacher: str = "expert"  # player whose moves the network learns first
    hidden: tuple[int, ...] = (512, 256)  # widths of the hidden layers
    against: tuple[str, ...] = ("expert",)  # rule-based players at the other seats in every other rollout; none: itself
    # The lessons.
    lessons: int = 1_000_000  # labelled decisions, of all `steps`
    shown: float = 0.1  # share of the lessons from games of the first of `against`
    share: float = 0.25  # of the decisions of a game that are labelled
    heat: float = 1.0  # the teacher's logits are divided by it
    kept: int = 500_000  # labels that are learned from again
    passes: int = 4  # times that a label is learned from on average
    lesson_batch: int = 1024  # labels of one gradient step
    lesson_rate: float = 2e-3  # learning rate at the start of the lessons; at their end a twentieth of it
    # The self-play after them.
    reference: float = 0.1  # weight of the distance from the policy of the lessons
    rate: float = 1e-3
    final_rate: float = 5e-5
    entropy: float = 0.01
    final_entropy: float = 0.002
    evaluations: int = 6
    opponents: tuple[str, ...] = ("greedy", "expert")
    ABOUT = {"kind": "alone", "trainer": "distil"}  # noqa: RUF012 - see ppo.Config

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("lessons", "kept", "passes", "lesson_batch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if not 0 < self.share <= 1 or not 0 <= self.shown <= 1:
            raise ValueError(f"shown and share must be from 0 to 1, and share above 0, not {self.shown}, {self.share}")


class Labels:
    """The last labels, as a network learns from them.

    Attributes:
        size: how many there are, at most `config.kept`.
    """

    def __init__(self, config: Config) -> None:
        self.config, self.game, self.size, self._next = config, config.table.found, 0, 0
        self.features = Sparse.zeros(config.kept, ppo.ROOM)
        self.moves, self.faces = np.zeros((config.kept, 0), np.int16), np.zeros((config.kept, 0), np.uint8)
        self.chances, self.outcomes = np.zeros((config.kept, 0), np.float32), np.zeros(config.kept, np.float32)

    def add(self, decisions: Decisions) -> None:
        """Take labels in, in the place of the oldest ones."""
        rows = (self._next + np.arange(len(decisions.outcomes))) % self.config.kept
        self._write_features(decisions.observations, rows)
        chances = torch.from_numpy(decisions.logits / self.config.heat).softmax(1).numpy()
        width = decisions.moves.shape[1]
        if width > self.moves.shape[1]:
            self._widen(width * 5 // 4)
        room = self.moves.shape[1]
        self.moves[rows] = joined([decisions.moves], room, -1)
        self.faces[rows], self.chances[rows] = joined([decisions.faces], room, 0), joined([chances], room, 0)
        self.outcomes[rows] = decisions.outcomes
        self._next = (self._next + len(rows)) % self.config.kept
        self.size = min(self.size + len(rows), self.config.kept)

    def _widen(self, width: int) -> None:
        """Make room for more legal actions; the present ones stay."""
        self.moves = joined([self.moves], width, -1)
        self.faces, self.chances = joined([self.faces], width, 0), joined([self.chances], width, 0)

    def _write_features(self, observations: Any, rows: Any) -> None:
        features = self.config.shape.features(self.game)
        depths = np.zeros((len(rows), features.max_depth), np.uint8)
        given = depths, 1, features
        while (most := write_features(self.game, observations, self.features.part(rows), *given)) > self.features.room:
            self.features = self.features.widened(most * 5 // 4)

    def seen(self, numbers: Any) -> tuple[ppo.Seen, Tensor, Tensor]:
        """What is seen of some decisions, the teacher's probabilities and the outcomes."""
        width = int((self.moves[numbers] >= 0).sum(1).max())
        moves, faces, chances = (
            torch.from_numpy(array[numbers, :width]) for array in (self.moves, self.faces, self.chances)
        )
        seen = ppo.Seen(self.features.part(numbers), moves, faces)
        return seen, chances, torch.from_numpy(self.outcomes[numbers])


class Pupil(ppo.Learner):
    """A run of `train/ppo.py` that begins with lessons.

    Attributes:
        reference: the network as the lessons ended; until then as it began.
    """

    config: Config

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.reference = copy.deepcopy(self.average)
        self.teacher, self.labels = Teacher(config.teacher, self.game, config.bfloat16), Labels(config)
        self._dice = np.random.default_rng([config.seed, 1])
        self._batches = [self.rollout.tables]
        if config.against:
            options = config.table.options | ({"rules": list(config.variants)} if config.variants else {})
            options |= {"reward": config.reward, "truncate_at_limit": True, "threads": 1}
            others = config.against[0] if len(config.against) == 1 else list(config.against)
            self._batches.append(Tables(config.num_tables, game=self.game, opponents=others, seat="random", **options))
            self._batches[1].reset(self._dice.integers(2**63, size=config.num_tables).tolist())

    @property
    def at_lessons(self) -> bool:
        """Whether the teacher still labels decisions."""
        return self.steps < self.config.lessons

    @property
    def done(self) -> float:
        """The share of the present part that is done, from 0 to 1."""
        before, after = (0, self.config.lessons) if self.at_lessons else (self.config.lessons, self.config.steps)
        return min((self.steps - before) / max(after - before, 1), 1.0)

    def play(self) -> None:
        """Play a rollout, or let the teacher label one."""
        self._batches = self._batches[::-1]
        self.rollout.tables = self._batches[0]
        if not self.at_lessons:
            super().play()
            return
        first = self.steps < self.config.shown * self.config.lessons
        mover = rule_based((*self.config.against, "expert")[0], self.game) if first else self._move
        given = self.teacher, self.config.rollout, self.config.share, self._dice
        found = labelled(self.rollout.tables, mover, *given)
        if not self.scale:
            self.scale = float(np.sqrt(np.nanmean(np.square(found.outcomes)))) or 1.0
        self.labels.add(found)
        self._new = len(found.outcomes)

    def _move(self, observations: Any, masks: Any) -> Any:
        """The network's moves at the present tables."""
        with torch.inference_mode():
            logits, _ = self.network(self.rollout.look(0))
            picks = ppo.sampled(torch.log_softmax(logits, 1)).squeeze(1).numpy()
        return self.rollout.moves[0, np.arange(len(picks)), picks].astype(np.int64)

    def update(self) -> None:
        """Learn from the rollout, or from labels."""
        if not self.at_lessons:
            super().update()
            return
        config, figures = self.config, []
        self.optimiser.param_groups[0]["lr"] = self.between(config.lesson_rate, config.lesson_rate / 20)
        for _ in range(-(-self._new * config.passes // config.lesson_batch)):
            loss, said = self._lesson(self._dice.integers(self.labels.size, size=config.lesson_batch))
            self.optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
            self.optimiser.step()
            with torch.no_grad():
                for mean, last in zip(self.average.parameters(), self.network.parameters()):
                    mean.lerp_(last, 1 - config.average)
            figures.append(said)
        self.figures = {name: float(np.mean([said[name] for said in figures])) for name in figures[0]}
        self.steps += self._new
        if not self.at_lessons:
            self._end_lessons()

    def _lesson(self, numbers: Any) -> tuple[Tensor, dict[str, float]]:
        """The loss over some labels."""
        seen, chances, outcomes = self.labels.seen(numbers)
        logits, values = self.network(seen)
        logprobs = torch.log_softmax(logits, 1)
        cross_entropy = -(chances * logprobs).sum(1).mean()
        known = ~outcomes.isnan()
        value_loss = (values[known] - outcomes[known] / self.scale).square().mean() / 2
        entropy = -(chances * chances.clamp(min=1e-9).log()).sum(1).mean()
        alike = (chances.argmax(1) == logits.argmax(1)).float().mean()
        said = {"divergence": cross_entropy - entropy, "alike": alike, "value_loss": value_loss, "entropy": entropy}
        loss = cross_entropy + self.config.value_weight * value_loss
        return loss, {name: float(value.detach()) for name, value in said.items()}

    def _end_lessons(self) -> None:
        """Self-play begins with the averaged weights, and stays near them."""
        self.network.load_state_dict(self.average.state_dict())
        self.reference.load_state_dict(self.average.state_dict())
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=self.config.rate, eps=1e-5, fused=True)

    def save(self, folder: Path) -> None:
        """See `Learner`; and the policy that the lessons ended with."""
        content = io.BytesIO()
        torch.save(self.reference.state_dict(), content)
        write_whole(folder / TAUGHT, content.getvalue())
        super().save(folder)

    def load(self, path: Path) -> None:
        """See `Learner`."""
        super().load(path)
        self.reference.load_state_dict(torch.load(path.with_name(TAUGHT), weights_only=True))

    def penalty(self, seen: ppo.Seen, logprobs: Tensor, entropy: Tensor) -> Tensor:
        """See `Learner`; and the distance from the policy of the lessons."""
        with torch.no_grad():
            taught = torch.log_softmax(self.reference(seen)[0], 1)
        distance = (logprobs.exp() * (logprobs - taught)).sum(1).mean()
        return super().penalty(seen, logprobs, entropy) + self.config.reference * distance


def main(config: Config) -> Pupil:
    """Begin the run of a configuration, or go on with it; returns it at its end."""
    folder = Path(config.out or f"runs/{config.table.game}-{config.table.seats}p-alone")
    pupil = Pupil(config)
    if (folder / "checkpoint.pt").is_file():
        pupil.load(folder / "checkpoint.pt")
    pupil.train(folder)
    return pupil


if __name__ == "__main__":
    try:
        main(tyro.cli(Config, description=__doc__))
    except (ValueError, RuntimeError) as error:
        sys.exit(f"distil: {error}")
