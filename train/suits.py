"""What changes when the suits change names? The columns of the features, the actions and the faces, in all 24 orders.

No rule tells one suit from another: what was learned in one position holds in all that differ from it by the names of
the suits.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from agents.features import COLUMNS
from banakil_env.games.banakil.actions import (
    ADD,
    DISCARD,
    NUM_ACTIONS,
    NUM_LOWEST,
    NUM_PATTERNS,
    NUM_SET_PATTERNS,
    OPEN_SEQUENCE,
    OPEN_SET,
    SET_SUITS,
    SWAP,
)
from banakil_env.games.banakil.faces import JOKER, NUM_FACES, NUM_NATURALS, NUM_RANKS, NUM_SUITS

ORDERS = tuple(itertools.permutations(range(NUM_SUITS)))  # the first changes nothing
NUM_ORDERS = len(ORDERS)

# Of which things the columns of a group are planes; what is not named here knows of no suit.
_OF_FACES = ("hand", "pile", "known", "faces")
_OF_NATURALS = ("reach", "ready", "fits", "fits_others", "pile_useful", "table")
_OF_SUITS = ("sets",)
_OF_KINDS = ("melds", "twos", "jokers")


def _naturals(order: Sequence[int]) -> npt.NDArray[np.int64]:
    """Which natural each becomes where suit i becomes order[i]."""
    return (np.asarray(order)[:, None] * NUM_RANKS + np.arange(NUM_RANKS)).reshape(-1)


def _faces(order: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.concatenate([_naturals(order), NUM_NATURALS + np.asarray(order), [JOKER]])


def _planes(count: int, plane: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The same for so many planes, one after the other."""
    return (np.arange(count // len(plane))[:, None] * len(plane) + plane).reshape(-1)


def _columns(order: Sequence[int]) -> npt.NDArray[np.int64]:
    plane_of = dict.fromkeys(_OF_FACES, _faces(order)) | dict.fromkeys(_OF_NATURALS, _naturals(order))
    plane_of |= dict.fromkeys(_OF_SUITS, np.asarray(order)) | dict.fromkeys(_OF_KINDS, np.array([*order, 4, 5]))
    parts, first = [], 0
    for name, count in COLUMNS:
        parts.append(first + _planes(count, plane_of.get(name, np.arange(1))))
        first += count
    return np.concatenate(parts)


def _sets(order: Sequence[int]) -> npt.NDArray[np.int64]:
    """Which pattern of a set each becomes."""
    suits = [sum(1 << order[i] for i in range(NUM_SUITS) if mask >> i & 1) for mask in SET_SUITS]
    return np.array([int(np.flatnonzero(mask == SET_SUITS)[0]) for mask in suits])


def _actions(order: Sequence[int]) -> npt.NDArray[np.int64]:
    out = np.arange(NUM_ACTIONS)
    of_suit = NUM_LOWEST * NUM_PATTERNS
    sequences = (np.asarray(order)[:, None] * of_suit + np.arange(of_suit)).reshape(-1)
    out[OPEN_SEQUENCE:OPEN_SET] = OPEN_SEQUENCE + sequences
    out[OPEN_SET:ADD] = OPEN_SET + _planes(2 * NUM_SET_PATTERNS, _sets(order))
    for first in (ADD, SWAP):
        out[first : first + NUM_NATURALS] = first + _naturals(order)
    out[DISCARD : DISCARD + NUM_FACES] = DISCARD + _faces(order)
    return out


# By order: what each column becomes, each action, and each face that a take may end at (the last: none).
COLUMN_MAPS = np.array([_columns(order) for order in ORDERS], np.uint16)
ACTION_MAPS = np.array([_actions(order) for order in ORDERS], np.int16)
FACE_MAPS = np.array([[*_faces(order), NUM_FACES] for order in ORDERS], np.uint8)
