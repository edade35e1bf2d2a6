"""What does a network see, and what is it? The observation's bytes as planes of numbers, one trunk, two heads.

`features` turns a batch of observations (uint8, 1000 bytes each) into rows of floats, without loops over rows, cards or
melds: the cards as planes over suits and ranks, the melds summed up by owner, the numbers scaled to about 1. Only what
the observation holds goes in; the planes in which cards combine (`reach`, `fits`) follow from the rules of melds and
say nothing of how to play. Nothing here needs Stable-Baselines3.

The policy's logits are sums of three parts, so that what is learned of one action holds for those like it: a linear
head of each action's own; one for what actions share (`ATTRIBUTES`: kind, suit, rank, wild pattern); and for discards
and takes one that weighs what is to be said of the card itself (`CARD_PLANES`), with weights that the trunk chooses.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from banakil_env.games.banakil.actions import (
    ADD,
    ADD_JOKER_LOW,
    ADD_TWO_LOW,
    BLOCKS,
    DISCARD,
    NUM_ACTIONS,
    NUM_NATURAL_SETS,
    NUM_SET_PATTERNS,
    OPEN_SEQUENCE,
    OPEN_SET,
    PATTERN_JOKER,
    PATTERN_TWO,
    SWAP,
    TAKE,
    open_sequence_parts,
)
from banakil_env.games.banakil.faces import (
    ACE,
    COPIES,
    JOKER,
    LOW_RANKS,
    MIDDLE_RANKS,
    NUM_FACES,
    NUM_NATURALS,
    NUM_RANKS,
    NUM_SUITS,
    THREE,
    TWO,
)
from banakil_env.games.banakil.observation import NATURAL_CELL, OBSERVATION
from banakil_env.games.banakil.state import MAX_MELDS, MAX_SEATS, MAX_TAKE

# Raised with every change of what the columns mean: weights trained on others are refused.
FEATURES_VERSION = 1

NUM_KINDS = NUM_SUITS + 2  # sequences of each suit, Threes, Aces

# Numbers of the observation and what they are divided by, so that most lie between 0 and 1.
SCALED = {
    "hand_size": 13.0,
    "stock_size": 50.0,
    "pile_size": 20.0,
    "circling": 4.0,
    "ace_value": 3.0,
    "hand_bonus": 100.0,
    "scores": 100.0,
    "target": 100.0,
    "turns_left": 100.0,
    "rounds_left": 10.0,
}
FLAGS = (
    "melded",
    "had_turn",
    "to_move",
    "dealer",
    "phase",
    "swapping",
    "waiting_low",
    "played",
    "in_one_turn",
    "partners",
    "episode",
    "partner_sum",
    "cutter_takes_wilds",
    "unplayed_score_zero",
    "upcard",
    "fixed_wilds",
    "has_hand_bonus",
    "discard_taken",
    "set_joker_exchange",
    "score_exhausted",
)
FACES_NAMED = ("taken", "banned", "named")  # 1 + a face, 0 for none

# The columns, in their order: name, how many.
COLUMNS: tuple[tuple[str, int], ...] = (
    ("hand", 2 * NUM_FACES),  # one or two of the face; two
    ("reach", NUM_NATURALS),  # the natural makes a sequence of three with two of the hand
    ("ready", NUM_NATURALS),  # it does, and is in the hand
    ("fits", NUM_NATURALS),  # it lies beside a natural in a sequence of the own side
    ("fits_others", NUM_NATURALS),  # in one of another side
    ("pile_useful", NUM_NATURALS),  # it is in the pile, and makes a sequence or fits the own side's
    ("pile", 4 * NUM_FACES),  # there; there twice; 1 / depth; depth / 20, of the first
    ("known", MAX_SEATS * NUM_FACES),  # cards known to be in each hand, / 2
    ("table", MAX_SEATS * NUM_SUITS * NUM_RANKS),  # naturals in sequences of each seat
    ("sets", MAX_SEATS * 2 * NUM_SUITS),  # naturals in sets of Threes and Aces of each seat
    ("melds", MAX_SEATS * NUM_KINDS),  # melds of each seat and kind
    ("twos", MAX_SEATS * NUM_KINDS),  # of these, with a Two
    ("jokers", MAX_SEATS * NUM_KINDS),  # of these, with a Joker
    ("slots", 2 * MAX_MELDS),  # for `meld k`: the meld is of the own side; it is a sequence
    ("faces", len(FACES_NAMED) * NUM_FACES),
    ("flags", sum(OBSERVATION[name].shape[0] if OBSERVATION[name].shape else 1 for name in FLAGS)),
    ("players", MAX_SEATS - 1),  # two, three, four
    ("scaled", sum(OBSERVATION[name].shape[0] if OBSERVATION[name].shape else 1 for name in SCALED)),
)
NUM_FEATURES = sum(count for _, count in COLUMNS)

_OFFSETS = {name: (field[1], field[0]) for name, field in (OBSERVATION.fields or {}).items()}


def _field(observations: Tensor, name: str) -> Tensor:
    """A field of a batch of observations: (n, ...) uint8, or float32 for the numbers of two bytes."""
    offset, dtype = _OFFSETS[name]
    part = observations[:, offset : offset + dtype.itemsize]
    if dtype.base.itemsize == 2:
        pairs = part.reshape(len(part), -1, 2).float()
        number = pairs[..., 0] + 256 * pairs[..., 1]
        return number - 65536 * (number >= 32768) if dtype.base.kind == "i" else number
    return part.reshape(len(part), *dtype.shape)


def _shifted(planes: Tensor, by: int) -> Tensor:
    """Planes (n, suits, ranks) with what lies `by` ranks above each rank; 0 beyond the ends."""
    if by > 0:
        return nn.functional.pad(planes[..., by:], (0, by))
    return nn.functional.pad(planes[..., :by], (-by, 0))


def _in_reach(held: Tensor) -> Tensor:
    """Which naturals make a sequence of three with two of `held`, both bool (n, suits, ranks)."""
    below, above = _shifted(held, -1), _shifted(held, 1)
    return (below & above) | (below & _shifted(held, -2)) | (above & _shifted(held, 2))


def _beside(laid: Tensor) -> Tensor:
    """Which naturals lie beside one of `laid`, both bool (n, suits, ranks)."""
    return _shifted(laid, -1) | _shifted(laid, 1)


def _naturals(cards: Tensor) -> Tensor:
    """The naturals of (n, faces), as planes (n, suits, ranks)."""
    return cards[:, :NUM_NATURALS].reshape(-1, NUM_SUITS, NUM_RANKS)


def features(observations: Tensor) -> tuple[Tensor, Tensor]:
    """What the network is given.

    Args:
        observations: uint8 (n, 1000).

    Returns:
        For the first layer, float32 (n, NUM_FEATURES), in the order of `COLUMNS`; and of every face, float32
        (n, NUM_FACES, CARD_PLANES).
    """
    n = len(observations)
    hand, pile = _field(observations, "hand"), _field(observations, "pile")
    partners = _field(observations, "partners").reshape(n, 1) != 0
    held = hand >= 1
    reach = _in_reach(_naturals(held))
    table, sets, melds, twos, jokers, own_slots, sequences = _melds(observations, partners)
    laid = table > 0
    own = laid[:, 0] | (laid[:, 2] & partners.reshape(n, 1, 1))
    others = laid[:, 1] | laid[:, 3] | (laid[:, 2] & ~partners.reshape(n, 1, 1))
    fits = _beside(own)
    there = pile[..., 0] > 0
    depth = pile[..., 0].float()
    numbers = [(_field(observations, name).reshape(n, -1).float() / scale) for name, scale in SCALED.items()]
    named = torch.stack([_field(observations, name).reshape(n) for name in FACES_NAMED], 1).long()
    parts = [
        held,
        hand >= COPIES,
        reach,
        _naturals(held) & reach,
        fits,
        _beside(others),
        _naturals(there) & (reach | fits),
        there,
        pile[..., 1] > 0,
        there / depth.clamp(min=1),
        depth / 20,
        _field(observations, "known") / COPIES,
        table,
        sets,
        melds,
        twos,
        jokers,
        own_slots,
        sequences,
        nn.functional.one_hot(named, NUM_FACES + 1)[..., 1:],
        *[_field(observations, name) for name in FLAGS],
        nn.functional.one_hot(_field(observations, "num_players").reshape(n).long(), MAX_SEATS + 1)[:, 2:],
        *numbers,
    ]
    cards = _cards(held, hand >= COPIES, reach, fits, _beside(others), there)
    return torch.cat([part.reshape(n, -1).float() for part in parts], 1), cards


def _cards(held: Tensor, twice: Tensor, reach: Tensor, fits: Tensor, fits_others: Tensor, there: Tensor) -> Tensor:
    """What is to be said of each face, (n, NUM_FACES, CARD_PLANES)."""
    n = len(held)
    planes = _naturals(held)
    same_rank = planes.float().sum(1, keepdim=True) - planes.float()
    naturals = torch.stack(
        [
            _shifted(planes, -1).float(),
            _shifted(planes, 1).float(),
            _shifted(planes, -2).float(),
            _shifted(planes, 2).float(),
            reach.float(),
            fits.float(),
            fits_others.float(),
            same_rank / NUM_SUITS,
        ],
        -1,
    ).reshape(n, NUM_NATURALS, -1)
    naturals = nn.functional.pad(naturals, (0, 0, 0, NUM_FACES - NUM_NATURALS))
    always = _OF_FACES.to(held.device).expand(n, -1, -1)
    everywhere = torch.stack([held, twice, there], -1).float()
    return torch.cat([naturals, everywhere, always], -1)


def _of_faces() -> Tensor:
    """What is to be said of a face whatever the table, (NUM_FACES, 6): low, middle, Three, Ace, Two, Joker."""
    said = torch.zeros(NUM_FACES, 6)
    for face in range(NUM_NATURALS):
        bit = 1 << face % NUM_RANKS
        said[face, 0] = bool(bit & LOW_RANKS)
        said[face, 1] = bool(bit & MIDDLE_RANKS)
        said[face, 2] = face % NUM_RANKS == THREE
        said[face, 3] = face % NUM_RANKS == ACE
    said[TWO:JOKER, 4] = 1
    said[JOKER, 5] = 1
    return said


_OF_FACES = _of_faces()
CARD_PLANES = 8 + 3 + _OF_FACES.shape[1]


# In the interpreter: nothing is compiled at import.
_parts = getattr(open_sequence_parts, "py_func", open_sequence_parts)


def _attributes() -> Tensor:
    """What actions share, (NUM_ACTIONS, attributes): their kind, and of openings the suit, lowest rank and pattern."""
    rows: list[dict[Any, float]] = []
    for action in range(NUM_ACTIONS):
        block = max(number for number, (first, _, _) in enumerate(BLOCKS) if first <= action)
        row: dict[Any, float] = {("block", block): 1}
        if TAKE <= action < OPEN_SEQUENCE:
            row["depth"] = (action - TAKE + 1) / 10
        elif OPEN_SEQUENCE <= action < OPEN_SET:
            suit, low, pattern = (int(part) for part in _parts(action))
            row |= {("suit", suit): 1, ("low", low): 1, ("pattern", pattern): 1}
            row |= {("wilds", bool(PATTERN_TWO[pattern]), bool(PATTERN_JOKER[pattern])): 1}
        elif OPEN_SET <= action < ADD:
            of_rank, pattern = divmod(action - OPEN_SET, NUM_SET_PATTERNS)
            row |= {("set", of_rank): 1, ("set joker", pattern >= NUM_NATURAL_SETS): 1}
        elif ADD_TWO_LOW <= action < SWAP:
            row[("add wild", action >= ADD_JOKER_LOW)] = 1
        rows.append(row)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return torch.tensor([[row.get(name, 0.0) for name in names] for row in rows])


ATTRIBUTES = _attributes()


def _melds(observations: Tensor, partners: Tensor) -> tuple[Tensor, ...]:
    """All melds summed up by owner and kind, and for each meld whether it is the own side's and a sequence."""
    seats = torch.arange(1, MAX_SEATS + 1, dtype=torch.uint8, device=observations.device)
    kinds = torch.arange(1, NUM_KINDS + 1, dtype=torch.uint8, device=observations.device)
    owner = _field(observations, "meld_owner")
    kind = _field(observations, "meld_kind")
    two = (_field(observations, "meld_two") != 0).float()
    joker = _field(observations, "meld_joker").float()
    naturals = (_field(observations, "meld_cards") == NATURAL_CELL).float()
    of_seat = (owner[..., None] == seats).float()
    of_kind = (kind[..., None] == kinds).float()
    # What is summed up of every meld: its naturals, that it is there, its Two, its Joker.
    said = torch.cat([naturals, torch.ones_like(two)[..., None], two[..., None], joker[..., None]], 2)
    summed = torch.einsum("nmo,nmk,nmr->nokr", of_seat, of_kind, said)
    table = summed[:, :, :NUM_SUITS, :NUM_RANKS]
    sets = summed[:, :, NUM_SUITS:, :NUM_SUITS]
    own = (owner == 1) | ((owner == 3) & partners)
    sequences = (kind >= 1) & (kind <= NUM_SUITS)
    return table, sets, summed[..., NUM_RANKS], summed[..., NUM_RANKS + 1], summed[..., NUM_RANKS + 2], own, sequences


