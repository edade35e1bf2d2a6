"""Float columns for networks: groups of columns, the subject of each, and the functions that write them.

The columns state what they belong to (every card, every suit, nothing in particular), so that one network definition
serves every game, and a suit-symmetric network can be built from the same description.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

# What the columns of a group belong to: planes of all faces; planes of the faces that have a suit and a rank; rows of
# suits; nothing in particular.
OF_FACES, OF_CARDS, OF_SUITS, PLAIN = "faces", "cards", "suits", "plain"


@dataclass(frozen=True)
class Columns:
    """A group of columns.

    Attributes:
        name, note: of the group, for documentation.
        count: how many columns.
        about: OF_FACES, OF_CARDS, OF_SUITS (planes or rows behind each other) or PLAIN. A plane OF_CARDS has a column
            for each place of the `FaceTable`, suit by suit.
        lowest, highest: the values that the columns can have: of all of them, or of each (a tuple).
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
    """The faces of a pack for a suit-symmetric network.

    Attributes:
        suits, ranks: how many there are of each.
        cells: of every face, its place `suit * ranks + rank`, each place once; NOWHERE: a wild card without one.
        kinds: of every face without a place, its kind: 0, 1, ...; cards of a kind are alike. NOWHERE: it has a place.
    """

    suits: int
    ranks: int
    cells: tuple[int, ...]
    kinds: tuple[int, ...]

    def __post_init__(self) -> None:
        if sorted(cell for cell in self.cells if cell != NOWHERE) != list(range(self.num_cells)):
            raise ValueError(f"every place from 0 to {self.num_cells - 1} is that of one face")
        if [cell == NOWHERE for cell in self.cells] != [kind != NOWHERE for kind in self.kinds]:
            raise ValueError("a face has either a place or a kind")

    @property
    def num_cells(self) -> int:
        """The number of places."""
        return self.suits * self.ranks

    @property
    def num_kinds(self) -> int:
        """The number of kinds of cards without a place."""
        return max(self.kinds) + 1

    def of_kind(self, kind: int) -> list[int]:
        """The faces of a kind."""
        return [face for face, own in enumerate(self.kinds) if own == kind]


def one_suit(ranks: int, wilds: int) -> FaceTable:
    """The table of a game in which only ranks matter: its faces are the ranks of one suit, then the wild cards."""
    return FaceTable(1, ranks, (*range(ranks), *[NOWHERE] * wilds), (*[NOWHERE] * ranks, *range(wilds)))


def first_of(columns: tuple[Columns, ...]) -> dict[str, int]:
    """The first column of each of these groups, by name."""
    starts = itertools.accumulate([0] + [group.count for group in columns])
    return dict(zip([group.name for group in columns], starts))


@dataclass(frozen=True, eq=False)
class Features:
    """The float columns of a game.

    Attributes:
        version: raised with every change of what the columns mean; weights trained on others are refused.
        columns: the groups, in their order.
        write: compiled `write(seen, row, out, depths)`: `seen` a record of the observation and `row` its bytes (uint8),
            `out` float32 (width,) and `depths` uint8 (max_depth,), both overwritten: the face at each depth of the
            pile, `no_face` beyond its end.
        max_depth: actions can be about the card at a depth of the pile (`Block.subject`); 0: none is.
        no_face: the number for no face, which is the number of faces.
        faces: their suits and ranks; None: the game has no network of suits.
        with_rests: the same columns, and behind them what each discard leaves of the hand and gives to others
            (`kit.rests`); in games of contracts also what the hand lacks, with the upcard and without. They take longer
            to write, so that only networks have them that request it; None: the game has no such columns.
        with_offers: the widest columns before, and behind them what an offered card leaves of the hand; None likewise.
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
        """The layouts that a network of the game can use: these columns, and those with rests and with offers if there
        are any.
        """
        return (self, *filter(None, (self.with_rests, self.with_offers)))

    def layout_name(self, layout: Features) -> str:
        """The word for one of the layouts: "", "rests" or "offers"."""
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
