"""How does a network see a game? Groups of float columns, what each is about, and what writes them.

The columns say what they belong to (every card, every suit, nothing in particular), so that one network definition
serves every game, and a network for which all suits are alike can be built from the same description.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

# What the columns of a group belong to: planes of all faces; planes of the faces that have a suit and a rank; rows of
# suits; nothing in particular.
OF_FACES, OF_CARDS, OF_SUITS, PLAIN = "faces", "cards", "suits", "plain"


@dataclass(frozen=True)
class Columns:
    """A group of columns.

    Attributes:
        name, note: of the group, for documentation.
        count: how many columns.
        about: OF_FACES, OF_CARDS, OF_SUITS (planes or rows behind each other) or PLAIN.
    """

    name: str
    note: str
    count: int
    about: str = PLAIN


def first_of(columns: tuple[Columns, ...]) -> dict[str, int]:
    """Where each of these groups begins."""
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
        max_depth: actions may be about the card at a depth of the pile (`Block.subject`); 0: none is.
        no_face: the number for no face, which is the number of faces.
    """

    version: int
    columns: tuple[Columns, ...]
    write: Callable[[Any, Any, Any, Any], None]
    no_face: int
    max_depth: int = 0

    @cached_property
    def width(self) -> int:
        """How many columns."""
        return sum(group.count for group in self.columns)

    @cached_property
    def first(self) -> dict[str, int]:
        """Where each group begins."""
        return first_of(self.columns)
