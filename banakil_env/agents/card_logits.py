"""Logits of moves about one card, from the columns of that card, by weights that all cards share.

The plain layers of `model.py` learn for each card separately what makes it a good discard. Much of it is the same for
every card: what the discard leaves of the hand, whether the card fits a meld, whether others collect it. These are
columns about the card. `Shape.cards` adds to the logit of a move with one card, such as a discard, the product of this
card's columns and weights that the network computes from the whole position: one set for each block of actions. Cards
without suit and rank have no columns of this kind.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from banakil_env.agents.sparse import Sparse, array_of, in_row_threads
from banakil_env.agents.sparse_kernels import MOST_MOVES, MOST_PLACES, READ_CARDS, READ_CARDS_BACK
from banakil_env.agents.suit_layout import face_table, place_of, seen_of
from banakil_env.core.features import NOWHERE, Features
from banakil_env.core.game import Game


@dataclass(frozen=True, eq=False)
class CardMoves:
    """Which columns are about which card, and which actions.

    Attributes:
        columns: int64 (planes, places), the columns about cards with suit and rank.
        planes, places: int16 (features,), the same of each column; NOWHERE: it is about no such card.
        num_blocks: blocks of actions with one card.
        block_of, place_of: int16 (actions,), of each action; NOWHERE: it has no such card.
    """

    columns: npt.NDArray[np.int64]
    planes: npt.NDArray[np.int16]
    places: npt.NDArray[np.int16]
    num_blocks: int
    block_of: npt.NDArray[np.int16]
    place_of: npt.NDArray[np.int16]

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """For each action the index of its score among the scores of all blocks and places; the index behind the last:
        none.
        """
        block, places = self.block_of.astype(np.int64), self.columns.shape[1]
        return np.where(block == NOWHERE, self.num_blocks * places, block * places + self.place_of)

    @property
    def num_weights(self) -> int:
        """Weights that the network computes for each position: one for each block and plane."""
        return self.num_blocks * len(self.columns)


@functools.cache
def card_moves(game: Game, features: Features) -> CardMoves:
    """The columns and actions about one card. ValueError: the features were given no `FaceTable`."""
    columns, table = seen_of(game, features).cards, face_table(game)
    assert len(game.actions) <= MOST_MOVES, "raise the room of the kernels"
    assert table.num_cells <= MOST_PLACES, "raise the room of the kernels"
    planes, places = (np.full(features.width, NOWHERE, np.int16) for _ in range(2))
    planes[columns], places[columns] = np.arange(len(columns))[:, None], np.arange(table.num_cells)
    at = np.array([place_of(table, action) for action in game.actions], np.int16)
    names = dict.fromkeys(action.block.name for action in game.actions if at[action.index] != NOWHERE)
    numbers = {name: number for number, name in enumerate(names)}
    blocks = [numbers[a.block.name] if at[a.index] != NOWHERE else NOWHERE for a in game.actions]
    return CardMoves(columns, planes, places, len(numbers), np.array(blocks, np.int16), at)


def card_logits(x: Sparse, moves: Tensor, weights: Tensor, table: CardMoves) -> Tensor:
    """The part of the logits of listed actions that comes from the columns about their cards.

    Args:
        x: features, (n, features). moves: int16 (n, width), actions, -1 behind the last.
        weights: float32 (n, table.num_weights).

    Returns:
        float32 (n, width), zero for an action without such a card.
    """
    logits: Tensor = _CardLogits.apply(weights, moves, x, table)
    return logits


def all_card_logits(x: Tensor, weights: Tensor, columns: Tensor, scores: Tensor) -> Tensor:
    """Like `card_logits` for all actions, float32 (n, actions), in PyTorch's operations and on any device.

    Args:
        x: features, (n, features). columns, scores: of `CardMoves`, on the device.
    """
    read_from = x[:, columns.reshape(-1)].unflatten(1, columns.shape)
    found = torch.bmm(weights.unflatten(1, (-1, len(columns))), read_from).flatten(1)
    return nn.functional.pad(found, (0, 1))[:, scores]


# PyTorch's types do not cover the arguments of a `forward` and the decorator of a `backward`: `type: ignore` below.


class _CardLogits(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor, moves: Tensor, x: Sparse, table: CardMoves) -> Tensor:  # type: ignore[override]
        ctx.moves, ctx.x, ctx.table, ctx.shape = moves, x, table, weights.shape
        out = torch.empty(moves.shape)
        in_row_threads(READ_CARDS, len(x), *_kernel_arguments(ctx), array_of(weights.contiguous()), out.numpy())
        return out

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, gradient: Tensor) -> Any:  # type: ignore[override]
        by_weights = torch.zeros(ctx.shape)
        given = *_kernel_arguments(ctx), by_weights.numpy(), array_of(gradient.contiguous())
        in_row_threads(READ_CARDS_BACK, len(ctx.x), *given)
        return by_weights, None, None, None


def _kernel_arguments(ctx: Any) -> tuple[Any, ...]:
    """The features, the columns and the listed moves as kernels take them."""
    table = ctx.table
    lists = table.planes, table.places, table.block_of, table.place_of, array_of(ctx.moves.contiguous())
    return *ctx.x.arrays, *lists, len(table.columns)
