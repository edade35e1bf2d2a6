"""Makes networks for a game and a shape: with initial weights, with given weights, or without memory for weights."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from banakil_env.agents.model import Network, Shape
from banakil_env.agents.suit_network import SuitNetwork
from banakil_env.core.game import Game


def make_network(game: Game, shape: Shape, seed: int | None = None) -> Network:
    """The network for a game and a shape, with initial weights; see `Network` for the arguments."""
    return (Network if shape.channels is None else SuitNetwork)(game, shape, seed)


def unbuilt_network(game: Game, shape: Shape) -> Network:
    """The network of a shape on PyTorch's device "meta": its weights have names and shapes, but no memory."""
    with torch.device("meta"):
        return make_network(game, shape)


def network_with(game: Game, shape: Shape, weights: Mapping[str, Tensor]) -> Network:
    """The network of a shape with these weights, converted to float32. Names and shapes must be those of
    `unbuilt_network`.
    """
    network = unbuilt_network(game, shape)
    # Each weight in the memory order that the network uses (`by_feature`).
    laid = {
        name: torch.empty_strided(empty.shape, empty.stride()).copy_(weights[name])
        for name, empty in network.state_dict().items()
    }
    network.load_state_dict(laid, assign=True)
    return network
