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

from agents.features import COLUMNS, FIRST, NUM_FEATURES, NUM_KINDS
from agents.model import FIRST_TRUST, Network, Shape, zero_embedding
from agents.sparse import FORBIDDEN, Sparse
from agents.sparse_suits import NOWHERE, Where, suit_layer
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


def _where() -> Where:
    """To what every feature belongs."""
    inputs, suits, ranks = (np.full(NUM_FEATURES, NOWHERE, np.int16) for _ in range(3))
    inputs[CELLS] = np.arange(len(CELLS))[:, None]
    suits[CELLS], ranks[CELLS] = np.divmod(np.arange(NUM_NATURALS), NUM_RANKS)
    inputs[SUITS], suits[SUITS] = np.arange(len(SUITS))[:, None], np.arange(NUM_SUITS)
    inputs[TWOS] = np.arange(len(TWOS))[:, None]
    inputs[PLAIN] = len(TWOS) + np.arange(len(PLAIN))
    return Where(inputs, suits, ranks)


WHERE = _where()

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


def _within() -> np.ndarray:
    """Which of the ranks seen at once are there at each rank, float32 (REACH, 12)."""
    seen = np.arange(REACH)[:, None] + np.arange(NUM_RANKS) - REACH // 2
    return ((seen >= 0) & (seen < NUM_RANKS)).astype(np.float32)


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
            self.advised = zero_embedding(READ + WHOLE, wide)
            self.advised_place = zero_embedding(READ + WHOLE, channels)
            self.trust = nn.Linear(width, 1)
        self._begin(None if seed is None else torch.Generator().manual_seed(seed))
        kinds, cells = _advice()
        for name, array in (
            ("cells", CELLS), ("suit_columns", SUITS), ("two_columns", TWOS), ("plain_columns", PLAIN),
            ("places", _places()), ("within", _within()), ("set_cards", _of_sets()), ("kinds", kinds),
            ("advised_cells", cells),
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
        if self.shape.advice:
            nn.init.zeros_(self.trust.weight)
            nn.init.constant_(self.trust.bias, FIRST_TRUST)

    def _state(self, x: Tensor | Sparse, advice: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """What is read from every place, (n, READ, 48), and from the whole, (n, WHOLE); and the last layer of that."""
        places, plain = self._sparsely(x) if isinstance(x, Sparse) else self._densely(x)
        n = plain.shape[0]
        if advice is not None:
            kinds, cells = self._kinds[advice], self._advised_cells[advice]
            plain = plain + self.advised(kinds)
            there = nn.functional.one_hot(cells, NUM_NATURALS + 1)[:, :NUM_NATURALS, None].to(plain.dtype)
            places = torch.addcmul(places.flatten(1, 2), there, self.advised_place(kinds)[:, None])
            places = places.reshape(n, NUM_SUITS, NUM_RANKS, -1)
        plain = torch.relu(plain)
        near = torch.relu(places + self.everywhere(plain)[:, None, None])
        others = self.suits(near.sum((1, 2)) / NUM_RANKS)
        near = near.reshape(n * NUM_SUITS, NUM_RANKS, -1).transpose(1, 2)
        far = self.nearer(near).reshape(n, NUM_SUITS, -1, NUM_RANKS) + others[:, None, :, None]
        far = torch.relu(far).reshape(n * NUM_SUITS, -1, NUM_RANKS)
        far = torch.relu(self.last(far) + far)
        read = self.read(far).reshape(n, NUM_SUITS, READ, NUM_RANKS).transpose(1, 2).reshape(n, READ, NUM_NATURALS)
        far = far.reshape(n, NUM_SUITS, -1, NUM_RANKS).sum((1, 3)) / NUM_RANKS
        state = torch.relu(self.whole(torch.cat([far, plain], 1)))
        return read, self.policy(state), state

    def _densely(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """What the features give to every place, (n, 4, 12, channels), and what those without a place give."""
        n = x.shape[0]
        naturals = x[:, self._cells.reshape(-1)].reshape(n, -1, NUM_SUITS, NUM_RANKS)
        suits = x[:, self._suit_columns.reshape(-1)].reshape(n, -1, NUM_SUITS, 1).expand(-1, -1, -1, NUM_RANKS)
        planes = torch.cat([naturals, suits], 1).transpose(1, 2).reshape(n * NUM_SUITS, -1, NUM_RANKS)
        twos = x[:, self._two_columns.reshape(-1)].reshape(n, -1, NUM_SUITS).sum(2)
        places = (self.near(planes) + self.ranks).reshape(n, NUM_SUITS, -1, NUM_RANKS).transpose(2, 3)
        return places, self.plain(torch.cat([twos, x[:, self._plain_columns]], 1))

    def _sparsely(self, x: Sparse) -> tuple[Tensor, Tensor]:
        """What `_densely` gives, of features that are there alone."""
        weight, bias = self.near.weight, self.near.bias
        assert bias is not None
        cards = weight[:, : len(CELLS)].flip(2).permute(1, 2, 0)
        # A feature of a suit is as a plane of it, beyond whose ends there is nothing.
        along = (weight[:, len(CELLS) :, :, None] * self._within).sum(2).permute(1, 2, 0)
        base = (self.ranks + bias[:, None]).t()
        return suit_layer(x, WHERE, cards, along, self.plain.weight.t(), base, self.plain.bias)

    def _all(self, x: Tensor, piled: Tensor, advice: Tensor | None) -> tuple[Tensor, Tensor]:
        """See `Network`."""
        read, whole, state = self._state(x, advice)
        logits = torch.cat([read.flatten(1), whole], 1)[:, self._places]
        sets = logits[:, OPEN_SET:ADD] + read[:, SETS] @ self._set_cards
        takes = logits[:, TAKE : TAKE + MAX_TAKE] + self._faces(read, whole).gather(1, piled)
        parts = [logits[:, :TAKE], takes, logits[:, TAKE + MAX_TAKE : OPEN_SET], sets, logits[:, ADD:]]
        logits = torch.cat(parts, 1)
        if advice is not None:
            logits = logits.scatter_add(1, advice[:, None], self.trust(state))
        return logits, self.value(state).squeeze(1)

    def _faces(self, read: Tensor, whole: Tensor) -> Tensor:
        """What each face at the end of a take adds to its logit, (n, NUM_FACES + 1), the last of none."""
        wild = whole[:, TAKEN_WILD : TAKEN_WILD + 2]
        return torch.cat(
            [read[:, TAKES], wild[:, :1].expand(-1, NUM_SUITS), wild[:, 1:], torch.zeros_like(wild[:, :1])], 1
        )

    def among(
        self, x: Tensor | Sparse, moves: Tensor, faces: Tensor, advice: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """See `Network`."""
        read, whole, state = self._state(x, advice)
        actions = moves.long().clamp(min=0)
        sets = read[:, SETS] @ self._set_cards
        others = torch.cat([self._faces(read, whole), sets.to(whole.dtype)], 1)
        legal = torch.cat([read.flatten(1), whole], 1).gather(1, self._places[actions])
        opened = actions - OPEN_SET
        of_set = (opened >= 0) & (opened < ADD - OPEN_SET)
        legal = legal + others.gather(1, torch.where(of_set, NUM_FACES + 1 + opened, faces.long()))
        if advice is not None:
            legal = legal + (moves == advice[:, None]) * self.trust(state)
        return legal.float().masked_fill(moves < 0, FORBIDDEN), self.value(state).squeeze(1).float()
