"""Shows results: as JSON and CSV for programs, as text for the terminal, and as an HTML page with charts."""

from __future__ import annotations

import contextlib
import csv
import html
import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banakil_env.arena.figures import SHOWN
from banakil_env.arena.identities import heading
from banakil_env.arena.lost_tables import failure_text
from banakil_env.arena.measures import measures_of
from banakil_env.arena.seatings import MIXED
from banakil_env.arena.statistics import Interval
from banakil_env.core.failures import KINDS, kind_text
from banakil_env.core.files import write_whole
from banakil_env.core.markdown import markdown_table
from banakil_env.render.columns import WIDTH, fits, folded, in_columns, turned

if TYPE_CHECKING:
    from banakil_env.arena.results import Results

_NUMBERS = ("margin", "points", "turns", "rounds", "round_points")  # all other measures are shares
_WITH_INTERVAL = ("win", "match_win")


def as_dict(results: Results) -> dict[str, Any]:
    """The results as plain values for JSON. Except for seconds, the same deals give the same values in every run."""
    plan = results.plan
    pairs = []
    for a, b in results.pairs:
        one, other = plan.players[a], plan.players[b]
        pairs.append(
            {
                "players": [one, other],
                "margin": _plain(results.margin(one, other)),
                "win": _plain(results.win(one, other)),
                "plain_factor": _number(results.plain_factor(one, other)),
            }
        )
    players = {}
    for name in plan.players:
        players[name] = {measure: _plain(value) for measure, value in results.player(name).items()}
    figures = results.figures()
    return {
        "match": heading(plan, results.identities),
        "deals": len(results.deals),
        "level": plan.level,
        "players": players,
        "ratings": _ratings(results),
        "pairs": pairs,
        "failures": results.failures(),
        "forfeits": results.forfeits(),
        "seconds": {name: _number(results.seconds(name)) for name in plan.players},
        **({"figures": figures} if figures else {}),
    }


