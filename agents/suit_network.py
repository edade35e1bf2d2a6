"""What is a network to which suits are alike, as they are to the rules? A convolution over the ranks of every suit.

What lies near a card says what it is worth, and that is the same in every suit and nearly so at every rank. So the
columns of the features that belong to naturals become planes of four suits and twelve ranks, one set of weights is
moved over all of them, and the logit of whatever is done with a natural (discarding it, adding it, exchanging it,
taking the pile down to it, opening a sequence around it) is read from its place. What has no place (numbers of cards,
the rules, Twos and Jokers) goes through a plain layer and to every place. Where the network of `model.py` has to learn
the same of 48 cards one by one, this one learns it once: it needs a tenth of the data for what concerns single cards.
"""

from __future__ import annotations

import itertools

import numpy as np
import torch
from torch import Tensor, nn

from agents.features import COLUMNS, FIRST, NUM_KINDS
from agents.model import FIRST_TRUST, Network, Shape
from agents.sparse import FORBIDDEN, Sparse
from banakil_env.games.banakil.actions import (
    ADD,
    ADDITIONS,
    CHOOSE_MELD,
    DISCARD,
    NUM_ACTIONS,
    NUM_LOWEST,
    NUM_NATURAL_SETS,
    NUM_PATTERNS,
    NUM_SET_PATTERNS,
    OPEN_SEQUENCE,
    OPEN_SET,
    SET_SUITS,
    SWAP,
    TAKE,
)
from banakil_env.games.banakil.faces import ACE, JOKER, NUM_FACES, NUM_NATURALS, NUM_RANKS, NUM_SUITS, THREE, TWO
from banakil_env.games.banakil.state import MAX_MELDS, MAX_TAKE

REACH = 5  # ranks that are seen at once, the card's own in the middle

_COUNT = dict(COLUMNS)
_OF_FACES = ("hand", "pile", "known", "faces")  # planes of NUM_FACES
_OF_NATURALS = ("reach", "ready", "fits", "fits_others", "pile_useful", "table")  # planes of NUM_NATURALS
_OF_KINDS = ("melds", "twos", "jokers")  # rows of NUM_KINDS
_PLAIN = ("slots", "flags", "players", "scaled")


def _starts(names: tuple[str, ...], step: int) -> list[int]:
    """Where every plane or row of such groups begins."""
    return [FIRST[name] + i for name in names for i in range(0, _COUNT[name], step)]


def _cells() -> np.ndarray:
    """The columns of the naturals, (planes, 48)."""
    return np.array(_starts(_OF_FACES, NUM_FACES) + _starts(_OF_NATURALS, NUM_NATURALS))[:, None] + np.arange(
        NUM_NATURALS
    )


def _suits() -> np.ndarray:
    """The columns that belong to a suit and to no rank, (rows, 4)."""
    starts = _starts(("sets",), NUM_SUITS) + _starts(_OF_KINDS, NUM_KINDS)
    return np.array(starts)[:, None] + np.arange(NUM_SUITS)


def _rest() -> tuple[np.ndarray, np.ndarray]:
    """The columns of the Twos of every plane of faces, (planes, 4), to be added up; and all others, (columns,)."""
    faces = np.array(_starts(_OF_FACES, NUM_FACES))
    kinds = [start + kind for start in _starts(_OF_KINDS, NUM_KINDS) for kind in range(NUM_SUITS, NUM_KINDS)]
    plain = [FIRST[name] + i for name in _PLAIN for i in range(_COUNT[name])]
    return faces[:, None] + np.arange(TWO, JOKER), np.array([*(faces + JOKER), *kinds, *plain])


CELLS, SUITS = _cells(), _suits()
TWOS, PLAIN = _rest()

# What is read from a card's place: a logit for each of these, of openings for each pattern of wild cards; and what it
# gives to a set that it is part of.
DISCARDS, TAKES, ADDS, SWAPS, SETS, OPENS = range(6)
READ = OPENS + NUM_PATTERNS
# What is read from the position as a whole: the draw, each depth of the pile, a Two and a Joker at its end, wild cards
# added, a Two and a Joker discarded, each slot, and Threes and Aces with and without a Joker.
DRAW, DEPTH = 0, 1
TAKEN_WILD = DEPTH + MAX_TAKE
ADDED_WILD = TAKEN_WILD + 2
DISCARDED_WILD = ADDED_WILD + ADDITIONS - NUM_NATURALS
SLOT = DISCARDED_WILD + 2
SET = SLOT + MAX_MELDS
WHOLE = SET + 4


