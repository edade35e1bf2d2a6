"""What does a network see? The observation's bytes as columns of numbers.

`features` turns a batch of observations (uint8, 1000 bytes each) into rows of floats, without loops over rows, cards or
melds: the cards as planes over suits and ranks, the melds summed up by owner, the numbers scaled to about 1. Only what
the observation holds goes in; the planes in which cards combine (`reach`, `fits`) follow from the rules of melds and
say nothing of how to play. It is made of PyTorch's operations alone, so that it runs on every device and can be
exported; `encoding.py` writes the same numbers faster on a CPU.
"""

from __future__ import annotations

import itertools

import torch
from torch import Tensor, nn

from banakil_env.games.banakil.faces import (
    COPIES,
    NUM_FACES,
    NUM_NATURALS,
    NUM_RANKS,
    NUM_SUITS,
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
# Where each group begins.
FIRST = dict(zip([name for name, _ in COLUMNS], itertools.accumulate([0] + [count for _, count in COLUMNS])))

_OFFSETS = {name: (field[1], field[0]) for name, field in (OBSERVATION.fields or {}).items()}


def _field(observations: Tensor, name: str) -> Tensor:
    """A field of a batch of observations: (n, ...) uint8, or float32 for the numbers of two bytes."""
    offset, dtype = _OFFSETS[name]
    part = observations[:, offset : offset + dtype.itemsize]
    if dtype.base.itemsize == 2:
        pairs = part.reshape(part.shape[0], -1, 2).float()
        number = pairs[..., 0] + 256 * pairs[..., 1]
        return number - 65536 * (number >= 32768) if dtype.base.kind == "i" else number
    return part.reshape(part.shape[0], *dtype.shape)


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


def features(observations: Tensor) -> Tensor:
    """What the network is given.

    Args:
        observations: uint8 (n, 1000).

    Returns:
        float32 (n, NUM_FEATURES), in the order of `COLUMNS`.
    """
    n = observations.shape[0]  # not len(): the exporter to ONNX would take it for a constant
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
    return torch.cat([part.reshape(n, -1).float() for part in parts], 1)


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


def faces_in_pile(observations: Tensor) -> Tensor:
    """The face at each depth of the pile, int64 (n, MAX_TAKE); NUM_FACES beyond its end."""
    n = observations.shape[0]
    depths = _field(observations, "pile").long().reshape(n, -1)
    faces = torch.arange(NUM_FACES, device=depths.device).repeat_interleave(COPIES).expand(n, -1)
    # Column 0 is for what is not in the pile.
    return faces.new_full((n, MAX_TAKE + 1), NUM_FACES).scatter(1, depths, faces)[:, 1:]
