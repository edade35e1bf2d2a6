"""A network that treats all suits alike, as the rules do: a convolution over the ranks of every suit.

The value of a card depends on the cards near it, in the same way in every suit and nearly the same way at every rank.
So the columns that belong to cards are arranged as planes of suits and ranks, and one set of weights is moved over
them. The logit of an action with a card (discard it, add it, open a run around it) is read at the card's place. Columns
without a place (numbers of cards, the rules, wild cards) go through a plain layer and to every place. The network of
`model.py` learns the same fact for each card separately. This network learns it once, and needs a tenth of the data for
facts about single cards.

With `Shape.sets`, a place also gets the sum over the places of its rank. Without it, a place gets the other suits only
as one sum over all places, in which a pair is as good as two loose cards. `suit_layout.py` finds the columns and
actions, for any game with a `FaceTable`. In games where only ranks matter, such as Canasta, the faces are the ranks of
a single suit, and all ranks share weights. Neighboring ranks mean nothing in these games, and the weights learn to
ignore them.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from banakil_env.agents.model import FIRST_TRUST, Network, Shape, zero_embedding
from banakil_env.agents.sparse import Sparse
from banakil_env.agents.sparse_kernels import FORBIDDEN
from banakil_env.agents.sparse_suits import suit_layer
from banakil_env.agents.suit_layout import face_table, said_of, seen_of
from banakil_env.core.game import Game

REACH = 5  # width of the convolution in ranks, with the card's rank in the middle


def _within(ranks: int) -> np.ndarray:
    """Whether each rank exists in the convolution's window around each rank: 1 or 0, float32 (REACH, ranks)."""
    seen = np.arange(REACH)[:, None] + np.arange(ranks) - REACH // 2
    return ((seen >= 0) & (seen < ranks)).astype(np.float32)


