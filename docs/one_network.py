"""Parts of docs/one-network.md: the tables and the chart of `train.family_study`, from docs/one-network.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from banakil_env.core.markdown import markdown_table
from banakil_env.games import GAMES, find
from train.family_games import FAMILIES, STARTS

RESULTS = Path(__file__).with_name("one-network.json")
NOT_MEASURED = "not measured"


def _results(part: str, **wanted: Any) -> list[dict[str, Any]]:
    done = json.loads(RESULTS.read_text(encoding="utf-8"))
    return [one for one in done if one["part"] == part and all(one[name] == value for name, value in wanted.items())]


def _said(score: dict[str, float]) -> str:
    return f"{score['mean']:.2f} ± {score['half_width']:.2f}"


def _each(scores: Sequence[dict[str, float]]) -> str:
    """The score of one seed with its interval; for several seeds the mean, the lowest and the highest score."""
    if len(scores) < 2:
        return "".join(map(_said, scores)) or NOT_MEASURED
    means = [score["mean"] for score in scores]
    return f"{sum(means) / len(means):.2f} ({min(means):.2f} to {max(means):.2f})"


def _scores(part: str, **wanted: Any) -> list[dict[str, float]]:
    return [one["score"] for one in _results(part, **wanted)]


def main_tables() -> str:
    """A Markdown table of scores by game: one network for all games, and a separate network for each game.

    A separate network learns from a thirteenth of the decisions.
    """
    rows = []
    for game in GAMES:
        table = find(game).tables[0].name
        cells = [_each(_scores(part, game=game)) for part in ("all", "one-game")]
        rows.append([f"[{find(game).title}](games/{game}.md), `{table}`", *cells])
    rows.append(["**mean**", *(_mean(_results(part)) for part in ("all", "one-game"))])
    return markdown_table(["table", "one network for all", "a network for this game"], rows)


def _mean(found: Sequence[dict[str, Any]]) -> str:
    scores = [one["score"]["mean"] for one in found]
    return f"**{sum(scores) / len(scores):.2f}**" if len(scores) >= len(GAMES) else ""


def left_out() -> str:
    """A table of scores at a game that a network has never seen."""
    rows = []
    for game in GAMES:
        begun = [one["curve"][0] for one in _results("again", game=game, first=STARTS[1])]
        rows.append([find(game).title, _each(_scores("left-out", game=game)), _each(begun)])
    return markdown_table(["game left out", "score with no training", "random weights"], rows)


def again() -> str:
    """A table of scores at the thirteenth game after some training decisions there."""
    points = sorted({point["decisions"] for one in _results("again") for point in one["curve"]})
    rows = []
    for game in GAMES:
        for first in STARTS:
            found = _results("again", game=game, first=first)
            if found:
                rows.append([find(game).title, first, *(_each(_at(found, decisions)) for decisions in points)])
    return markdown_table(["game", "begun with", *(f"{point:,}" for point in points)], rows)


def _at(found: Sequence[dict[str, Any]], decisions: int) -> list[dict[str, float]]:
    """The scores of some curves after this number of decisions."""
    return [point for one in found for point in one["curve"] if point["decisions"] == decisions]


def families() -> str:
    """Tables of scores of networks that have learned one family of games: by game, then as means by family."""
    learned = [family for family in FAMILIES if _results("families", family=family)]
    if not learned:
        return NOT_MEASURED.capitalize() + "."
    head = [f"learned {family}" for family in learned]
    rows = []
    for family, games in FAMILIES.items():
        for game in games:
            cells = (_each(_scores("families", game=game, family=each)) for each in learned)
            rows.append(
                [find(game).title, family, *(_marked(cell, family == each) for cell, each in zip(cells, learned))]
            )
    means = [[family, *(_mean_of_family(games, each) for each in learned)] for family, games in FAMILIES.items()]
    return f"{markdown_table(['played', 'family', *head], rows)}\n\n{markdown_table(['mean of', *head], means)}"


def _marked(cell: str, own: bool) -> str:
    """A score as text, in italics if `own`: the network has learned the game."""
    return f"*{cell}*" if own and cell != NOT_MEASURED else cell


def _mean_of_family(games: Sequence[str], learned: str) -> str:
    """The mean score over games and their seeds; NOT_MEASURED unless all of these games were measured."""
    of_each = [[score["mean"] for score in _scores("families", game=game, family=learned)] for game in games]
    if not all(of_each):
        return NOT_MEASURED
    mean = sum(sum(means) / len(means) for means in of_each) / len(of_each)
    return _marked(f"{mean:.2f}", games == FAMILIES[learned])


def other_tables() -> str:
    """A Markdown table of scores at tables with other rules and numbers of players than in training."""
    rows = [[find(one["game"]).title, f"`{one['table']}`", _said(one["score"])] for one in _results("other-tables")]
    if not rows:
        return NOT_MEASURED.capitalize() + "."
    return markdown_table(["game", "table", "score"], rows)


# Measures of the chart: a panel for each game, a line for each start.
_PANEL, _HIGH, _GAP, _ACROSS = 210, 150, 46, 4
_COLOURS = {STARTS[0]: "#00796b", STARTS[1]: "#c2185b"}
_LOWEST, _HIGHEST = -0.2, 1.1


def picture() -> str:
    """The curves of all games that were learned after the twelve others, as SVG."""
    games = [game for game in GAMES if _results("again", game=game)]
    down = -(-len(games) // _ACROSS)
    width, height = _ACROSS * (_PANEL + _GAP) + 20, down * (_HIGH + _GAP + 24) + 40
    parts = []
    for place, first in enumerate(STARTS):
        x = 24 + 220 * place
        parts.append(f'<line x1="{x}" x2="{x + 24}" y1="18" y2="18" stroke="{_COLOURS[first]}" stroke-width="3"/>')
        parts.append(f'<text x="{x + 30}" y="22">begun with {first}</text>')
    for number, game in enumerate(games):
        left, top = 44 + number % _ACROSS * (_PANEL + _GAP), 58 + number // _ACROSS * (_HIGH + _GAP + 24)
        parts += _panel(game, left, top)
    style = "text{font:12px sans-serif;fill:#222}.mark{fill:#666;font-size:11px}.game{font-weight:bold}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>Scores at a game that was left out, by decisions there</title><style>{style}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _panel(game: str, left: int, top: int) -> Iterator[str]:
    found = _results("again", game=game)
    points = sorted({point["decisions"] for one in found for point in one["curve"]})

    def x(decisions: int) -> float:
        return round(left + _PANEL * points.index(decisions) / max(len(points) - 1, 1), 1)

    def y(score: float) -> float:
        held = min(max(score, _LOWEST), _HIGHEST)
        return round(top + _HIGH * (_HIGHEST - held) / (_HIGHEST - _LOWEST), 1)

    yield f'<text x="{left}" y="{top - 8}" class="game">{escape(find(game).title)}</text>'
    for value, name in ((0, "random"), (1, "expert")):
        dashes = 'stroke="#bbb" stroke-dasharray="3 3"'
        yield f'<line x1="{left}" x2="{left + _PANEL}" y1="{y(value)}" y2="{y(value)}" {dashes}/>'
        yield f'<text x="{left - 6}" y="{y(value) + 4}" class="mark" text-anchor="end">{value}</text>'
        yield f'<text x="{left + _PANEL}" y="{y(value) - 4}" class="mark" text-anchor="end">{name}</text>'
    for decisions in points:
        said = f"{decisions:,}"
        yield f'<text x="{x(decisions)}" y="{top + _HIGH + 16}" class="mark" text-anchor="middle">{said}</text>'
    for one in found:
        colour, curve = _COLOURS[one["first"]], one["curve"]
        line = " ".join(f"{x(point['decisions'])},{y(point['mean'])}" for point in curve)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for point in curve:
            ends = (y(point["mean"] + sign * point["half_width"]) for sign in (1, -1))
            a, b = ends
            at = x(point["decisions"])
            yield f'<line x1="{at}" x2="{at}" y1="{a}" y2="{b}" stroke="{colour}" stroke-width="1.5"/>'
            yield f'<circle cx="{at}" cy="{y(point["mean"])}" r="3" fill="{colour}"/>'
