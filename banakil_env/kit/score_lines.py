"""The parts of a score sheet that all games share: where the points of a round come from.

The module `scoring` of a game writes the parts of the points, whose sum they are. Its function `lines(state, seat)`
returns the same parts with their words (`lines_of`), at the end of a round and before the next deal.
`banakil_env.text.points` finds the module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from banakil_env.core.jit import compiled, interpreted


class Line(NamedTuple):
    """A part of the points of a seat or of its side, in the game's own sign, and what it is for."""

    text: str
    points: float


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
