"""A chart of the rates: one bar for each row of this package and of the others, on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banakil_env.bench.measure import Row

OURS, THEIRS = "#1b6e53", "#b9b2a3"


def draw(rows: Sequence[Row], path: Path) -> None:
    """Write the chart of all rows in steps per second. The suffix of `path` gives the file format.

    Raises ImportError if Matplotlib is not installed.
    """
    from matplotlib.figure import Figure

    shown = [row for row in rows if row.unit == "/s"]
    figure = Figure(figsize=(10, 0.32 * len(shown) + 1.2), layout="constrained")
    axes = figure.subplots()
    places = range(len(shown))
    medians = [row.median for row in shown]
    spread = [
        [row.median - min(row.values) for row in shown],
        [max(row.values) - row.median for row in shown],
    ]
    colors = [THEIRS if row.group == "peers" else OURS for row in shown]
    axes.barh(places, medians, xerr=spread, color=colors, error_kw={"elinewidth": 1, "ecolor": "#555555"})
    axes.set_yticks(places, [f"{row.group}: {row.name}" for row in shown], fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("a second (median, lowest and highest run)")
    for place, row in zip(places, shown):
        axes.text(max(row.values), place, f"  {row.median:,.0f}", va="center", fontsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.1, y=0.01)
    figure.savefig(path, dpi=130)
