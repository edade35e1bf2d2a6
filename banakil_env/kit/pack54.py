"""One or two packs of 54 cards (52 cards and two Jokers each), and hands that can hold several copies of a card.

Faces are those of `pack52`, then the Joker. A hand is a row of `int64` masks of faces, called layers: a face is in
layer k if the hand holds more than k copies of it. So layer 0 has every face in the hand, and equal hands have equal
bytes. Games that have at most two copies of each card use two layers, others use `LAYERS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from banakil_env.core.bits import bits_of, lowest, popcount, write_bits, write_counts
from banakil_env.core.features import NOWHERE, FaceTable
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit import pack52
from banakil_env.kit.cards import JOKER_TEXT, Faces

JOKER = pack52.NUM_FACES
NUM_FACES = JOKER + 1
JOKER_BIT = 1 << JOKER
NATURALS = pack52.ALL
ALL = NATURALS | JOKER_BIT

MAX_PACKS = 2
MAX_CARDS = MAX_PACKS * 54
LAYERS = 2 * MAX_PACKS  # the number of Jokers; only Jokers have more than two copies

FACE_TABLE = FaceTable(
    pack52.NUM_SUITS, pack52.NUM_RANKS, (*range(JOKER), NOWHERE), (*(NOWHERE for _ in range(JOKER)), 0)
)
FACES = Faces([*pack52.FACES.names, JOKER_TEXT], copies=LAYERS)

# The usual values of the faces: Ace 1, Ten to King 10, Joker 0. The masks below hold the cards whose value has each
# binary digit, so that a hand is added up without a loop over its cards.
VALUES = np.array([*np.tile(pack52.VALUES, pack52.NUM_SUITS), 0], np.int64)
_ONES, _TWOS, _FOURS, _EIGHTS = (sum(1 << face for face in range(JOKER) if VALUES[face] >> k & 1) for k in range(4))


@inlined
def copies_of(face: int, packs: int) -> int:
    """The number of cards of this face in `packs` packs."""
    return 2 * packs if face == JOKER else packs


@compiled
def add_card(hand: Any, face: int) -> None:
    """Add a card to the layers of a hand."""
    card = 1 << face
    for layer in range(hand.shape[0]):
        held = hand[layer] & card
        hand[layer] |= card
        card = held


@compiled
def remove_card(hand: Any, face: int) -> None:
    """Remove a card from the layers of a hand; without effect if the hand does not hold it."""
    card = 1 << face
    for layer in range(hand.shape[0] - 1, -1, -1):
        held = hand[layer] & card
        hand[layer] &= ~held
        card &= ~held


@inlined
def has_card(hand: Any, face: int) -> bool:
    """Whether a hand holds a card of this face."""
    return hand[0] >> face & 1 != 0


@compiled
def count_cards(hand: Any) -> int:
    """The number of cards in a hand."""
    count = 0
    for layer in range(hand.shape[0]):
        count += popcount(hand[layer])
    return count


@compiled
def count_of(hand: Any, face: int) -> int:
    """The number of cards of this face in a hand."""
    count = 0
    for layer in range(hand.shape[0]):
        count += hand[layer] >> face & 1
    return count


@compiled
def value_of(cards: int) -> int:
    """The total value of the faces in a mask, by `VALUES`."""
    low = popcount(cards & _ONES) + 2 * popcount(cards & _TWOS)
    return low + 4 * popcount(cards & _FOURS) + 8 * popcount(cards & _EIGHTS)


@compiled
def total_of(hand: Any) -> int:
    """The total value of the cards in a hand, by `VALUES`."""
    return value_of(hand[0]) + value_of(hand[1])  # further layers hold only Jokers, which are worth 0


@compiled
def value_by(hand: Any, values: Any) -> int:
    """The total value of the cards in a hand; `values`: int64 (NUM_FACES,), the value of each face."""
    value = 0
    for layer in range(LAYERS):
        cards = hand[layer]
        while cards:
            value += values[lowest(cards)]
            cards &= cards - 1
    return value


@compiled
def write_faces(cells: Any, hand: Any) -> None:
    """Write the number of cards of each face in a hand into a contiguous row of bytes, one byte per face.

    For a hand with one layer, the row has 52 faces and no Joker.
    """
    if hand.shape[0] == 1:
        write_bits(cells, 0, hand[0], JOKER)
        return
    write_counts(cells, 0, hand[0], hand[1], NUM_FACES)
    cells[JOKER] = count_of(hand, JOKER)


@compiled
def is_part(part: Any, hand: Any) -> bool:
    """Whether the hand `hand` contains every card of the hand `part`."""
    more = 0
    for layer in range(hand.shape[0]):
        more |= part[layer] & ~hand[layer]
    return more == 0


@compiled
def is_layered(hand: Any) -> bool:
    """Whether a row of masks is a valid hand: each layer is part of the previous one, and only Jokers go beyond two."""
    for layer in range(1, hand.shape[0]):
        if hand[layer] & ~hand[layer - 1]:
            return False
        if layer >= MAX_PACKS and hand[layer] & NATURALS:
            return False
    return True


def faces_in(hand: Any) -> list[int]:
    """The faces of the cards in a hand, in ascending order, once for each copy."""
    layers = [int(layer) for layer in hand]
    return [face for face in bits_of(layers[0]) for layer in layers if layer >> face & 1]


def hand_of(faces: Iterable[int]) -> list[int]:
    """The layers of a hand with these cards. ValueError: more cards of one face than two packs have."""
    layers = [0] * LAYERS
    for face in faces:
        free = [k for k in range(LAYERS if face == JOKER else MAX_PACKS) if not layers[k] >> face & 1]
        if not free:
            raise ValueError(f"{FACES.names[face]} is named more often than it occurs in two packs")
        layers[free[0]] |= 1 << face
    return layers