def _places() -> np.ndarray:
    """Where the logit of each action stands among those of places (READ * 48) and of the whole behind them."""
    naturals, behind = np.arange(NUM_NATURALS), READ * NUM_NATURALS
    out = np.full(NUM_ACTIONS, -1)
    out[0] = behind + DRAW
    out[TAKE : TAKE + MAX_TAKE] = behind + DEPTH + np.arange(MAX_TAKE)
    for suit, lowest, pattern in itertools.product(range(NUM_SUITS), range(NUM_LOWEST), range(NUM_PATTERNS)):
        middle = suit * NUM_RANKS + lowest + 1
        out[OPEN_SEQUENCE + (suit * NUM_LOWEST + lowest) * NUM_PATTERNS + pattern] = (
            OPENS + pattern
        ) * NUM_NATURALS + middle
    for aces, pattern in itertools.product(range(2), range(NUM_SET_PATTERNS)):
        kind = 2 * aces + (pattern >= NUM_NATURAL_SETS)
        out[OPEN_SET + aces * NUM_SET_PATTERNS + pattern] = behind + SET + kind
    out[ADD : ADD + NUM_NATURALS] = ADDS * NUM_NATURALS + naturals
    out[ADD + NUM_NATURALS : SWAP] = behind + ADDED_WILD + np.arange(ADDITIONS - NUM_NATURALS)
    out[SWAP : SWAP + NUM_NATURALS] = SWAPS * NUM_NATURALS + naturals
    out[DISCARD : DISCARD + NUM_NATURALS] = DISCARDS * NUM_NATURALS + naturals
    out[DISCARD + TWO : DISCARD + JOKER] = behind + DISCARDED_WILD
    out[DISCARD + JOKER] = behind + DISCARDED_WILD + 1
    out[CHOOSE_MELD:] = behind + SLOT + np.arange(MAX_MELDS)
    return out


def _of_sets() -> np.ndarray:
    """Which naturals are in each set that may be opened, float32 (48, sets)."""
    out = np.zeros((NUM_NATURALS, 2 * NUM_SET_PATTERNS), np.float32)
    for aces, pattern, suit in itertools.product(range(2), range(NUM_SET_PATTERNS), range(NUM_SUITS)):
        if SET_SUITS[pattern] >> suit & 1:
            out[suit * NUM_RANKS + (ACE if aces else THREE), aces * NUM_SET_PATTERNS + pattern] = 1
    return out


def _advice() -> tuple[np.ndarray, np.ndarray]:
    """Of each action: what it is apart from its suit and rank, and its place, 48 for none."""
    places = _places()
    kinds, cells = places - READ * NUM_NATURALS + READ, np.full(NUM_ACTIONS, NUM_NATURALS)
    placed = places < READ * NUM_NATURALS
    kinds[placed], cells[placed] = places[placed] // NUM_NATURALS, places[placed] % NUM_NATURALS
    return kinds, cells


