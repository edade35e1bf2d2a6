"""The chart of docs/learning-from-nothing.md: learning curves of several training seeds, a panel per standing table."""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from banakil_env.core.game import Table
from banakil_env.games import GAMES, find

_ACROSS, _WIDE, _HIGH, _GAP = 3, 210, 130, 62
_LONGEST = 30  # characters of a heading
_COLOURS = ("#1f77b4", "#d95f02", "#2ca02c")  # colors of the seeds, used in turn


def picture() -> str:
    """The chart as SVG: points per deal ahead of `expert` by number of decisions, with one line per seed."""
    runs_of = importlib.import_module("from_nothing").runs_of
    tables = [(game.title, table) for game in map(find, GAMES) for table in game.tables]
    found = [(_heading(*one), runs) for one in tables if (runs := runs_of(one[1].name, "learned"))]
    down = -(-len(found) // _ACROSS)
    width, height = _ACROSS * (_WIDE + _GAP) + 20, down * (_HIGH + _GAP) + 34
    parts = ['<text x="20" y="20">Points per deal ahead of expert, by million decisions; a line is one seed</text>']
    for number, (title, runs) in enumerate(found):
        left, top = 58 + number % _ACROSS * (_WIDE + _GAP), 58 + number // _ACROSS * (_HIGH + _GAP)
        parts += _panel(title, [one["curve"] for one in runs], left, top)
    style = "text{font:12px sans-serif;fill:#222}.mark{fill:#666;font-size:11px}.game{font-weight:bold}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>Learning curves of several seeds</title><style>{style}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _heading(game: str, table: Table) -> str:
    """The game and its table; the game alone if both are wider than a panel."""
    said = f"{game}, {table.title}"
    return said if len(said) <= _LONGEST else game


def _panel(title: str, curves: list[list[dict[str, Any]]], left: int, top: int) -> Iterator[str]:
    ahead = [[next(s for s in point["standings"] if s["opponent"] == "expert") for point in curve] for curve in curves]
    ends = [one["margin"] + sign * one["half_width"] for curve in ahead for one in curve for sign in (1, -1)]
    step = _step(max(*ends, 0) - min(*ends, 0))
    lowest, highest = step * math.floor(min(*ends, 0) / step), step * math.ceil(max(*ends, 0) / step)
    most = max(point["steps"] for curve in curves for point in curve)

    def x(steps: int) -> float:
        return round(left + _WIDE * steps / most, 1)

    def y(points: float) -> float:
        return round(top + _HIGH * (highest - points) / (highest - lowest), 1)

    yield f'<text x="{left}" y="{top - 10}" class="game">{escape(title)}</text>'
    for value in range(lowest, highest + 1, step):
        dark = "#888" if value == 0 else "#ddd"
        yield f'<line x1="{left}" x2="{left + _WIDE}" y1="{y(value)}" y2="{y(value)}" stroke="{dark}"/>'
        yield f'<text x="{left - 6}" y="{y(value) + 4}" class="mark" text-anchor="end">{value:,}</text>'
    for steps in (most // 2, most):
        said = f"{steps / 1e6:.2g}"
        yield f'<text x="{x(steps)}" y="{top + _HIGH + 16}" class="mark" text-anchor="middle">{said}</text>'
    for colour, curve, standings in zip(itertools.cycle(_COLOURS), curves, ahead):
        places = [(x(point["steps"]), one) for point, one in zip(curve, standings)]
        line = " ".join(f"{at},{y(one['margin'])}" for at, one in places)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for at, one in places:
            low, high = (y(one["margin"] + sign * one["half_width"]) for sign in (-1, 1))
            yield f'<line x1="{at}" x2="{at}" y1="{low}" y2="{high}" stroke="{colour}"/>'


def _step(span: float) -> int:
    """A round distance between grid lines, for about four lines over `span`."""
    tens = 10 ** math.floor(math.log10(max(span, 1) / 4))
    return max(1, round(next(factor * tens for factor in (1, 2, 5, 10) if factor * tens >= span / 4)))
