"""Widens a network without columns about discards to one that has them, with weights of zero."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from banakil_env.agents.card_logits import card_moves
from banakil_env.agents.making import unbuilt_network
from banakil_env.agents.model import Shape
from banakil_env.agents.suit_layout import seen_of
from banakil_env.core.features import NOWHERE
from banakil_env.core.game import Game


def with_rests(tensors: Mapping[str, Tensor], game: Game, shape: Shape) -> dict[str, Tensor]:
    """Weights for `shape` with `rests`, made from the weights of a network of this shape without them.

    The widened network gives the same outputs.

    Args:
        tensors: the weights, by name.
        game: the game.
        shape: the shape without `rests`.
    """
    wider = dataclasses.replace(shape, rests=True)
    first = wider.features(game).first
    columns = np.concatenate([np.arange(group.count) + first[group.name] for group in shape.features(game).columns])
    places = {"layers.0.weight": (1, columns)}  # the axis that grows, and the new indices of its old entries
    if shape.channels is not None:
        old, new = (seen_of(game, of.features(game)).where for of in (shape, wider))
        for name, placed in (("plain.weight", False), ("near.weight", True)):
            some = (old.suits != NOWHERE) == placed
            numbered = dict(zip(old.inputs[some].tolist(), new.inputs[columns[some]].tolist(), strict=True))
            places[name] = (1, np.array([numbered[number] for number in range(len(numbered))], np.int64))
    if shape.cards:
        before, after = (card_moves(game, of.features(game), shape.takes) for of in (shape, wider))
        planes = after.planes[columns[before.columns[:, 0]]]  # the planes about cards that the narrow network has
        weights = np.arange(after.num_blocks)[:, None] * len(after.columns) + planes
        places |= dict.fromkeys(("cards.weight", "cards.bias"), (0, weights.reshape(-1)))
    out = dict(tensors)
    for name, empty in unbuilt_network(game, wider).state_dict().items():
        if name in places:
            axis, numbers = places[name]
            out[name] = torch.zeros(empty.shape, dtype=tensors[name].dtype)
            out[name].index_copy_(axis, torch.from_numpy(numbers), tensors[name])
    return out
