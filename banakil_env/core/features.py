"""Float columns for networks: groups of columns, what each group describes, and the functions that write them.

Each group states what its columns belong to (faces, cards, suits or nothing in particular). So one network definition
can serve every game, and a suit-symmetric network can be built from the same description.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

# What the columns of a group belong to: planes over all faces; planes over the faces that have a suit and a rank; one
# row per suit; nothing in particular.
OF_FACES, OF_CARDS, OF_SUITS, PLAIN = "faces", "cards", "suits", "plain"


@dataclass(frozen=True)
class Columns:
    """A group of columns.

    Attributes:
        name: the group's name.
        note: the meaning of its columns, for the documentation.
        count: the number of columns.
        about: OF_FACES, OF_CARDS, OF_SUITS (consecutive planes or rows) or PLAIN. A plane OF_CARDS has one column per
            place of the `FaceTable`, suit by suit.
        lowest, highest: bounds of the values, for all columns together or (a tuple) for each.
    """

    name: str
    note: str
    count: int
    about: str = PLAIN
    lowest: float | tuple[float, ...] = 0.0
    highest: float | tuple[float, ...] = 1.0


NOWHERE = -1


@dataclass(frozen=True)
class FaceTable:
    """The faces of a pack, for a suit-symmetric network.

    Attributes:
        suits, ranks: the number of suits and of ranks.
        cells: of each face, its place `suit * ranks + rank`, each place once; NOWHERE for a wild card without a place.
        kinds: of each face without a place, its kind: 0, 1, ...; cards of one kind are interchangeable. NOWHERE for a
            face that has a place.
    """

    suits: int
    ranks: int
    cells: tuple[int, ...]
    kinds: tuple[int, ...]

    def __post_init__(self) -> None:
        if sorted(cell for cell in self.cells if cell != NOWHERE) != list(range(self.num_cells)):
            raise ValueError(f"every place from 0 to {self.num_cells - 1} needs exactly one face")
        if [cell == NOWHERE for cell in self.cells] != [kind != NOWHERE for kind in self.kinds]:
            raise ValueError("a face must have either a place or a kind")

    @property
    def num_cells(self) -> int:
        """The number of places: suits times ranks."""
        return self.suits * self.ranks

    @property
    def num_kinds(self) -> int:
        """The number of kinds of cards that have no place."""
        return max(self.kinds) + 1

    def of_kind(self, kind: int) -> list[int]:
        """The faces without a place whose kind is `kind`, see `kinds`."""
        return [face for face, own in enumerate(self.kinds) if own == kind]


def one_suit(ranks: int, wilds: int) -> FaceTable:
    """The `FaceTable` of a game in which only ranks matter.

    Its faces are the ranks of a single suit, followed by the wild cards, which are each a separate kind.
    """
    return FaceTable(1, ranks, (*range(ranks), *[NOWHERE] * wilds), (*[NOWHERE] * ranks, *range(wilds)))


def first_of(columns: tuple[Columns, ...]) -> dict[str, int]:
    """The index of the first column of each of these groups, by name."""
    starts = itertools.accumulate([0] + [group.count for group in columns])
    return dict(zip([group.name for group in columns], starts))


@dataclass(frozen=True, eq=False)
class Features:
    """The float columns of a game.

    Attributes:
        version: incremented whenever the meaning of a column changes; weights trained with another version are refused.
        columns: the groups of columns, in order.
        write: compiled `write(seen, row, out, depths)`. `seen` is an observation record and `row` its bytes (uint8). It
            overwrites `out`, float32 (width,), and `depths`, uint8 (max_depth,): the face at each depth of the pile,
            `no_face` below the bottom card.
        no_face: the number that stands for no face; it is the number of faces.
        max_depth: number of depths of the pile that actions can refer to (`Block.subject`); 0: no action does.
        faces: the suits and ranks of the faces; None: the game has no suit-symmetric network.
        with_rests: the same columns, followed by columns that describe the hand after each possible discard and the
            melds that the discard gives to others (`kit.rests`). In games with contracts also the cards that the hand
            lacks, with the upcard and without it. These columns take longer to write, so only networks that request
            them get them. None: the game has no such columns.
        with_offers: the widest of these layouts, followed by columns that describe the hand after an offered card is
            taken; None: the game has no such columns.
    """

    version: int
    columns: tuple[Columns, ...]
    write: Callable[[Any, Any, Any, Any], None]
    no_face: int
    max_depth: int = 0
    faces: FaceTable | None = None
    with_rests: Features | None = None
    with_offers: Features | None = None

    @property
    def layouts(self) -> tuple[Features, ...]:
        """The layouts that networks of the game can use: these columns, and those with rests and with offers if they
        exist.
        """
        return (self, *filter(None, (self.with_rests, self.with_offers)))

    def layout_name(self, layout: Features) -> str:
        """The name of one of the layouts: "", "rests" or "offers"."""
        return "" if layout is self else "rests" if layout is self.with_rests else "offers"

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return sum(group.count for group in self.columns)

    @cached_property
    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The lowest and the highest value of each column, float32 (width,)."""
        low = [np.broadcast_to(np.asarray(group.lowest, np.float32), group.count) for group in self.columns]
        high = [np.broadcast_to(np.asarray(group.highest, np.float32), group.count) for group in self.columns]
        return np.concatenate(low), np.concatenate(high)

    @cached_property
    def first(self) -> dict[str, int]:
        """The first column of each group, by name."""
        return first_of(self.columns)
