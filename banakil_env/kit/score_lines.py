"""The lines of a score sheet: the parts from which the points of a round are added up.

The module `scoring` of a game computes these parts. Its function `lines(state, seat)` returns them with their texts
(see `lines_of`), at the end of a round and before the next deal. `banakil_env.text.points` finds this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from banakil_env.core.jit import compiled, interpreted


class Line(NamedTuple):
    """One part of the points of a seat or its side, with the game's sign, and the reason for it."""

    text: str
    points: float


@compiled
def sum_of(parts: Any) -> int:
    """The sum of the parts, an array of numbers."""
    points = 0
    for place in range(parts.shape[0]):
        points += parts[place]
    return points


def lines_of(texts: Sequence[str], write_parts: Callable[..., None], *arguments: Any) -> list[Line]:
    """The nonzero parts that a function of the scoring writes, with their texts.

    Args:
        texts: one text for each part.
        write_parts: a function that takes `arguments` and an int64 array with one cell for each text.
    """
    parts = np.zeros(len(texts), np.int64)
    interpreted(write_parts)(*arguments, parts)
    return some(zip(texts, parts))


def some(lines: Iterable[tuple[str, Any]]) -> list[Line]:
    """The lines whose points are not zero."""
    return [Line(text, int(points)) for text, points in lines if points]


def times(factor: int, lines: Sequence[Line]) -> list[Line]:
    """The lines, and one more line with the points that are added when their sum counts `factor` times."""
    more = (factor - 1) * sum(line.points for line in lines)
    return [*lines, *some([(f"counted {factor} times", more)])]