class SuitNetwork(Network):
    """A network that treats all suits alike: exchanging suits exchanges the logits in the same way, and nothing else
    changes.

    Args:
        game: the game that it plays.
        shape: a shape with `channels`. The first width in `hidden` is that of the layer for columns without a place;
            the last is that of the layer that the logits of the whole are computed from.
        seed: seed of the initial weights; None: PyTorch's global generator is used.

    Raises:
        ValueError: the game's features have no `FaceTable`.
    """

    # Buffers that `_keep_layout` registers.
    _cells: Tensor
    _suit_columns: Tensor
    _plain_columns: Tensor
    _within: Tensor
    _places: Tensor
    _sum_of: Tensor
    _face_places: Tensor
    _kinds: Tensor
    _advised_cells: Tensor

    def __init__(self, game: Game, shape: Shape, seed: int | None = None) -> None:
        nn.Module.__init__(self)
        assert shape.channels is not None
        self._of_game(game, shape)
        table, self._seen, self._said = face_table(game), seen_of(game, self.features), said_of(game)
        self._suits, self._ranks = table.suits, table.ranks
        read, whole = self._said.num_read, self._said.num_whole
        channels, wide, width = shape.channels, shape.hidden[0], shape.hidden[-1]
        self.plain = nn.Linear(self._seen.num_plain, wide)
        self.near = nn.Conv1d(len(self._seen.cards) + len(self._seen.suits), channels, REACH, padding=REACH // 2)
        self.everywhere = nn.Linear(wide, channels)
        self.ranks = nn.Parameter(torch.zeros(channels, table.ranks))
        self.nearer = nn.Conv1d(channels, channels, REACH, padding=REACH // 2)
        self.suits = nn.Linear(channels, channels)
        self.sets = nn.Linear(channels, channels) if shape.sets else None
        self.last = nn.Conv1d(channels, channels, 1)
        self.read = nn.Conv1d(channels, read, 1)
        self.whole = nn.Linear(channels + wide, width)
        self.policy = nn.Linear(width, whole)
        self.value = nn.Linear(width, 1)
        if shape.advice:
            self.advised = zero_embedding(read + whole, wide)
            self.advised_place = zero_embedding(read + whole, channels)
            self.trust = nn.Linear(width, 1)
        self._begin(None if seed is None else torch.Generator().manual_seed(seed))
        self._keep_layout(table.num_cells, table.ranks)

    def _keep_layout(self, num_cells: int, ranks: int) -> None:
        """Register index tensors as buffers, which move to the device with the network."""
        seen, said = self._seen, self._said
        kinds, cells = said.kinds(num_cells)
        kept = {
            "cells": seen.cards, "suit_columns": seen.suits, "plain_columns": seen.plain, "within": _within(ranks),
            "places": said.places, "sum_of": said.sum_of, "face_places": said.faces, "kinds": kinds,
            "advised_cells": cells,
        }  # fmt: skip
        kept |= {f"wilds_{kind}": columns for kind, columns in enumerate(seen.wilds)}
        kept |= {f"sum_{plane}": cards for plane, cards in said.sums}
        for name, array in kept.items():
            self.register_buffer(f"_{name}", torch.from_numpy(np.array(array)), persistent=False)

    def _begin(self, generator: torch.Generator | None) -> None:
        """Initialize the weights, from a generator; None: PyTorch's global generator is used."""
        for layer in self.modules():
            if isinstance(layer, (nn.Linear, nn.Conv1d)):
                gain = 0.01 if layer in (self.read, self.policy) else 1.0 if layer is self.value else 2**0.5
                nn.init.orthogonal_(layer.weight, gain, generator=generator)
                assert layer.bias is not None
                nn.init.zeros_(layer.bias)
        if self.shape.advice:
            nn.init.zeros_(self.trust.weight)
            nn.init.constant_(self.trust.bias, FIRST_TRUST)
        if self.sets:  # initially without effect, also after loading an agent without it
            nn.init.zeros_(self.sets.weight)

    def _of_places(self, x: Tensor | Sparse, advice: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """Compute planes (n, planes, places), the numbers of the whole position, and the layer before these numbers."""
        places, plain = self._sparsely(x) if isinstance(x, Sparse) else self._densely(x)
        n, suits, ranks = plain.shape[0], self._suits, self._ranks
        if advice is not None:
            kinds, cells = self._kinds[advice], self._advised_cells[advice]
            plain = plain + self.advised(kinds)
            there = nn.functional.one_hot(cells, suits * ranks + 1)[:, :-1, None].to(plain.dtype)
            places = torch.addcmul(places.flatten(1, 2), there, self.advised_place(kinds)[:, None])
            places = places.reshape(n, suits, ranks, -1)
        plain = torch.relu(plain)
        near = torch.relu(places + self.everywhere(plain)[:, None, None])
        others = self.suits(near.sum((1, 2)) / ranks)[:, None]
        if self.sets:
            others = others + self.sets(near.sum(1))
        near = near.reshape(n * suits, ranks, -1).transpose(1, 2)
        far = self.nearer(near).reshape(n, suits, -1, ranks) + others.transpose(1, 2)[:, None]
        far = torch.relu(far).reshape(n * suits, -1, ranks)
        far = torch.relu(self.last(far) + far)
        read = self.read(far).reshape(n, suits, -1, ranks).transpose(1, 2).flatten(2)
        far = far.reshape(n, suits, -1, ranks).sum((1, 3)) / ranks
        state = torch.relu(self.whole(torch.cat([far, plain], 1)))
        return read, self.policy(state), state

    def _densely(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The inputs of every place, (n, suits, ranks, channels), and of the columns without a place, from dense
        features.
        """
        n, suits, ranks, seen = x.shape[0], self._suits, self._ranks, self._seen
        cards = x[:, self._cells.reshape(-1)].reshape(n, len(seen.cards), suits, ranks)
        rows = x[:, self._suit_columns.reshape(-1)].reshape(n, len(seen.suits), suits, 1).expand(-1, -1, -1, ranks)
        planes = torch.cat([cards, rows], 1).transpose(1, 2).reshape(n * suits, -1, ranks)
        wilds = [
            x[:, self.get_buffer(f"_wilds_{kind}").reshape(-1)].reshape(n, *columns.shape).sum(2)
            for kind, columns in enumerate(seen.wilds)
        ]
        places = (self.near(planes) + self.ranks).reshape(n, suits, -1, ranks).transpose(2, 3)
        return places, self.plain(torch.cat([*wilds, x[:, self._plain_columns]], 1))

    def _sparsely(self, x: Sparse) -> tuple[Tensor, Tensor]:
        """The same as `_densely`, computed from the nonzero features only."""
        weight, bias, planes = self.near.weight, self.near.bias, len(self._seen.cards)
        assert bias is not None
        cards = weight[:, :planes].flip(2).permute(1, 2, 0)
        # A feature of a suit acts like a plane with the same value at each rank, and zero beyond the ends.
        along = (weight[:, planes:, :, None] * self._within).sum(2).permute(1, 2, 0)
        base = (self.ranks + bias[:, None]).t()
        return suit_layer(x, self._seen.where, self._suits, cards, along, self.plain.weight.t(), base, self.plain.bias)

    def _all(self, x: Tensor, depths: Tensor | None, advice: Tensor | None) -> tuple[Tensor, Tensor]:
        """Compute the result of `forward`."""
        read, whole, state = self._of_places(x, advice)
        logits = torch.cat([read.flatten(1), whole], 1)[:, self._places]
        if self._said.sums:
            logits = logits + nn.functional.pad(self._summed(read), (0, 1))[:, self._sum_of]
        if self.sees_depths:
            logits = logits + self._at_depths(self._faces(read, whole), depths)
        if advice is not None:
            logits = logits.scatter_add(1, advice[:, None], self.trust(state))
        return logits, self.value(state).squeeze(1)

    def _summed(self, read: Tensor) -> Tensor:
        """The sums over the cards' places for the actions that name several cards, (n, sums)."""
        return torch.cat([read[:, plane] @ self.get_buffer(f"_sum_{plane}") for plane, _ in self._said.sums], 1)

    def _faces(self, read: Tensor, whole: Tensor) -> Tensor:
        """The score of each face at a depth of the pile, which is added to a logit, (n, faces + 1); the last is 0, for
        no face.
        """
        wilds = nn.functional.pad(whole[:, self._said.depth_whole :], (0, 1))
        return torch.cat([read[:, self._said.depth_plane], wilds], 1)[:, self._face_places]

    def among(
        self, x: Tensor | Sparse, moves: Tensor, faces: Tensor, advice: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """See `Network.among`."""
        read, whole, state = self._of_places(x, advice)
        actions = moves.long().clamp(min=0)
        legal = torch.cat([read.flatten(1), whole], 1).gather(1, self._places[actions])
        if self._said.sums:
            sums = nn.functional.pad(self._summed(read), (0, 1))
            legal = legal + sums.gather(1, self._sum_of[actions])
        if self.sees_depths:
            legal = legal + self._faces(read, whole).gather(1, faces.long())
        if advice is not None:
            legal = legal + (moves == advice[:, None]) * self.trust(state)
        return legal.float().masked_fill(moves < 0, FORBIDDEN), self.value(state).squeeze(1).float()
