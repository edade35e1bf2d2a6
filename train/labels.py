"""Labels decisions by a teacher, in games between any players.

A teacher is any player with a name: an agent of the zoo, with or without an adviser, or a rule-based player. A network
gives a logit for each legal action; any other player gives its one move. The labels do not depend on the players at the
tables, so a student can learn from positions that its own moves lead to (DAgger: Ross, Gordon and Bagnell, "A Reduction
of Imitation Learning and Structured Prediction to No-Regret Online Learning", 2011).

    teacher = Teacher("zoo:gin-2p-5", find("gin"))
    tables = Tables(1024, game="gin", threads=1)
    tables.reset(seed=0)
    found = labelled(tables, rule_based("expert", tables.game), teacher, steps=64, share=0.25, dice=dice)

`train/distil.py` trains networks with these labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from banakil_env.agents import make_player
from banakil_env.agents.encoding import encode, list_moves
from banakil_env.agents.network import NetworkPlayer
from banakil_env.agents.sparse import Sparse, multiplies_bfloat16
from banakil_env.agents.sparse_kernels import FORBIDDEN
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.game import Game
from banakil_env.envs.vector import Tables

# Decisions that a teacher labels in one call, so that intermediate results fit into the processor's cache.
AT_ONCE = 256

Mover = Callable[[Any, Any], Any]  # maps observations, uint8 (n, bytes), and masks, int8 (n, actions), to actions, (n,)


class Decisions(NamedTuple):
    """n decisions with a choice, and the teacher's labels.

    Attributes:
        observations: uint8 (n, bytes), the observations of the seats to move.
        moves: int16 (n, width), the legal actions, ascending, with -1 behind the last.
        faces: uint8 (n, width), the faces of the moves, as `agents.encoding.list_moves` gives them.
        logits: float32 (n, width), the teacher's logits; FORBIDDEN, which is very low, behind the last move.
        outcomes: float32 (n,), the reward of the seat at the end of the episode; NaN if the episode was not over yet.
    """

    observations: Any
    moves: Any
    faces: Any
    logits: Any
    outcomes: Any


class Teacher:
    """A player that labels decisions.

    Args:
        name: the name of the player, as `banakil_env.agents.make_player` takes it.
        game: the game.
        bfloat16: whether a network multiplies in bfloat16; None: if the processor has instructions for it.

    Raises:
        PlayerError: there is no such player.
    """

    def __init__(self, name: str, game: Game, bfloat16: bool | None = None) -> None:
        self.name, self.game, self.player = name, game, make_player(name, game)
        self._bfloat16 = multiplies_bfloat16() if bfloat16 is None else bfloat16

    def label(self, observations: Any, masks: Any) -> tuple[Any, Any, Any]:
        """The moves, their faces and the logits of some decisions; see `Decisions`."""
        parts = [slice(first, first + AT_ONCE) for first in range(0, len(masks), AT_ONCE)]
        found = [self._label(observations[part], masks[part]) for part in parts]
        width = max((moves.shape[1] for moves, _, _ in found), default=1)
        fill = -1, self.game.features.no_face, FORBIDDEN
        moves, faces, logits = (joined(arrays, width, by) for arrays, by in zip(zip(*found), fill))
        return moves, faces, logits

    def _label(self, observations: Any, masks: Any) -> tuple[Any, Any, Any]:
        """The same as `label`, for decisions that fit into the cache."""
        player, game = self.player, self.game
        features = player.network.features if isinstance(player, NetworkPlayer) else game.features
        x, depths = encode(game, observations, features=features)
        moves = np.empty((len(x), int(np.count_nonzero(masks, axis=1).max(initial=1))), np.int16)
        faces = np.empty(moves.shape, np.uint8)
        list_moves(game, masks, depths, moves, faces)
        if isinstance(player, NetworkPlayer):
            with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
                seen = Sparse.of(x), torch.from_numpy(moves), torch.from_numpy(faces)
                logits = player.network.among(*seen, player.advice(observations, masks))[0].numpy()
        else:
            actions = player.act(observations, masks, np.zeros(len(masks), np.uint64))
            logits = np.where(moves == actions[:, None], np.float32(0), np.float32(FORBIDDEN))
        return moves, faces, logits


def rule_based(name: str, game: Game) -> Mover:
    """A function that returns the actions of a rule-based player."""
    player = CompiledPlayer(name, game)
    return lambda observations, masks: player.act(observations, masks, np.zeros(len(masks), np.uint64))


def labelled(
    tables: Tables, mover: Mover, teacher: Teacher, steps: int, share: float, dice: np.random.Generator
) -> Decisions:
    """Play some steps at every table, and label decisions on the way.

    Args:
        tables: tables that have been dealt; play continues from their current positions.
        mover: makes every move, except those of the tables' opponents, if they have any.
        teacher: the player that labels.
        steps: the number of decisions at each table.
        share: the share of the decisions that are labelled. They are drawn at random, so that labels come from more
            episodes. Decisions with one legal action are never labelled.
        dice: the random generator.
    """
    rows, count = np.arange(tables.num_tables), tables.num_tables
    seats, ended = np.zeros((steps, count), np.int64), np.zeros((steps, count), np.bool_)
    rewards = np.zeros((steps, count, tables.game.max_seats), np.float32)
    chosen, seen, masks = np.zeros((steps, count), np.bool_), [], []
    for step in range(steps):
        actions = mover(tables.observations, tables.masks)
        chosen[step] = (dice.random(count) < share) & (np.count_nonzero(tables.masks, axis=1) > 1)
        seen.append(tables.observations[chosen[step]])
        masks.append(tables.masks[chosen[step]])
        seats[step] = tables.seats
        tables.step(actions)
        rewards[step], ended[step] = tables.rewards, tables.terminations | tables.truncations
    outcomes, worth = np.empty((steps, count), np.float32), np.full(rewards.shape[1:], np.nan, np.float32)
    for step in reversed(range(steps)):
        worth[ended[step]] = rewards[step, ended[step]]
        outcomes[step] = worth[rows, seats[step]]
    observations = np.concatenate(seen)
    return Decisions(observations, *teacher.label(observations, np.concatenate(masks)), outcomes[chosen])


def joined(arrays: Sequence[Any], width: int, fill: float) -> Any:
    """Concatenate arrays of n rows, each padded with `fill` to `width` columns."""
    room = [((0, 0), (0, width - array.shape[1])) for array in arrays]
    return np.concatenate([np.pad(array, by, constant_values=fill) for array, by in zip(arrays, room)])
