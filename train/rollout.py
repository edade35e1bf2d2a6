"""The tables of a run, and the data of every decision made there.

A rollout is `rollout.steps` decisions at each of `rollout.tables` tables. At the first tables the network plays every
seat; at the others it has one seat, and `Tables` moves the other players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from banakil_env.agents.encoding import list_moves
from banakil_env.agents.sparse import Sparse
from banakil_env.agents.sparse_features import write_features
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.random import seeds_of_rows
from banakil_env.core.threads import in_parts
from banakil_env.envs.opponents import Opponent
from banakil_env.envs.vector import Tables
from train.config import PAST, SELF, Config

# Initial room for the legal actions and the nonzero features of one decision; it grows when needed.
MOVES_AT_FIRST = 128
FEATURES_AT_FIRST = 192
ROWS_PER_THREAD = 64  # with fewer rows, a thread costs more time than it saves


class Seen(NamedTuple):
    """The input of the network for n decisions: the arguments of `Network.among`.

    Attributes:
        features: float (n, features), on a CPU as `Sparse`.
        moves: int16 (n, width), the legal actions, -1 after the last.
        faces: uint8 (n, width), for a move that takes from the pile, the deepest card that it takes.
        advice: int64 (n,), the action of the adviser; None without an adviser.
    """

    features: Tensor | Sparse
    moves: Tensor
    faces: Tensor
    advice: Tensor | None

    def part(self, rows: Any) -> Seen:
        """The input for some of these decisions; rows are int64 (k,)."""
        at = torch.from_numpy(rows).to(self.moves.device)
        x = self.features
        features = x.part(x.rows[rows]) if isinstance(x, Sparse) else x[at]
        return Seen(features, self.moves[at], self.faces[at], None if self.advice is None else self.advice[at])


class Decisions(NamedTuple):
    """The training data of a rollout's decisions; see the attributes of `Rollout`, all without the last step."""

    features: Sparse
    moves: Any
    faces: Any
    lengths: Any
    advice: Any


