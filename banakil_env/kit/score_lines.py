"""Where do the points of a round come from? What the score sheets of all games share.

Each game has a module `score_lines` with a function `lines(state, seat)`: the parts of a seat's points at the end of a
round, before the next deal. Their sum is what the game's scoring wrote. `banakil_env.text.points` finds the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol


class Line(NamedTuple):
    """A part of the points of a seat or of its side, in the game's own sign, and what it is for."""

    text: str
    points: float


class ScoreLinesModule(Protocol):
    """The module `score_lines` of a game."""

    def lines(self, state: Any, seat: int, /) -> Sequence[Line]: ...


def some(lines: Iterable[tuple[str, Any]]) -> list[Line]:
    """The lines that are worth something."""
    return [Line(text, int(points)) for text, points in lines if points]


def times(factor: int, lines: Sequence[Line]) -> list[Line]:
    """The lines, and what counting them several times adds."""
    more = (factor - 1) * sum(line.points for line in lines)
    return [*lines, *some([(f"counted {factor} times", more)])]
