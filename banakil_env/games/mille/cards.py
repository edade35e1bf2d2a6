"""The kinds that actions name: the thirteen ranks, and Jd and Qs, which have separate values (M1).

Cards are stored in stacks by rank (`kit.books`). A kind is a rank together with the suits that belong to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.features import one_suit
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.books.kinds import ALL_SUITS, NUM_SUITS, RANKS, size_of
from banakil_env.kit.cards import SUITS

NUM_RANKS = len(RANKS)
KINDS = ("3", "4", "5", "6", "7", "8", "9", "T", "J", "Jd", "Q", "Qs", "K", "A", "2")
NUM_KINDS = len(KINDS)
NUM_NATURALS = NUM_KINDS - 1  # the kinds before the Two
THE_TWO = NUM_KINDS - 1
FACE_TABLE = one_suit(NUM_NATURALS, wilds=1)
SPECIAL = tuple(len(kind) == 2 for kind in KINDS)  # Jd and Qs; each follows the other kind of its rank

RANK_OF = np.array([RANKS.index(kind[0]) for kind in KINDS], np.int64)
_OWN_SUIT = {kind[0]: 0xFF << 8 * SUITS.index(kind[1]) for kind in KINDS if len(kind) == 2}
SUITS_OF = np.array(
    [_OWN_SUIT[kind[0]] if len(kind) == 2 else ALL_SUITS & ~_OWN_SUIT.get(kind, 0) for kind in KINDS], np.int64
)
KIND_OF = np.array(
    [
        next(k for k in range(NUM_KINDS) if RANK_OF[k] == face // NUM_SUITS and SUITS_OF[k] >> 8 * (face % 4) & 1)
        for face in range(NUM_RANKS * NUM_SUITS)
    ],
    np.int64,
)

# Values by kind (M1.3).
VALUES = np.array([5] * 7 + [10, 10, 50, 10, 100, 10, 15, 20], np.int64)

# A slot is a way to play two or three natural cards of a rank: the number of them that are Jd or Qs (0 for other
# ranks).
_SLOTS = [
    (kind, special)
    for kind in range(NUM_NATURALS)
    if not SPECIAL[kind]
    for special in range(3 if SPECIAL[kind + 1] else 1)
]
NUM_SLOTS = len(_SLOTS)
BASE = np.array([kind for kind, _ in _SLOTS], np.int64)
SPECIALS = np.array([special for _, special in _SLOTS], np.int64)
FIRST_SLOT = np.searchsorted(RANK_OF[BASE], np.arange(NUM_RANKS)).astype(np.int64)  # by rank; no slot for the Two


def slot_cards(slot: int, count: int) -> tuple[int, ...]:
    """Return the kinds of the natural cards that a slot plays; `count` is their number, 2 or 3.

    A slot names a rank, and how many of the cards are Jd or Qs.
    """
    kind, special = _SLOTS[slot]
    return (kind,) * (count - special) + (kind + 1,) * special


@inlined
def held_of(stacks: Any, kind: int) -> int:
    """Return the number of cards of a kind in a row of stacks by rank."""
    return size_of(stacks[RANK_OF[kind]] & SUITS_OF[kind])


@inlined
def can_fill(slot: int, count: int, plain: int, special: int) -> bool:
    """Return whether a hand has the `count` natural cards of a slot; see `slot_cards`.

    `plain` is the number of its cards of the slot's kind, `special` that of the next kind: Jd for jacks, Qs for queens.
    """
    return plain >= count - SPECIALS[slot] and special >= SPECIALS[slot]


@compiled
def value_of_row(stacks: Any) -> int:
    """Return the value of the cards in a row of stacks by rank, in points."""
    value = 0
    for kind in range(NUM_KINDS):
        value += VALUES[kind] * held_of(stacks, kind)
    return value
