"""Distillation: a network without an adviser learns from a stronger player, in positions of its own games.

    python -m train gin-2p-alone                                  # a recipe of train/recipes/alone
    python -m train.distil --game gin --teacher zoo:gin-2p-5 --rests
    banakil arena net:runs/gin-2p-alone expert --game gin

The strongest agents here see the move of a rule-based player at every decision. The network of this trainer does not.
It plays every seat of its tables, and one seat of tables with the players of `against`. The teacher labels some of the
decisions on the way (`train/labels.py`), and the network is fitted to the teacher's probabilities by cross-entropy.
Labels are kept and used several times. The value is fitted to the points at the end of the episode.

With `begin` the network starts with the weights of the teacher, or with those of another agent, and so with what that
agent has learned. Weights for the advice of an adviser are left out.
"""

from __future__ import annotations

import copy
import dataclasses
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import tyro
from torch import Tensor, nn

import train  # noqa: F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents import make_player
from banakil_env.agents.making import make_network
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import NetworkPlayer
from banakil_env.agents.sparse import Sparse, multiplies_bfloat16
from banakil_env.agents.sparse_features import write_features
from banakil_env.arena.options import TableOptions
from banakil_env.core.game import Game
from train import ppo
from train.labels import Decisions, Teacher, joined, labelled


