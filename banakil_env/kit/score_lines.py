"""Where do the points of a round come from? What the score sheets of all games share.

Each game has a module `score_lines` with a function `lines(state, seat)`: the parts of a seat's points at the end of a
round, before the next deal. Their sum is what the game's scoring wrote. Where the scoring itself writes parts, whose
sum are the points, the lines are those parts with their words (`lines_of`). `banakil_env.text.points` finds the module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from banakil_env.core.jit import compiled, interpreted


class Line(NamedTuple):
    """A part of the points of a seat or of its side, in the game's own sign, and what it is for."""

    text: str
    points: float


class ScoreLinesModule(Protocol):
    """The module `score_lines` of a game."""

    def lines(self, state: Any, seat: int, /) -> Sequence[Line]: ...


@compiled
def sum_of(parts: Any) -> int:
    """The points of which these are the parts."""
    points = 0
    for place in range(parts.shape[0]):
        points += parts[place]
    return points


def lines_of(texts: Sequence[str], write_parts: Callable[..., None], *arguments: Any) -> list[Line]:
    """The parts that a function of the scoring writes, with their texts, as far as they are worth something.

    Args:
        write_parts: takes the arguments and an array with a cell for each text.
    """
    parts = np.zeros(len(texts), np.int64)
    interpreted(write_parts)(*arguments, parts)
    return some(zip(texts, parts))


def some(lines: Iterable[tuple[str, Any]]) -> list[Line]:
    """The lines that are worth something."""
    return [Line(text, int(points)) for text, points in lines if points]


def times(factor: int, lines: Sequence[Line]) -> list[Line]:
    """The lines, and what counting them several times adds."""
    more = (factor - 1) * sum(line.points for line in lines)
    return [*lines, *some([(f"counted {factor} times", more)])]
