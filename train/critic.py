"""Who judges while the player learns? A network that foresees the return from all cards, and never plays.

What a player is taught is how much better a move turned out than was to be expected. The more the one who expects knows
of the cards, the less of that is luck. The player itself sees its observation alone, so that nothing of what the critic
knows is in the agent. (Pinto and others, "Asymmetric Actor Critic for Image-Based Robot Learning", 2017; and for cards,
Yang and others, "PerfectDou: Dominating DouDizhu with Perfect Information Distillation", 2022.)
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from agents.model import Shape
from agents.sparse import Sparse, by_feature, first_layer
from banakil_env.core.jit import compiled
from banakil_env.games.banakil.faces import NUM_FACES, PACK_SIZE
from banakil_env.games.banakil.game import GAME
from banakil_env.games.banakil.observation import observe_hidden
from banakil_env.games.banakil.state import MAX_SEATS

NEXT_CARDS = 12  # of the stock, that are told apart

# The columns: each other hand, one or two of a face and two; the next cards of the stock, one after the other.
NUM_FEATURES = GAME.features.width
HANDS = 2 * NUM_FACES
NUM_HIDDEN = (MAX_SEATS - 1) * HANDS + NEXT_CARDS * NUM_FACES


def encode_hidden(states: npt.NDArray[Any], seats: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> None:
    """Write what the seats to move do not see.

    Args:
        states: n records. seats: int64 (n,). out: float32 (n, NUM_HIDDEN).
    """
    hands = np.zeros((len(states), MAX_SEATS, NUM_FACES), np.uint8)
    stock = np.zeros((len(states), PACK_SIZE), np.uint8)
    _encode_rows(states, seats, hands, stock, out)


@compiled
def _encode_rows(states: Any, seats: Any, hands: Any, stock: Any, out: Any) -> None:
    """The same with room for every hand and the stock, both zero before."""
    for row in range(states.shape[0]):
        observe_hidden(states[row], seats[row], hands[row], stock[row])
        columns = out[row]
        columns[:] = 0
        for other in range(1, MAX_SEATS):
            first = (other - 1) * HANDS
            for face in range(NUM_FACES):
                columns[first + face] = hands[row, other, face] >= 1
                columns[first + NUM_FACES + face] = hands[row, other, face] >= 2
        first = (MAX_SEATS - 1) * HANDS - 1  # the stock holds 1 + face
        for i in range(NEXT_CARDS):
            if stock[row, i]:
                columns[first + i * NUM_FACES + stock[row, i]] = 1


class Critic(nn.Module):
    """The expected return of the seat to move.

    Args:
        shape: as wide as the player's network. seed: of the first weights; None: from torch's own generator.
    """

    def __init__(self, shape: Shape, seed: int | None = None) -> None:
        super().__init__()
        widths = (NUM_FEATURES + NUM_HIDDEN, *shape.hidden)
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in itertools.pairwise(widths))
        self.value = nn.Linear(widths[-1], 1)
        generator = None if seed is None else torch.Generator().manual_seed(seed)
        for layer in (*self.layers, self.value):
            assert isinstance(layer, nn.Linear)
            nn.init.orthogonal_(layer.weight, 1.0 if layer is self.value else 2**0.5, generator=generator)
            nn.init.zeros_(layer.bias)
        self.layers[0].weight = nn.Parameter(by_feature(self.layers[0].weight.detach()))

    def forward(self, seen: Tensor | Sparse, hidden: Tensor | Sparse) -> Tensor:
        """Of features (n, NUM_FEATURES) and the hidden cards (n, NUM_HIDDEN), float32 (n,)."""
        first, *others = self.layers
        if isinstance(seen, Sparse):
            weights, bias = first.weight.split((NUM_FEATURES, NUM_HIDDEN), 1), first.bias
            x = first_layer(seen, weights[0], bias) + first_layer(hidden, weights[1], torch.zeros_like(bias))
        else:
            x = first(torch.cat([seen, hidden], 1))
        for layer in others:
            x = layer(torch.relu(x))
        value: Tensor = self.value(torch.relu(x)).squeeze(1).float()
        return value
