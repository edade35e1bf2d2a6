"""Logits of moves with one card, computed from the feature columns of that card with weights that all cards share.

The plain layers of `model.py` learn for each card separately when it is a good discard. Much of this is the same for
every card: how good the hand is without it, whether it fits a meld, whether other seats collect it. Such facts are
feature columns about the card. With `Shape.cards`, the logit of a move with one card, such as a discard, gets an
additional term: the product of this card's columns and weights that the network computes from the whole position, one
set of weights for each block of actions. With `Shape.takes`, moves that take a card from the pile get this term too.
Cards without suit and rank have no such columns.
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

from banakil_env.agents.encoding import depths_of_actions
from banakil_env.agents.sparse import Sparse, array_of, in_row_threads
from banakil_env.agents.sparse_kernels import FROM_PILE, MOST_MOVES, MOST_PLACES, READ_CARDS, READ_CARDS_BACK
from banakil_env.agents.suit_layout import face_table, place_of, seen_of
from banakil_env.core.features import NOWHERE, Features
from banakil_env.core.game import Game


@dataclass(frozen=True, eq=False)
class CardMoves:
    """The columns about single cards, and the actions with one card.

    Attributes:
        columns: int64 (planes, places), the index of each column about a card with suit and rank.
        planes, places: int16 (features,), the plane and the place of each column; NOWHERE for columns that are not
            about one card.
        num_blocks: number of blocks of actions with one card.
        block_of: int16 (actions,), the number of each action's block; NOWHERE for actions without such a card.
        place_of: int16 (actions,), the place of each action's card; NOWHERE for actions without such a card. FROM_PILE:
            the card at the action's depth in the pile.
        place_of_face: int16 (faces + 1,), the place of each face; NOWHERE for wild cards and for "no card".
    """

    columns: npt.NDArray[np.int64]
    planes: npt.NDArray[np.int16]
    places: npt.NDArray[np.int16]
    num_blocks: int
    block_of: npt.NDArray[np.int16]
    place_of: npt.NDArray[np.int16]
    place_of_face: npt.NDArray[np.int16]

    @property
    def num_weights(self) -> int:
        """The number of weights that the network computes for each position: one for each block and plane."""
        return self.num_blocks * len(self.columns)


@functools.cache
def card_moves(game: Game, features: Features, takes: bool = False) -> CardMoves:
    """The columns about single cards, and the actions with one card.

    Args:
        game: the game.
        features: the layout of the columns.
        takes: include moves that take a card from the pile.

    Raises:
        ValueError: the features have no `FaceTable`.
    """
    columns, table = seen_of(game, features).cards, face_table(game)
    assert len(game.actions) <= MOST_MOVES, "raise the room of the kernels"
    assert table.num_cells <= MOST_PLACES, "raise the room of the kernels"
    planes, places = (np.full(features.width, NOWHERE, np.int16) for _ in range(2))
    planes[columns], places[columns] = np.arange(len(columns))[:, None], np.arange(table.num_cells)
    at = np.array([place_of(table, action) for action in game.actions], np.int16)
    if takes:
        at[depths_of_actions(game) < features.max_depth] = FROM_PILE
    names = dict.fromkeys(action.block.name for action in game.actions if at[action.index] != NOWHERE)
    numbers = {name: number for number, name in enumerate(names)}
    blocks = [numbers[a.block.name] if at[a.index] != NOWHERE else NOWHERE for a in game.actions]
    of_faces = np.full(features.no_face + 1, NOWHERE, np.int16)
    of_faces[: len(table.cells)] = table.cells
    return CardMoves(columns, planes, places, len(numbers), np.array(blocks, np.int16), at, of_faces)


def card_logits(x: Sparse, moves: Tensor, faces: Tensor, weights: Tensor, table: CardMoves) -> Tensor:
    """The term of the logits that comes from the columns about single cards, for listed actions.

    Args:
        x: features, (n, features).
        moves: int16 (n, width), the listed actions; -1 after the last one.
        faces: uint8 (n, width), the faces that `list_moves` returns.
        weights: float32 (n, table.num_weights).
        table: the columns and actions.

    Returns:
        float32 (n, width), zero for an action without such a card.
    """
    logits: Tensor = _CardLogits.apply(weights, moves, faces, x, table)
    return logits


class DenseCardLogits(nn.Module):
    """The function `card_logits` in PyTorch operations, for any device; its tables move to the device with the network.

    Args:
        table: the columns and actions.
    """

    columns: Tensor
    block_of: Tensor
    place_of: Tensor
    place_of_face: Tensor

    def __init__(self, table: CardMoves) -> None:
        super().__init__()
        for name in ("columns", "block_of", "place_of", "place_of_face"):
            numbers = torch.from_numpy(getattr(table, name).astype(np.int64))
            self.register_buffer(name, numbers, persistent=False)

    def forward(self, x: Tensor, moves: Tensor, faces: Tensor, weights: Tensor) -> Tensor:
        """See `card_logits`. `x` is float32 (n, features); `moves` and `faces` are int64 (n, width)."""
        planes, places = self.columns.shape
        read_from = x[:, self.columns.reshape(-1)].unflatten(1, (planes, places))
        found = torch.bmm(weights.unflatten(1, (-1, planes)), read_from).flatten(1)
        block, place = self.block_of[moves.clamp(min=0)], self.place_of[moves.clamp(min=0)]
        place = torch.where(place == FROM_PILE, self.place_of_face[faces], place)
        nothing = (moves < 0) | (block == NOWHERE) | (place < 0)
        index = torch.where(nothing, found.shape[1], block * places + place)
        return nn.functional.pad(found, (0, 1)).gather(1, index)


# PyTorch's types do not cover the arguments of a `forward` and the decorator of a `backward`, hence `type: ignore`.


class _CardLogits(torch.autograd.Function):
    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, weights: Tensor, moves: Tensor, faces: Tensor, x: Sparse, table: CardMoves
    ) -> Tensor:
        ctx.moves, ctx.faces, ctx.x, ctx.table, ctx.shape = moves, faces, x, table, weights.shape
        out = torch.empty(moves.shape)
        in_row_threads(READ_CARDS, len(x), *_kernel_arguments(ctx), array_of(weights.contiguous()), out.numpy())
        return out

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, gradient: Tensor) -> Any:  # type: ignore[override]
        by_weights = torch.zeros(ctx.shape)
        given = *_kernel_arguments(ctx), by_weights.numpy(), array_of(gradient.contiguous())
        in_row_threads(READ_CARDS_BACK, len(ctx.x), *given)
        return by_weights, None, None, None, None


def _kernel_arguments(ctx: Any) -> tuple[Any, ...]:
    """The features, the columns and the listed moves, in the order of the kernels' arguments."""
    table = ctx.table
    of_moves = table.block_of, table.place_of, table.place_of_face
    listed = array_of(ctx.moves.contiguous()), array_of(ctx.faces.contiguous())
    return *ctx.x.arrays, table.planes, table.places, *of_moves, *listed, len(table.columns)