@dataclass(frozen=True)
class Config:
    """The settings of a run. The comment behind each field is its help text on the command line."""

    table: Annotated[TableOptions, tyro.conf.arg(name="")]
    teacher: str = "expert"  # player that labels decisions
    out: str | None = None  # folder of the run; None: runs/GAME-PLAYERSp-alone
    steps: int = 400_000  # labelled decisions to learn from
    seed: int = 0  # seed of the weights, the dice and the deals
    variants: tuple[str, ...] = ()  # rules that each episode of training draws from; none: those of the table
    reward: str = "margin"  # kind of reward: margin, points or win
    # The network.
    begin: bool | str = False  # begin with the weights of the teacher (true) or an agent (its name), without its advice
    hidden: tuple[int, ...] = (512, 256)  # widths of the hidden layers
    channels: int | None = None  # channels of a convolution over the ranks of every suit; none: plain layers
    sets: bool = False  # with channels: every place also sees the cards of its rank in other suits
    rests: bool = False  # the network also sees the hand that each discard leaves, in games that have such columns
    cards: bool = True  # without channels: the columns about a card add to the logits of its moves
    bfloat16: bool | None = None  # multiply in bfloat16; None: if the processor has instructions for it
    # The labels.
    num_tables: int = 512  # tables that are played at once
    rollout: int = 32  # decisions at each of them between two updates
    against: tuple[str, ...] = ("expert",)  # opponents at some tables, as in train/ppo.py; none: itself alone
    share: float = 0.5  # share of the decisions that are labelled
    kept: int = 100_000  # number of labels that are kept and learned from again
    # The update.
    passes: int = 2  # times that a label is learned from on average
    batch: int = 512  # labels in one gradient step
    rate: float = 1e-3  # learning rate of Adam at the start
    final_rate: float = 5e-5  # learning rate at the end; linear between
    average: float = 0.99  # share of the old weights in each update of the moving average, which is the agent
    value_weight: float = 0.5  # weight of the value's loss
    max_grad_norm: float = 0.5  # bound on the norm of a gradient
    # The evaluations.
    evaluations: int = 2  # how often the agent is measured, evenly spread, in addition to the start
    deals: int = 200  # deals of each evaluation, each played from every seat
    opponents: tuple[str, ...] = ("greedy", "expert")  # players that the agent is measured against

    def __post_init__(self) -> None:
        for name in ("steps", "num_tables", "rollout", "kept", "passes", "batch", "evaluations", "deals"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if not 0 < self.share <= 1:
            raise ValueError(f"share must be above 0 and at most 1, not {self.share}")
        if isinstance(self.begin, str):
            if given := [name for name in _OF_SHAPE if getattr(self, name) != _DEFAULTS[name]]:
                raise ValueError(f"{', '.join(given)} cannot be chosen: the network has the shape of {self.begin}")
        else:
            self.shape.check(self.table.found)

    @property
    def about(self) -> dict[str, Any]:
        """The facts about the run that its agents contain."""
        return {"kind": "alone", "trainer": "distil"}

    seating = ppo.Config.seating  # seats the players of `against`

    @property
    def shape(self) -> Shape:
        """The shape of the network."""
        if isinstance(self.begin, str):
            return dataclasses.replace(network_of(self.begin, self.table.found).shape, advice=None)
        cards = self.cards and self.channels is None
        if self.begin:  # a teacher from before there were columns of offers
            return Shape(self.hidden, channels=self.channels, sets=self.sets, rests=self.rests, cards=cards)
        return Shape.seeing(
            self.table.found, self.rests, cards, hidden=self.hidden, channels=self.channels, sets=self.sets
        )


_OF_SHAPE = ("hidden", "channels", "sets", "rests", "cards")  # the settings of a network's shape
_DEFAULTS = {field.name: field.default for field in dataclasses.fields(Config)}


def network_of(name: str, game: Game) -> Network:
    """The network of the player `name`, for a run that begins with its weights.

    Raises ValueError if there is no such player or it is not a network.
    """
    player = make_player(name, game)
    if not isinstance(player, NetworkPlayer):
        raise ValueError(f"begin must be false or name another player: {name} is not a network")
    return player.network


class Taught(nn.Module):
    """A network of any shape that the package supports, with the interface of `ppo.PolicyAndValue`."""

    def __init__(self, game: Game, config: Config) -> None:
        super().__init__()
        self.played = make_network(game, config.shape)
        self.in_bfloat16 = multiplies_bfloat16() if config.bfloat16 is None else config.bfloat16

    def forward(self, seen: ppo.Seen) -> tuple[Tensor, Tensor]:
        """Logits of the legal actions, float32 (n, width), and the expected returns, float32 (n,)."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.in_bfloat16):
            logits, values = self.played.among(*seen)
        return logits.float(), values.float()

    @property
    def value(self) -> nn.Linear:
        """The layer that outputs the expected return."""
        return self.played.value

    def agent(self) -> Network:
        """A copy of the network, which the package plays and saves."""
        return copy.deepcopy(self.played).eval()

    def begin_as(self, name: str) -> None:
        """Copy the weights of an agent with the same shape, except those for its advice.

        Raises ValueError if the player is not a network, or its shape differs.
        """
        other = network_of(name, self.played.game)
        shape = dataclasses.replace(other.shape, advice=None)
        if shape != self.played.shape:
            raise ValueError(f"to begin with the weights of {name} the network needs its shape, {shape}")
        own = self.played.state_dict()
        self.played.load_state_dict({name: weights for name, weights in other.state_dict().items() if name in own})


class Labels:
    """The last labels, in a form that a network learns from.

    Attributes:
        size: the number of labels, at most `config.kept`.
    """

    def __init__(self, config: Config) -> None:
        self.config, self.game, self.size, self._next = config, config.table.found, 0, 0
        self.features = Sparse.zeros(config.kept, ppo.ROOM)
        self.moves, self.faces = np.zeros((config.kept, 0), np.int16), np.zeros((config.kept, 0), np.uint8)
        self.chances, self.outcomes = np.zeros((config.kept, 0), np.float32), np.zeros(config.kept, np.float32)

    def add(self, decisions: Decisions) -> None:
        """Add labels in place of the oldest ones."""
        rows = (self._next + np.arange(len(decisions.outcomes))) % self.config.kept
        self._write_features(decisions.observations, rows)
        chances = torch.from_numpy(decisions.logits).softmax(1).numpy()
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
        """Make room for more legal actions per label; the stored labels stay."""
        self.moves = joined([self.moves], width, -1)
        self.faces, self.chances = joined([self.faces], width, 0), joined([self.chances], width, 0)

    def _write_features(self, observations: Any, rows: Any) -> None:
        features = self.config.shape.features(self.game)
        depths = np.zeros((len(rows), features.max_depth), np.uint8)
        given = depths, 1, features
        while (most := write_features(self.game, observations, self.features.part(rows), *given)) > self.features.room:
            self.features = self.features.widened(most * 5 // 4)

    def seen(self, numbers: Any) -> tuple[ppo.Seen, Tensor, Tensor]:
        """The network's input, the teacher's probabilities and the outcomes, for the labels with these indices."""
        width = int((self.moves[numbers] >= 0).sum(1).max())
        moves, faces, chances = (
            torch.from_numpy(array[numbers, :width]) for array in (self.moves, self.faces, self.chances)
        )
        seen = ppo.Seen(self.features.part(numbers), moves, faces)
        return seen, chances, torch.from_numpy(self.outcomes[numbers])


class Pupil(ppo.Learner):
    """A run: the learner of `train/ppo.py`, which learns from a teacher's labels instead of rewards.

    Attributes:
        teacher: the player that labels decisions.
        labels: the last labels.
    """

    # `ppo.Learner` uses only attributes that these share with its own configuration and network.
    config: Config  # type: ignore[assignment]
    network: Taught  # type: ignore[assignment]
    average: Taught  # type: ignore[assignment]

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(config.seed)
        self.config, self.game = config, config.table.found
        self.teacher, self.labels = Teacher(config.teacher, self.game, config.bfloat16), Labels(config)
        self.network = Taught(self.game, config)
        if config.begin:
            self.network.begin_as(config.teacher if config.begin is True else config.begin)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.rate, eps=1e-5, fused=True)
        self.rollout = ppo.Rollout(config, self.game)  # type: ignore[arg-type]  # as above
        self.steps, self.seconds, self.scale, self.curve, self.figures = 0, 0.0, 0.0, [], {}
        self._deal()

    def _deal(self) -> None:
        """Deal at every table, from the seed of the run and the number of labels so far."""
        self._dice = np.random.default_rng([self.config.seed, self.steps, 1])
        self.rollout.tables.reset(self._dice.integers(2**63, size=self.config.num_tables).tolist())

    def load(self, path: Path) -> None:
        """Continue from a checkpoint; the tables are dealt again. Raises ValueError if its configuration differs.

        Labels are not stored and are collected again.
        """
        super().load(path)
        self._deal()

    def play(self) -> None:
        """Play a rollout; the teacher labels some of its decisions."""
        found = labelled(
            self.rollout.tables, self._move, self.teacher, self.config.rollout, self.config.share, self._dice
        )
        if not self.scale and np.isfinite(found.outcomes).any():
            self.scale = float(np.sqrt(np.nanmean(np.square(found.outcomes))))
        self.labels.add(found)
        self._new = len(found.outcomes)

    def _move(self, observations: Any, masks: Any) -> Any:
        """The network's moves at the current positions."""
        with torch.inference_mode():
            logits, _ = self.network(self.rollout.look(0))
            picks = ppo.sampled(torch.log_softmax(logits, 1)).squeeze(1).numpy()
        return self.rollout.moves[0, np.arange(len(picks)), picks].astype(np.int64)

    def update(self) -> None:
        """Learn from the labels."""
        config, figures = self.config, []
        self.optimizer.param_groups[0]["lr"] = self.between(config.rate, config.final_rate)
        for _ in range(-(-self._new * config.passes // config.batch)):
            loss, said = self.loss(self._dice.integers(self.labels.size, size=config.batch))
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
            self.optimizer.step()
            with torch.no_grad():
                for mean, last in zip(self.average.parameters(), self.network.parameters()):
                    mean.lerp_(last, 1 - config.average)
            figures.append(said)
        self.figures = {name: float(np.mean([said[name] for said in figures])) for name in figures[0]}
        self.steps += self._new

    def loss(self, numbers: Any) -> tuple[Tensor, dict[str, float]]:
        """The loss over some labels, given by their indices, and figures about it."""
        seen, chances, outcomes = self.labels.seen(numbers)
        logits, values = self.network(seen)
        cross_entropy = -(chances * torch.log_softmax(logits, 1)).sum(1).mean()
        known = ~outcomes.isnan()
        errors = values[known] - outcomes[known] / (self.scale or 1.0)
        value_loss = errors.square().sum() / len(values) / 2
        entropy = -(chances * chances.clamp(min=1e-9).log()).sum(1).mean()
        alike = (chances.argmax(1) == logits.argmax(1)).float().mean()
        said = {"divergence": cross_entropy - entropy, "alike": alike, "value_loss": value_loss, "entropy": entropy}
        loss = cross_entropy + self.config.value_weight * value_loss
        return loss, {name: float(value.detach()) for name, value in said.items()}


def main(config: Config) -> Pupil:
    """Start the run of a configuration, or continue it; returns the run at its end."""
    learner = Pupil(config)
    ppo.main(learner, "-alone")
    return learner


if __name__ == "__main__":
    try:
        main(tyro.cli(Config, description=__doc__))
    except (ValueError, RuntimeError) as error:
        sys.exit(f"distil: {error}")
