"""Makes networks from a game and a shape: with first weights, with given ones, or without memory for any."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from banakil_env.agents.model import Network, Shape
from banakil_env.agents.suit_network import SuitNetwork
from banakil_env.core.game import Game


def make_network(game: Game, shape: Shape, seed: int | None = None) -> Network:
    """The network of a game and a shape, with its first weights; see `Network`."""
    return (Network if shape.channels is None else SuitNetwork)(game, shape, seed)


def unbuilt_network(game: Game, shape: Shape) -> Network:
    """The network of a shape without memory for its weights (PyTorch's device "meta"): their names and shapes."""
    with torch.device("meta"):
        return make_network(game, shape)


def network_with(game: Game, shape: Shape, weights: Mapping[str, Tensor]) -> Network:
    """The network of a shape with these weights, made float32; they have the names and shapes of `unbuilt_network`."""
    network = unbuilt_network(game, shape)
    # Each in memory in the order that the network has it in (`by_feature`).
    laid = {
        name: torch.empty_strided(empty.shape, empty.stride()).copy_(weights[name])
        for name, empty in network.state_dict().items()
    }
    network.load_state_dict(laid, assign=True)
    return network