@dataclass(frozen=True)
class Shape:
    """What a network is built from.

    Attributes:
        hidden: the widths of the trunk's layers.
    """

    hidden: tuple[int, ...] = (256, 256)

    def __post_init__(self) -> None:
        if not self.hidden or not all(isinstance(width, int) and 1 <= width <= 8192 for width in self.hidden):
            raise ValueError(f"hidden must be one or more widths from 1 to 8192, not {self.hidden!r}")


class Network(nn.Module):
    """One trunk that policy and value share, and a linear head for each.

    Args:
        shape: how wide it is.
        seed: of the first weights; None: from torch's own generator.
    """

    def __init__(self, shape: Shape | None = None, seed: int | None = None) -> None:
        super().__init__()
        self.shape = shape or Shape()
        widths = (NUM_FEATURES, *self.shape.hidden)
        layers = [nn.Linear(before, after) for before, after in itertools.pairwise(widths)]
        self.trunk = nn.ModuleList(layers)
        self.policy = nn.Linear(widths[-1], NUM_ACTIONS)
        self.shared = nn.Linear(widths[-1], ATTRIBUTES.shape[1])
        self.weigh_discards = nn.Linear(widths[-1], CARD_PLANES)
        self.weigh_takes = nn.Linear(widths[-1], CARD_PLANES)
        self.value = nn.Linear(widths[-1], 1)
        self.register_buffer("attributes", ATTRIBUTES.clone(), persistent=False)
        generator = None if seed is None else torch.Generator().manual_seed(seed)
        gains: list[tuple[nn.Linear, float]] = [(layer, 2**0.5) for layer in layers]
        gains += [(head, 0.01) for head in (self.policy, self.shared, self.weigh_discards, self.weigh_takes)]
        gains += [(self.value, 1.0)]
        for layer, gain in gains:
            nn.init.orthogonal_(layer.weight, gain, generator=generator)
            nn.init.zeros_(layer.bias)

    attributes: Tensor

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of all actions, legal or not, and the expected return.

        Args:
            observations: uint8 (n, 1000).

        Returns:
            float32 (n, 799) and (n,).
        """
        x, cards = features(observations)
        for layer in self.trunk:
            x = torch.relu(layer(x))
        logits = self.policy(x) + self.shared(x) @ self.attributes.T
        discards = (cards @ self.weigh_discards(x)[..., None]).squeeze(2)
        worth = (cards @ self.weigh_takes(x)[..., None]).squeeze(2)
        # To the take that ends at a card goes what that card is worth; column 0 is for what is not in the pile.
        depths = _field(observations, "pile").long().reshape(len(x), -1)
        takes = worth.new_zeros(len(x), MAX_TAKE + 1).scatter_add(1, depths, worth.repeat_interleave(COPIES, 1))
        parts = [(TAKE, takes[:, 1:]), (DISCARD, discards)]
        logits = logits + _spread(parts, len(x), logits)
        return logits, self.value(x).squeeze(1)


def _spread(parts: list[tuple[int, Tensor]], rows: int, like: Tensor) -> Tensor:
    """Parts of the action table, each with its first index, as rows of all actions, 0 elsewhere."""
    pieces, end = [], 0
    for first, part in parts:
        pieces += [like.new_zeros(rows, first - end), part]
        end = first + part.shape[1]
    return torch.cat([*pieces, like.new_zeros(rows, NUM_ACTIONS - end)], 1)


def legal_logits(logits: Tensor, masks: Tensor) -> Tensor:
    """The logits with those of illegal actions far below all others; `masks` bool (n, 799)."""
    return logits.masked_fill(~masks, -1e8)


def as_tensors(observations: Any, masks: Any) -> tuple[Tensor, Tensor]:
    """NumPy rows as a player gets them, as what the network takes: uint8 (n, 1000), bool (n, 799)."""
    return (
        torch.from_numpy(np.ascontiguousarray(observations)),
        torch.from_numpy(np.ascontiguousarray(masks).view(np.bool_)),
    )