class SuitNetwork(Network):
    """A network to which all suits are alike: renaming them renames its logits and changes nothing else.

    Args:
        shape: with `channels`; of `hidden` the first width is that of the layer for what has no place, and the last
            that of the layer that the logits of the whole are read from.
        seed: of the first weights; None: from torch's own generator.
    """

    def __init__(self, shape: Shape, seed: int | None = None) -> None:
        nn.Module.__init__(self)
        assert shape.channels is not None
        self.shape = shape
        channels, wide, width = shape.channels, shape.hidden[0], shape.hidden[-1]
        self.plain = nn.Linear(len(TWOS) + len(PLAIN), wide)
        self.near = nn.Conv1d(len(CELLS) + len(SUITS), channels, REACH, padding=REACH // 2)
        self.everywhere = nn.Linear(wide, channels)
        self.ranks = nn.Parameter(torch.zeros(channels, NUM_RANKS))
        self.nearer = nn.Conv1d(channels, channels, REACH, padding=REACH // 2)
        self.suits = nn.Linear(channels, channels)
        self.last = nn.Conv1d(channels, channels, 1)
        self.read = nn.Conv1d(channels, READ, 1)
        self.whole = nn.Linear(channels + wide, width)
        self.policy = nn.Linear(width, WHOLE)
        self.value = nn.Linear(width, 1)
        if shape.advice:
            self.advised = nn.Embedding(READ + WHOLE, wide)
            self.advised_place = nn.Embedding(READ + WHOLE, channels)
            self.trust = nn.Linear(width, 1)
        self._begin(None if seed is None else torch.Generator().manual_seed(seed))
        kinds, cells = _advice()
        for name, array in (
            ("cells", CELLS), ("suit_columns", SUITS), ("two_columns", TWOS), ("plain_columns", PLAIN),
            ("places", _places()), ("set_cards", _of_sets()), ("kinds", kinds), ("advised_cells", cells),
        ):  # fmt: skip
            self.register_buffer(f"_{name}", torch.from_numpy(np.ascontiguousarray(array)), persistent=False)

    def _begin(self, generator: torch.Generator | None) -> None:
        """The first weights."""
        for layer in self.modules():
            if isinstance(layer, (nn.Linear, nn.Conv1d)):
                gain = 0.01 if layer in (self.read, self.policy) else 1.0 if layer is self.value else 2**0.5
                nn.init.orthogonal_(layer.weight, gain, generator=generator)
                assert layer.bias is not None
                nn.init.zeros_(layer.bias)
            elif isinstance(layer, nn.Embedding):
                nn.init.zeros_(layer.weight)
        if self.shape.advice:
            nn.init.zeros_(self.trust.weight)
            nn.init.constant_(self.trust.bias, FIRST_TRUST)

    def _read(self, x: Tensor, advice: Tensor | None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The logits of all actions but for the face that a take ends at, what each such face adds, value, trust."""
        n = x.shape[0]
        naturals = x[:, self._cells.reshape(-1)].reshape(n, -1, NUM_SUITS, NUM_RANKS)
        suits = x[:, self._suit_columns.reshape(-1)].reshape(n, -1, NUM_SUITS, 1).expand(-1, -1, -1, NUM_RANKS)
        planes = torch.cat([naturals, suits], 1).transpose(1, 2).reshape(n * NUM_SUITS, -1, NUM_RANKS)
        twos = x[:, self._two_columns.reshape(-1)].reshape(n, -1, NUM_SUITS).sum(2)
        plain = self.plain(torch.cat([twos, x[:, self._plain_columns]], 1))
        near = self.near(planes).reshape(n, NUM_SUITS, -1, NUM_RANKS)
        if advice is not None:
            kinds = self._kinds[advice]
            plain = plain + self.advised(kinds)
            there = nn.functional.one_hot(self._advised_cells[advice], NUM_NATURALS + 1)[:, :NUM_NATURALS].to(x.dtype)
            there = there.reshape(n, NUM_SUITS, 1, NUM_RANKS)
            near = near + there * self.advised_place(kinds)[:, None, :, None]
        plain = torch.relu(plain)
        near = torch.relu(near + self.everywhere(plain)[:, None, :, None] + self.ranks)
        far = self.nearer(near.reshape(n * NUM_SUITS, -1, NUM_RANKS)).reshape(n, NUM_SUITS, -1, NUM_RANKS)
        others = self.suits(torch.relu(far).mean(3).sum(1))
        far = torch.relu(far + others[:, None, :, None]).reshape(n * NUM_SUITS, -1, NUM_RANKS)
        far = torch.relu(self.last(far) + far)
        read = self.read(far).reshape(n, NUM_SUITS, READ, NUM_RANKS).transpose(1, 2).reshape(n, READ, NUM_NATURALS)
        far = far.reshape(n, NUM_SUITS, -1, NUM_RANKS)
        state = torch.relu(self.whole(torch.cat([far.mean(3).sum(1), plain], 1)))
        whole = self.policy(state)
        logits = torch.cat([read.reshape(n, -1), whole], 1)[:, self._places]
        sets = logits[:, OPEN_SET:ADD] + read[:, SETS] @ self._set_cards
        logits = torch.cat([logits[:, :OPEN_SET], sets, logits[:, ADD:]], 1)
        wild = whole[:, TAKEN_WILD : TAKEN_WILD + 2]
        faces = torch.cat(
            [read[:, TAKES], wild[:, :1].expand(-1, NUM_SUITS), wild[:, 1:], torch.zeros_like(wild[:, :1])], 1
        )
        trust = self.trust(state) if self.shape.advice else torch.zeros_like(wild[:, :1])
        return logits, faces, self.value(state).squeeze(1), trust

    def _all(self, x: Tensor, piled: Tensor, advice: Tensor | None) -> tuple[Tensor, Tensor]:
        """See `Network`."""
        logits, faces, value, trust = self._read(x, advice)
        takes = logits[:, TAKE : TAKE + MAX_TAKE] + faces.gather(1, piled)
        logits = torch.cat([logits[:, :TAKE], takes, logits[:, TAKE + MAX_TAKE :]], 1)
        if advice is not None:
            logits = logits.scatter_add(1, advice[:, None], trust)
        return logits, value

    def among(
        self, x: Tensor | Sparse, moves: Tensor, faces: Tensor, advice: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """See `Network`."""
        logits, by_face, value, trust = self._read(x.dense() if isinstance(x, Sparse) else x, advice)
        legal = logits.gather(1, moves.long().clamp(min=0)) + by_face.gather(1, faces.long())
        if advice is not None:
            legal = legal + (moves == advice[:, None]) * trust
        return legal.float().masked_fill(moves < 0, FORBIDDEN), value.float()
