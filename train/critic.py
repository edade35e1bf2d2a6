"""What judges actions with all hands open? A second network, in training only, and its input.

The critic is given what every seat sees, as features by the game's one writer of observations, and so sees all hands.
For each legal action of the seat to move it says the expected return of every seat. It is written into checkpoints,
never into an agent: what plays sees its own observation alone.

Seats are counted from the seat to move, in the order of play: *turn* 0 is the seat to move, turn 1 the next one.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from banakil_env.agents.encoding import depths_of_actions
from banakil_env.agents.model import read_among
from banakil_env.agents.sparse import Sparse, by_feature, first_layer
from banakil_env.core.bound import observe
from banakil_env.core.features import Features
from banakil_env.core.game import Game
from banakil_env.core.jit import bind
from banakil_env.core.threads import in_parts
from train.config import CentralCritic, Config
from train.rollout import FEATURES_AT_FIRST, ROWS_PER_THREAD, Rollout, written

FIRST_GAIN = 0.01  # of the layers that tell actions apart: at first the critic thinks all of them alike


class OpenHands(NamedTuple):
    """What the critic is given of n decisions: the arguments of `Critic.forward`.

    Attributes:
        hands: for each turn, the features of what that seat sees, float (n, features), on a CPU as `Sparse`.
        moves, faces: the legal actions of the seat to move; see `train.rollout.Seen`.
    """

    hands: list[Tensor | Sparse]
    moves: Tensor
    faces: Tensor


class Critic(nn.Module):
    """The expected return of every seat after each legal action of the seat to move, by all hands.

    Args:
        game: which is played. features: of it, that the learner sees. players: how many play.
        shape: how wide it is. seed: of the first weights; None: from torch's own generator.
    """

    def __init__(
        self, game: Game, features: Features, players: int, shape: CentralCritic, seed: int | None = None
    ) -> None:
        super().__init__()
        width, takes = shape.width, bool((depths_of_actions(game) < features.max_depth).any())
        self.hands = nn.ModuleList(nn.Linear(features.width, width) for _ in range(players))
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(shape.layers - 1))
        self.value = nn.Linear(width, players)
        self.actions = nn.ModuleList(nn.Linear(width, len(game.actions)) for _ in range(players))
        self.takes = nn.ModuleList(nn.Linear(width, features.no_face) for _ in range(players) if takes)
        generator = None if seed is None else torch.Generator().manual_seed(seed)
        gains: list[tuple[Any, float]] = [(layer, 2**0.5) for layer in (*self.hands, *self.layers)]
        gains += [(self.value, 1.0), *((layer, FIRST_GAIN) for layer in (*self.actions, *self.takes))]
        for layer, gain in gains:
            nn.init.orthogonal_(layer.weight, gain, generator=generator)
            nn.init.zeros_(layer.bias)
        for layer in self.hands:
            layer.weight = nn.Parameter(by_feature(layer.weight.detach()))

    def forward(self, hands: Sequence[Tensor | Sparse], moves: Tensor, faces: Tensor) -> Tensor:
        """The expected returns, float32 (n, players, width), players by turn; see `OpenHands`.

        Behind the last legal action of a row stand numbers without a meaning.
        """
        x: Any = sum(_first(layer, hand) for layer, hand in zip(self.hands, hands, strict=True))
        for layer in self.layers:
            x = layer(torch.relu(x))
        x = torch.relu(x)
        takes: Any = self.takes or [None] * len(self.actions)
        better = [read_among(x, moves, faces, of, take) for of, take in zip(self.actions, takes)]
        return torch.stack(better, 1) + self.value(x).float()[:, :, None]


def _first(layer: Any, hand: Tensor | Sparse) -> Tensor:
    given: Tensor = first_layer(hand, layer.weight, layer.bias) if isinstance(hand, Sparse) else layer(hand)
    return given


def make_critic(config: Config) -> Critic:
    """The critic of a run, with its first weights."""
    return Critic(config.game, config.network.features(config.game), config.table.seats, config.critic, config.seed)


def unbuilt_critic(config: Config) -> Critic:
    """The same without memory for its weights (PyTorch's device "meta"): their names and shapes."""
    with torch.device("meta"):
        return make_critic(config)


class OtherHands:
    """What the seats that are not to move see at every decision of a rollout: a row of features for each.

    What the seat to move sees has been written by the rollout itself (`Rollout.look`, which comes first).
    """

    def __init__(self, config: Config, rollout: Rollout, device: torch.device, dtype: torch.dtype) -> None:
        self._config, self._rollout, self._device, self._dtype = config, rollout, device, dtype
        self._width, self._others = config.network.features(rollout.game).width, config.table.seats - 1
        self._tables, game = config.rollout.tables, rollout.game
        count = (config.rollout.steps + 1) * self._tables * self._others
        self.features = Sparse.zeros(count, FEATURES_AT_FIRST)
        self._observations = np.zeros(self._tables, game.observation)
        self._depths = np.zeros((self._tables, game.features.max_depth), np.uint8)

    def look(self, step: int) -> None:
        """Write what every other seat sees now as that of a step."""
        numbers = np.arange(step * self._tables, (step + 1) * self._tables)
        for turn in range(1, self._others + 1):
            self._observe(step, turn)
            self._write_features(self._rows(numbers, turn))

    def seen(self, numbers: Any) -> OpenHands:
        """What the critic is given of some decisions, by their numbers, int64 (n,)."""
        own = self._rollout.seen(numbers, advised=False)
        rows = [self.features.part(self._rows(numbers, turn)) for turn in range(1, self._others + 1)]
        others = [row.on(self._device, self._width, self._dtype) for row in rows]
        return OpenHands([own.features, *others], own.moves, own.faces)

    def _rows(self, numbers: Any, turn: int) -> Any:
        return numbers * self._others + turn - 1

    def _observe(self, step: int, turn: int) -> None:
        """Write the observations of the seats of this turn."""
        seats = (self._rollout.seats[step] + turn) % (self._others + 1)
        kernel = _observe_many_of(self._rollout.game)
        for rows, batch in self._rollout.parts():
            given = batch.states, seats[rows], self._observations[rows]
            in_parts(functools.partial(kernel, *given), batch.num_tables, self._config.threads, ROWS_PER_THREAD)

    def _write_features(self, rows: Any) -> None:
        seen = self._observations.view(np.uint8).reshape(self._tables, -1)
        self.features = written(self._config, seen, self.features, rows, self._depths)


def _observe_many(states: Any, seats: Any, observations: Any, first: int, last: int) -> None:
    """Write what a seat of each table sees, row by row."""
    for table in range(first, last):
        observe(states[table], seats[table], observations[table])


@functools.cache
def _observe_many_of(game: Game) -> Any:
    return bind(_observe_many, f"{game.name}_observe_many", observe=game.engine.observe)
