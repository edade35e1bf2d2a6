"""One layout for every game: the arrays of `observation="cards"`, and actions as vectors.

The layout is the same in all games: a network that is made for one game can be given the observations of another. The
kit says what its columns are and writes them (`kit/common`); environments, tables and documentation know it from here.
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
    """One column: its name, what it says, and the bounds that hold in every game."""

    name: str
    note: str
    highest: float = 1.0
    lowest: float = 0.0


@dataclass(frozen=True)
class Array:
    """One array of the layout, float32.

    Attributes:
        name, note: of the array, for documentation.
        columns: of its last axis.
        rows: of its first axis; 0: it has one axis.
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
        """The number of numbers."""
        return math.prod(self.shape)

    @functools.cached_property
    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The lowest and the highest value of each number, float32, of the array's shape."""
        low = np.array([column.lowest for column in self.columns], np.float32)
        high = np.array([column.highest for column in self.columns], np.float32)
        return np.broadcast_to(low, self.shape), np.broadcast_to(high, self.shape)


@dataclass(frozen=True, eq=False)
class CommonLayout:
    """A game in the common layout.

    Attributes:
        version: raised with every change of what the columns mean.
        arrays: in their order, the same for all games.
        faces: the texts of the common faces.
        face_of: int64, of each face of the game (as in `Block.cards`) the common face.
        own_faces: what a common face means in this game, where it is not the card of that name.
        used: the columns that this game can write, by the name of the array.
        write: compiled `write(seen, row, cards, melds, table, rules)`: `seen` a record of the observation, `row` its
            bytes (uint8), then a row of each array, all overwritten.
        write_full: the same of a record `full` of `Game.full_state` and its bytes, with all cards open; it changes the
            record.
        describe(): what each action is, float32 (actions, columns). action_columns: its columns.
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
        """A description of each action, float32 (actions, columns), read-only."""
        vectors = self.describe()
        vectors.flags.writeable = False
        return vectors

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array, by name."""
        return {array.name: array.shape for array in self.arrays}