def written(config: Config, observations: Any, features: Sparse, rows: Any, depths: Any) -> Sparse:
    """Write the features of observations into some rows; returns the features, which are replaced if they lacked room.

    Args:
        config: the configuration of the run.
        observations: uint8 (k, bytes).
        features: the features of all rows.
        rows: int64 (k,), the rows to write.
        depths: uint8 (k, features.max_depth), also written; see `write_features`.
    """
    given = depths, config.threads, config.network.features(config.game)
    most = write_features(config.game, observations, features.part(rows), *given)
    if most > features.columns.shape[1]:
        features = features.widened(most * 5 // 4)
        write_features(config.game, observations, features.part(rows), *given)
    return features


class Rollout:
    """The tables of a run, and arrays of shape (steps, tables, ...) about the last decisions there.

    Arrays of observations have one more step, without decisions. Decisions also have numbers: that of table t at step s
    is s * tables + t.

    Args:
        config: the configuration of the run.
        opponents: the players at the tables where the learner has one seat.
        device, dtype: of the features for the network.

    Attributes:
        batches: the batches of tables. If the network plays every seat at some tables, they are the first batch.
        served: the number of tables where the network plays every seat; they are the first ones.
        learners: bool (tables, seats), the seats of the learner while a past self plays.
        observations: uint8 (tables, bytes), the current ones.
        masks: int8 (tables, actions), the current ones.
        features: the features, with a row for every decision.
        moves: int16, the legal actions, -1 after the last.
        faces: uint8, for moves that take from the pile, the deepest card that they take.
        lengths: the numbers of legal actions.
        advice: the action of the network's adviser.
        seats: the seats to move.
        picks: int16, the index of the chosen action in `moves`.
        rewards: float32 (steps, tables, seats), scaled.
        ended: bool, whether the episode ended with that decision.
    """

    def __init__(self, config: Config, opponents: Sequence[Opponent], device: torch.device, dtype: torch.dtype) -> None:
        steps, tables = config.rollout.steps, config.rollout.tables
        self._config, self._device, self._dtype = config, device, dtype
        self.served = self._served()
        self.batches = self._tables(opponents)
        self.game = self.batches[0].game
        self.learners = self._learners()
        now: dict[str, Any] = {}
        for name, (shape, kind) in self.batches[0].buffer_specs().items():
            now[name] = np.zeros((tables, *shape[1:]), kind)
        for rows, batch in self.parts():
            batch.write_into(**{name: array[rows] for name, array in now.items()})
        self.observations, self.masks = now["observations"], now["masks"]
        self._now = now
        shape, with_end = (steps, tables), (steps + 1, tables)
        self._width = config.network.features(self.game).width
        self.features = Sparse.zeros((steps + 1) * tables, FEATURES_AT_FIRST)
        self._depths = np.zeros((tables, self.game.features.max_depth), np.uint8)
        self.moves, self.faces = np.zeros((*with_end, 0), np.int16), np.zeros((*with_end, 0), np.uint8)
        self._make_room(MOVES_AT_FIRST)
        self.lengths, self.advice = np.zeros(with_end, np.int16), np.zeros(with_end, np.int64)
        self.seats = np.zeros(with_end, np.int64)
        self.picks = np.zeros(shape, np.int16)
        self.rewards = np.zeros((*shape, self.game.max_seats), np.float32)
        self.ended = np.zeros(shape, np.bool_)

    # The tables ------------------------------------------------------------------------------------------------------

    def _served(self) -> int:
        """The number of tables with only the current or past networks: the share of `self` and `past` in the pool."""
        players = self._config.pool.players
        return round(self._config.rollout.tables * sum(player in (SELF, PAST) for player in players) / len(players))

    def _tables(self, opponents: Sequence[Opponent]) -> list[Tables]:
        config, others = self._config, self._config.rollout.tables - self.served
        options = {"game": config.game, "reward": config.reward.kind, "threads": config.threads, **config.learned_at}
        batches = [Tables(self.served, **options)] if self.served else []
        if others:
            batches.append(Tables(others, opponents=opponents, seat="random", **options))
        return batches

    def _learners(self) -> Any:
        """The seats that learn.

        At the last tables where the network plays every seat, one side learns and the others are past selves.
        """
        pool, sides = self._config.pool.players, np.array(self._config.table.sides)
        learners = np.ones((self._config.rollout.tables, self.game.max_seats), np.bool_)
        shares = sum(player in (SELF, PAST) for player in pool)
        past = round(self.served * pool.count(PAST) / max(shares, 1))
        for row in range(self.served - past, self.served):
            learners[row, : len(sides)] = sides == row % len(set(sides))
        return learners

    def deal(self, seed: int | None) -> None:
        """Deal at every table from its seed, as the rows of one batch; with None, each from its own generator."""
        seeds = None if seed is None else seeds_of_rows(seed, np.arange(len(self.masks))).tolist()
        for rows, batch in self.parts():
            batch.reset(None if seeds is None else seeds[rows])

    def parts(self) -> Iterator[tuple[slice, Tables]]:
        """Yield each batch of tables with its rows in the arrays of all tables."""
        first = 0
        for batch in self.batches:
            yield slice(first, first + batch.num_tables), batch
            first += batch.num_tables

    def ask(self, player: str, dice: Any = None) -> Any:
        """The action of a rule-based player at each table, int64 (tables,).

        Args:
            player: the name of the player.
            dice: uint64 (tables,); None for zeros.
        """
        thrown = np.zeros(len(self.masks), np.uint64) if dice is None else dice
        asked = CompiledPlayer(player, self.game)

        def part(first: int, last: int) -> Any:
            rows = slice(first, last)
            return asked.act(self.observations[rows], self.masks[rows], thrown[rows])

        return np.concatenate(in_parts(part, len(self.masks), self._config.threads, ROWS_PER_THREAD))

    # Decisions -------------------------------------------------------------------------------------------------------

    def look(self, step: int, advised: bool = True) -> Seen:
        """Store the observations of all tables as those of this step, and return the network's input.

        Args:
            step: the step.
            advised: whether to call the network's adviser, if it has one.
        """
        threads, adviser = self._config.threads, self._config.network.advice
        self._write_features(self._numbers(step))
        listed = self.game, self.masks, self._depths
        most = list_moves(*listed, self.moves[step], self.faces[step], threads)
        if most > self.moves.shape[2]:
            self._make_room(most * 5 // 4)
            list_moves(*listed, self.moves[step], self.faces[step], threads)
        np.sum(self.moves[step] >= 0, axis=1, out=self.lengths[step])
        self.seats[step] = self._now["seats"]
        if advised and adviser:
            self.advice[step] = self.ask(adviser)
        return self.seen(self._numbers(step), advised)

    def seen(self, numbers: Any, advised: bool = True) -> Seen:
        """The network's input for some decisions, by their numbers, int64 (n,).

        Args:
            numbers: the numbers of the decisions.
            advised: whether to include the advice.
        """
        width = int(self.lengths.reshape(-1)[numbers].max())
        moves, faces = (array.reshape(-1, array.shape[2])[numbers, :width] for array in (self.moves, self.faces))
        features = self.features.part(numbers).on(self._device, self._width, self._dtype)
        advice = self.taken(self.advice, numbers) if advised and self._config.network.advice else None
        return Seen(
            features, torch.from_numpy(moves).to(self._device), torch.from_numpy(faces).to(self._device), advice
        )

    def decisions(self) -> Decisions:
        """The training data of this rollout's decisions, in arrays no wider than needed."""
        count, most = self.picks.size, int(self.lengths[:-1].max())
        features, width = self.features, int(self.features.lengths[:count].max())
        sparse = Sparse(
            features.columns[:count, :width],
            features.values[:count, :width],
            features.lengths[:count],
            np.arange(count),
        )
        moves, faces = self.moves[:-1, :, :most], self.faces[:-1, :, :most]
        return Decisions(sparse, moves, faces, self.lengths[:-1], self.advice[:-1])

    def replace(self, decisions: Decisions) -> None:
        """Take the decisions of another rollout of the same size; the tables stay. Do not call `look` after this."""
        self.features, self.moves, self.faces, self.lengths, self.advice = decisions

    def taken(self, array: Any, numbers: Any) -> Tensor:
        """The entries of a (steps, tables) array for some decisions, by their numbers, on the network's device."""
        return torch.from_numpy(array.reshape(-1)[numbers]).to(self._device)

    def actions(self, step: int, picks: Any) -> Any:
        """The actions at some indices of the lists of moves, int64 (tables,)."""
        found = np.take_along_axis(self.moves[step], picks[:, None].astype(np.int64), 1)[:, 0]
        return found.astype(np.int64)

    def place_of(self, step: int, actions: Any) -> Any:
        """The indices of these actions in the lists of moves, int64 (tables,)."""
        return (self.moves[step] == actions[:, None]).argmax(1)

    def carry_out(self, step: int) -> None:
        """Carry out the picks of a step, and store the rewards and the ends."""
        # `checked_actions` is not needed: picks come from the list of legal moves, and a step refuses all others.
        actions = self.actions(step, self.picks[step])
        for rows, batch in self.parts():
            batch.step(actions[rows])
        np.multiply(self._now["rewards"], self._config.reward.scale, out=self.rewards[step])
        np.logical_or(self._now["terminations"], self._now["truncations"], out=self.ended[step])

    def _numbers(self, step: int) -> Any:
        """The numbers of the decisions of a step."""
        tables = len(self.masks)
        return np.arange(step * tables, (step + 1) * tables)

    def _write_features(self, numbers: Any) -> None:
        self.features = written(self._config, self.observations, self.features, numbers, self._depths)

    def _make_room(self, width: int) -> None:
        """Make room for more legal actions per decision; the stored data stay."""
        room = ((0, 0), (0, 0), (0, width - self.moves.shape[2]))
        self.moves = np.pad(self.moves, room, constant_values=-1)
        self.faces = np.pad(self.faces, room)
