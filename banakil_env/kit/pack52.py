"""One pack of 52 cards without Jokers: faces, sets of cards as masks, and their texts.

A face is `13 * suit + rank`, with suits c d h s and ranks from the Ace (0) to the King (12). Each face exists once, so
a set of cards is one `int64` mask, in which bit f is the face f. All texts list cards in ascending order of faces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from banakil_env.core.bits import bits_of, popcount
from banakil_env.core.features import NOWHERE, FaceTable
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.cards import SUITS, Faces

RANKS = "A23456789TJQK"
NUM_RANKS, NUM_SUITS = len(RANKS), len(SUITS)
NUM_FACES = NUM_RANKS * NUM_SUITS
NO_FACE = NUM_FACES

FACE_TABLE = FaceTable(NUM_SUITS, NUM_RANKS, tuple(range(NUM_FACES)), (NOWHERE,) * NUM_FACES)
FACES = Faces([rank + suit for suit in SUITS for rank in RANKS], copies=1)

ALL = (1 << NUM_FACES) - 1
ONE_SUIT = (1 << NUM_RANKS) - 1  # the ranks of one suit
ACES = sum(1 << NUM_RANKS * suit for suit in range(NUM_SUITS))
KINGS = ACES << NUM_RANKS - 1

# The usual values of the ranks: A 1, T J Q K 10.
VALUES = np.array([min(rank + 1, 10) for rank in range(NUM_RANKS)], np.int64)


@inlined
def bit_of(face: int) -> int:
    """The mask of one face; 0 for NO_FACE."""
    return (1 << face) & ALL


@inlined
def above(cards: int) -> int:
    """The mask of the next higher cards in the same suits; Kings have no higher card."""
    return (cards & ~KINGS) << 1


@inlined
def below(cards: int) -> int:
    """The mask of the next lower cards in the same suits; Aces have no lower card."""
    return (cards & ~ACES) >> 1


@inlined
def ranks_in(cards: int) -> int:
    """The ranks of these cards, as a mask of 13 bits."""
    return (cards | cards >> NUM_RANKS | cards >> 2 * NUM_RANKS | cards >> 3 * NUM_RANKS) & ONE_SUIT


@inlined
def cards_of(ranks: int) -> int:
    """The mask of all four cards of each of these ranks."""
    return ranks * ACES


@compiled
def value_of(cards: int, values: Any) -> int:
    """The total value of the cards in a mask; `values`: int64 (13,), the value of each rank."""
    total = 0
    for rank in range(NUM_RANKS):
        total += values[rank] * popcount(cards & ACES << rank)
    return total


def faces_of(cards: int) -> list[int]:
    """The faces in a mask, in ascending order."""
    return bits_of(cards)


def mask_of(faces: Iterable[int]) -> int:
    """The mask of these faces. ValueError: a face occurs twice."""
    mask = 0
    for face in faces:
        if mask >> face & 1:
            raise ValueError(f"{FACES.names[face]} is named twice, and the pack has one")
        mask |= 1 << face
    return mask


def text_of(cards: int) -> str:
    """The cards in a mask as text, such as `7h 8h`."""
    return FACES.text(faces_of(cards))


# `card_block` makes the block of actions that name one card.
card_block = FACES.block
