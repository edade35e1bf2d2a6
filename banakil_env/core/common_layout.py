"""The layout of observations and actions that all games share: the arrays of `observation="cards"`, and action vectors.

Since the layout is the same in all games, a network that was made for one game accepts the observations of another. The
kit defines the columns and writes them (`kit/common`); environments, tables and documentation use the classes here.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Column:
    """One column: its name, its meaning, and its bounds over all games."""

    name: str
    note: str
    highest: float = 1.0
    lowest: float = 0.0


@dataclass(frozen=True)
class Array:
    """One array of the layout, float32.

    Attributes:
        name: the array's name.
        note: its meaning, for the documentation.
        columns: the columns of its last axis.
        rows: the length of its first axis; 0: the array has one axis.
    """

    name: str
    note: str
    columns: tuple[Column, ...]
    rows: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """(rows, columns), or (columns,)."""
        return (self.rows, len(self.columns)) if self.rows else (len(self.columns),)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @functools.cached_property
    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The lowest and the highest value of each element, two float32 arrays of the array's shape."""
        low = np.array([column.lowest for column in self.columns], np.float32)
        high = np.array([column.highest for column in self.columns], np.float32)
        return np.broadcast_to(low, self.shape), np.broadcast_to(high, self.shape)


@dataclass(frozen=True, eq=False)
class CommonLayout:
    """A game in the common layout.

    Attributes:
        version: incremented whenever the meaning of a column changes.
        arrays: the arrays in order, the same for all games.
        faces: the texts of the common faces.
        face_of: int64 (faces of the game,), the common face of each face of the game (as in `Block.cards`).
        own_faces: by common face, its meaning in this game; only faces that do not represent the card of that name.
        used: the columns that this game can write, by the name of the array.
        write: compiled `write(seen, row, cards, melds, table, rules)`. `seen` is an observation record and `row` its
            bytes (uint8). The others are one row of each array, all overwritten.
        write_full: like `write`, for a record of `Game.full_state` (with all cards face up) and its bytes; it modifies
            the record.
        describe: function without arguments that returns the description of each action, float32 (actions, columns).
        action_columns: the columns of these descriptions.
    """

    version: int
    arrays: tuple[Array, ...]
    faces: tuple[str, ...]
    face_of: npt.NDArray[np.int64]
    own_faces: Mapping[str, str]
    used: Mapping[str, tuple[str, ...]]
    write: Callable[..., None]
    write_full: Callable[..., None]
    describe: Callable[[], npt.NDArray[np.float32]]
    action_columns: tuple[Column, ...]

    @functools.cached_property
    def described(self) -> npt.NDArray[np.float32]:
        """The description of each action, float32 (actions, columns), read-only."""
        vectors = self.describe()
        vectors.flags.writeable = False
        return vectors

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array, by name."""
        return {array.name: array.shape for array in self.arrays}