def save(results: Results, folder: Path | str) -> list[Path]:
    """Write results.json, players.csv, pairs.csv and, if matplotlib is installed, report.html; return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    found = as_dict(results)
    files = {
        "results.json": json.dumps(found, indent=2) + "\n",
        "players.csv": _players_csv(found),
        "pairs.csv": _pairs_csv(found),
    }
    with contextlib.suppress(ImportError):  # without the extra `arena` there is no report.html
        files["report.html"] = page(results)
    for name, text in files.items():
        write_whole(folder / name, text.encode())
    return [folder / name for name in files]


def title(results: Results) -> str:
    """The match as one line of text."""
    plan = results.plan
    return f"{table_title(results)}: {len(results.deals)} deals of {plan.seed_set}, {plan.level:.0%} intervals"


def table_title(results: Results) -> str:
    """The card table of a match in a few words: game, rules, number of players, partners."""
    plan = results.plan
    side = ", partners" if plan.plays_partners else ", individuals" if plan.partners is False else ""
    whole = ", whole matches" if plan.episode == "match" else ""
    mixed = ", mixed tables" if plan.seating == MIXED else ""
    return f"{plan.found.id} {plan.rules}, {plan.seats} players{side}{whole}{mixed}"


def player_rows(results: Results) -> tuple[list[str], list[list[str]]]:
    """The table of players, best first: column heads, and rows of text."""
    ratings = _ratings(results) or {}
    measures = measures_of(results.plan.found, results.plan.episode)
    rows = []
    for name in results.plan.players:
        values = results.player(name)
        rating = f"{ratings[name]['mu']:.1f} ± {2 * ratings[name]['sigma']:.1f}" if name in ratings else "-"
        texts = [_text(measure, values[measure]) for measure in measures]
        rows.append((values["margin"].mean, [name, *texts, rating, duration(results.seconds(name))]))
    rows.sort(key=lambda row: -row[0])
    heads = [
        "player",
        *(measure.replace("_", " ") + (" %" if measure not in _NUMBERS else "") for measure in measures),
        "rating",
        "a decision",
    ]
    return heads, [row for _, row in rows]


def cross_rows(results: Results) -> tuple[list[str], list[list[str]]]:
    """The margin of every player (row) over every other (column), points per deal: column heads, and rows of text."""
    names = results.plan.players
    rows = [[one, *("" if one == other else str(results.margin(one, other)) for other in names)] for one in names]
    return ["margin of row over column", *names], rows


def figure_rows(results: Results) -> tuple[list[str], list[list[str]]]:
    """The costs of decisions of players that talk: column heads, and rows of text; no rows without such players."""
    rows = [[name, *(f"{told[each]:.6g}" for each in SHOWN)] for name, told in results.figures().items()]
    return ["player", *(each.replace("_", " ") for each in SHOWN)], rows


def forfeit_rows(results: Results) -> tuple[list[str], list[list[str]]]:
    """The tables that players lost by failing, by kind: column heads, and rows of text; no rows without such tables."""
    forfeits = results.forfeits()
    kinds = [kind for kind in KINDS if any(kind in of_player for of_player in forfeits.values())]
    rows = [
        [name, *(str(of_player.get(kind, 0)) for kind in kinds), str(sum(of_player.values()))]
        for name, of_player in forfeits.items()
    ]
    return ["tables lost by failing", *map(kind_text, kinds), "all"], rows


def markdown(results: Results) -> str:
    """The tables of players and pairs as Markdown, for the documentation."""
    parts = []
    tables = [player_rows(results), cross_rows(results)]
    if results.forfeits():
        tables.append(forfeit_rows(results))
    for heads, rows in tables:
        parts.append(markdown_table(heads, rows))
    return f"{title(results)}.\n\n" + "\n\n".join(parts) + "\n"


def text(results: Results, width: int = WIDTH) -> str:
    """The tables of players and pairs for a terminal of `width` columns, and the failures.

    `save` writes all figures.
    """
    players = player_rows(results)
    if not fits(*players, width):
        players = turned(*players)  # one line per measure
    parts = ["\n".join(folded(title(results), width)), in_columns(*players, width)]
    (said, *names), rows = cross_rows(results)
    parts.append(f"{said}:\n" + in_columns(["", *names], rows, width))
    heads, rows = figure_rows(results)
    if rows:
        parts.append(in_columns(heads, rows, width))
    if failures := failures_text(results):
        parts.append("\n".join(folded(failures, width)))
    return "\n\n".join(parts)


def failures_text(results: Results) -> str:
    """The numbers of tables lost by failing, by player and kind, and the first such table; "" if there is none."""
    failures = results.failures()
    if not failures:
        return ""
    by_kind = "; ".join(
        f"{name} {', '.join(f'{count} {kind_text(kind)}' for kind, count in kinds.items())}"
        for name, kinds in results.forfeits().items()
    )
    return f"{len(failures)} tables lost by failing ({by_kind}); the first: {failure_text(failures[0])}"


def page(results: Results) -> str:
    """The results as one HTML page that needs no other file.

    Raises ImportError if matplotlib is not installed (the extra `arena`).
    """
    parts = [f"<h1>{html.escape(title(results))}</h1>", _table(*player_rows(results)), _intervals_svg(results)]
    parts += [_table(*cross_rows(results)), _cross_svg(results)]
    said = {**measures_of(results.plan.found, results.plan.episode)}
    heads, told = figure_rows(results)
    if told:
        parts += ["<h2>Replies and tokens</h2>", _table(heads, told)]
        said |= SHOWN
    parts.append(
        "<dl>" + "".join(f"<dt>{name.replace('_', ' ')}</dt><dd>{what}</dd>" for name, what in said.items()) + "</dl>"
    )
    failures = results.failures()
    if failures:
        rows = [[str(value) for value in failure.values()] for failure in failures[:100]]
        parts += [f"<h2>Tables lost by failing: {len(failures)}</h2>", _table(*forfeit_rows(results))]
        parts.append(_table(list(failures[0]), rows))
    return (
        f"<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>{html.escape(title(results))}</title>\n"
        "<style>body{font:15px system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
        "table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .7em;border-bottom:1px solid #ddd;"
        "text-align:right}td:first-child,th:first-child{text-align:left}h1{font-size:1.3em}h2{font-size:1.1em}"
        "dt{font-weight:bold}svg{max-width:100%;height:auto}</style>\n" + "\n".join(parts) + "\n</html>\n"
    )


def _ratings(results: Results) -> dict[str, dict[str, float]] | None:
    try:
        return {name: {"mu": r.mu, "sigma": r.sigma} for name, r in results.ratings().items()}
    except ImportError:
        return None


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _plain(value: Interval) -> dict[str, float | None]:
    return {"mean": _number(value.mean), "low": _number(value.low), "high": _number(value.high)}


def _text(measure: str, value: Interval) -> str:
    if measure == "margin":
        return str(value)
    if measure in _WITH_INTERVAL:
        return f"{100 * value.mean:.1f} ± {100 * value.half_width:.1f}"
    return f"{100 * value.mean:.1f}" if measure not in _NUMBERS else f"{value.mean:z.1f}"


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    if seconds != seconds:
        return "-"
    return f"{seconds / 1e-6:.0f} µs" if seconds >= 1e-5 else f"{seconds / 1e-6:.2g} µs"


def _players_csv(found: dict[str, Any]) -> str:
    ends = ("mean", "low", "high")
    measures = list(next(iter(found["players"].values())))
    forfeits = found["forfeits"]
    kinds = [kind for kind in KINDS if any(kind in of_player for of_player in forfeits.values())]
    head = [
        "player",
        *(f"{measure}_{end}" for measure in measures for end in ends),
        "rating_mu",
        "rating_sigma",
        "seconds",
        *(SHOWN if "figures" in found else ()),
        *(f"forfeits_{kind}" for kind in kinds),
    ]
    rows = []
    for name, values in found["players"].items():
        rating = (found["ratings"] or {}).get(name, {"mu": None, "sigma": None})
        numbers = [values[measure][end] for measure in measures for end in ends]
        told = found["figures"].get(name, {}) if "figures" in found else {}
        figures = [told.get(each) for each in SHOWN] if "figures" in found else []
        lost = [forfeits.get(name, {}).get(kind, 0) for kind in kinds]
        rows.append([name, *numbers, rating["mu"], rating["sigma"], found["seconds"][name], *figures, *lost])
    return _csv(head, rows)


def _pairs_csv(found: dict[str, Any]) -> str:
    head = ["player", "opponent", "margin_mean", "margin_low", "margin_high", "win_mean", "win_low", "win_high"]
    rows = []
    for pair in found["pairs"]:
        rows.append([*pair["players"], *pair["margin"].values(), *pair["win"].values()])
    return _csv(head, rows)


def _csv(head: list[str], rows: list[list[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def _table(heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _svg(figure: Any) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def _intervals_svg(results: Results) -> str:
    """Draw every player's margin with its interval, as SVG."""
    from matplotlib.figure import Figure

    values = sorted(
        ((name, results.player(name)["margin"]) for name in results.plan.players), key=lambda item: item[1].mean
    )
    figure = Figure(figsize=(7, 0.8 + 0.4 * len(values)))
    axes = figure.subplots()
    errors = [value.half_width if math.isfinite(value.half_width) else 0 for _, value in values]
    axes.errorbar([value.mean for _, value in values], range(len(values)), xerr=errors, fmt="o", capsize=4)
    axes.axvline(0, color="0.6", linewidth=1)
    axes.set_yticks(range(len(values)), [name for name, _ in values])
    axes.set_ylim(-0.5, len(values) - 0.5)
    axes.set_xlabel(f"points per deal more than the opponents, {results.plan.level:.0%} interval")
    return _svg(figure)


def _cross_svg(results: Results) -> str:
    """Draw the cross-table in colors, as SVG: the margin of the row's player over the column's player."""
    from matplotlib.figure import Figure

    names = results.plan.players
    means = [[0.0 if a == b else results.margin(a, b).mean for b in names] for a in names]
    limit = max(abs(mean) for row in means for mean in row) or 1.0
    size = 2 + 0.8 * len(names)
    figure = Figure(figsize=(size + 1, size))
    axes = figure.subplots()
    image = axes.imshow(means, cmap="RdBu", vmin=-limit, vmax=limit)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), names)
    for i, row in enumerate(means):
        for j, mean in enumerate(row):
            if i != j:
                axes.text(
                    j, i, f"{mean:+z.1f}", ha="center", va="center", color="white" if abs(mean) > limit / 2 else "black"
                )
    figure.colorbar(image, label="points per deal, row over column")
    return _svg(figure)
