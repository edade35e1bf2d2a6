"""The network that plays every game: it encodes cards and scores described actions.

It reads `observation="cards"`. The 53 faces are tokens that share all weights. Each token gets its own channels, its
neighbors in its suit, the same rank in the other suits, and the facts of the table and the rules. Exchanging suits does
not change the result, except in games of books, where the suit identifies cards that count separately. A legal action
is scored from its description in `Game.described` and from the network's vectors of the cards that it names. So no
weight belongs to one game or to the number of an action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from banakil_env.agents.sparse_kernels import FORBIDDEN
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.columns import RULES_ARRAY, RULES_AT, TABLE_ARRAY
from banakil_env.kit.common.faces import JOKER, NUM_RANKS, NUM_SUITS
from banakil_env.kit.common.family_moves import MELD_PLAIN, PLAIN, POOLED, Faces, Moves

MAX_WIDTH = 1024
MOST = 4.0  # limit for the numbers of the table and the rules, because scores have no bound


@dataclass(frozen=True)
class FamilyShape:
    """The widths of a network's layers.

    Attributes:
        face: width of the layers for each face.
        table: width of the layers for the table.
        move: width of the layers for each move.

    Raises:
        ValueError: a width is out of bounds.
    """

    face: int = 32
    table: int = 128
    move: int = 64

    def __post_init__(self) -> None:
        for name, width in vars(self).items():
            if type(width) is not int or not 1 <= width <= MAX_WIDTH:
                raise ValueError(f"{name} must be from 1 to {MAX_WIDTH}, not {width!r:.80}")


class Seen(NamedTuple):
    """The observations of some decisions and their legal moves, as tensors; see `Moves` and docs/observations.md."""

    cards: Tensor
    melds: Tensor
    table: Tensor
    rules: Tensor
    moves: Moves


def seen_of(arrays: Mapping[str, npt.NDArray[np.float32]], moves: Moves) -> Seen:
    """The input of a network, from the arrays of the common layout and the legal moves."""
    cards, melds, table, rules = (torch.from_numpy(arrays[name]) for name in Seen._fields[:4])
    return Seen(cards, melds, table, rules, moves)


class FamilyNetwork(nn.Module):
    """Computes the logits of legal moves, for any game.

    Args:
        shape: the widths of the layers; None: the default.
        seed: seed of the initial weights; None: PyTorch's global generator is used.
    """

    def __init__(self, shape: FamilyShape | None = None, seed: int | None = None) -> None:
        super().__init__()
        self.shape = shape = shape or FamilyShape()
        self.rough = False  # for trainers: `forward` computes in bfloat16, in two thirds of the time
        face, table, move = shape.face, shape.table, shape.move
        said = len(TABLE_ARRAY.columns) + len(RULES_ARRAY.columns)
        self.said = nn.Linear(said, table)
        self.face = nn.Linear(len(C.CHANNELS), face)
        self.rank = nn.Parameter(torch.zeros(NUM_RANKS + 1, face))
        self.suit = nn.Parameter(torch.zeros(NUM_SUITS, face))  # used in games of books
        self.told = nn.Linear(table, face, bias=False)  # from the table to each face
        self.own = nn.Linear(face, face)  # from a face to itself
        self.near = nn.Linear(face, face, bias=False)  # from the neighbors in the suit
        self.mates = nn.Linear(face, face, bias=False)  # from the same rank in the other suits
        self.meld = nn.Linear(len(MELD_PLAIN), face)
        self.pooled = nn.Linear(table + (len(POOLED) + 2) * face, table)
        self.level = nn.LayerNorm(table)
        self.deep = nn.Linear(table, table)
        self.plain = nn.Linear(len(PLAIN) + len(MELD_PLAIN), move)
        self.named = nn.Linear(face, move, bias=False)
        self.stood_for = nn.Linear(face, move, bias=False)
        self.asked = nn.Linear(table, move, bias=False)  # from the table to each move
        self.weigh = nn.Linear(table, move)  # weight of each number of a move
        generator = None if seed is None else torch.Generator().manual_seed(seed)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, 2**0.5, generator)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        for embedding in (self.rank, self.suit):
            nn.init.normal_(embedding, std=0.3, generator=generator)

    def forward(self, seen: Seen) -> Tensor:
        """The logits of the legal moves, float32 (n, width); FORBIDDEN after the last one of a row."""
        return self.with_table(seen)[0]

    def with_table(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """The logits as in `forward`, and the vectors of the table, (n, shape.table), from which a value can be
        computed.
        """
        with torch.autocast("cpu", torch.bfloat16, enabled=self.rough):
            faces, table = (part.float() for part in self.read(seen))
        moves = seen.moves
        width = int(moves.columns.max(initial=0)) + 1
        rows, columns = torch.from_numpy(moves.rows), torch.from_numpy(moves.columns)
        scores = self.score(faces, table, moves)
        return torch.full((len(table), width), FORBIDDEN).index_put((rows, columns), scores), table

    def read(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """The network's vectors of the faces, (n, 53, shape.face), and of the table, (n, shape.table)."""
        cards = seen.cards
        said = torch.relu(self.said(torch.cat([seen.table, seen.rules], 1).clamp(-MOST, MOST)))
        books = seen.rules[:, RULES_AT["books"], None, None, None]
        suited = self.face(cards[:, :JOKER]).add_(self.told(said)[:, None]).unflatten(1, (NUM_SUITS, NUM_RANKS))
        suited = torch.relu_(suited.add_(self.rank[:-1]).add_(books * self.suit[:, None]))
        joker = torch.relu(self.face(cards[:, JOKER]) + self.told(said) + self.rank[-1])
        around = suited.roll(1, 2).add_(suited.roll(-1, 2))  # the Ace is also a neighbor of the King
        mixed = self.own(suited).add_(self.near(around)).add_(self.mates(suited.sum(1, keepdim=True)))
        suited = suited + torch.relu_(mixed)
        joker = joker + torch.relu_(self.own(joker))
        faces = torch.cat([suited.flatten(1, 2), joker[:, None]], 1)
        pooled = torch.bmm(cards[:, :, POOLED].transpose(1, 2), faces).flatten(1)
        melds = torch.relu(self.meld(seen.melds[:, :, MELD_PLAIN])) * seen.melds[:, :, : C.OTHERS + 1].sum(2, True)
        table = self.pooled(torch.cat([said, pooled, faces.mean(1), melds.sum(1)], 1))
        table = torch.relu(self.level(table))
        return faces, table + torch.relu(self.deep(table))

    def score(self, faces: Tensor, table: Tensor, moves: Moves) -> Tensor:
        """The logits of moves, (m,), from the vectors that `read` returns."""
        flat = faces.reshape(-1, faces.shape[2])
        rows = torch.from_numpy(moves.rows)
        x = self.plain(torch.from_numpy(np.concatenate([moves.plain, moves.melds], 1)))
        x = x + self.named(_added_up(flat, moves.cards)) + self.stood_for(_added_up(flat, moves.stands_for))
        x = torch.relu(x + self.asked(table).index_select(0, rows))
        return (x * self.weigh(table).index_select(0, rows)).mean(1)


def _added_up(flat: Tensor, named: Faces) -> Tensor:
    """For each move, the sum of the vectors of the faces that it names, (m, width).

    `flat` has one row per face of each observation; `named` has the rows and counts of each move's faces.
    """
    numbers, counts, begins = map(torch.from_numpy, named)
    return functional.embedding_bag(numbers, flat, begins, mode="sum", per_sample_weights=counts.to(flat.dtype))
