"""The standing results: makes tables and a figure from files of runs, and checks the files.

Each folder below `suite/results` is one submission: files of runs, and `about.toml` with the name of the player, the
verified degree of the runs, and the cost of making the player.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from banakil_env.core.files import read_within
from banakil_env.core.markdown import markdown_table
from banakil_env.kit.records import one_line
from banakil_env.suite.file import RunFile, read_run
from banakil_env.suite.show import seconds_of_player
from banakil_env.suite.tasks import Task, TaskError, tasks
from banakil_env.suite.verify import REPLAYED, REPORTED, RERUN

ABOUT = "about.toml"
DEGREES = (REPORTED, REPLAYED, RERUN)
# The cost of making a player, on a machine with two cores and no graphics card: word in `about.toml`, and its meaning.
COSTS = {"rules": "no training", "hour": "two cores, an hour", "day": "two cores, a day", "open": "open"}
_KEYS = {"player", "degree", "cost", "about"}
MOST_BYTES = 1 << 16  # bytes of `about.toml`


@dataclass(frozen=True)
class Entry:
    """One file of a submission.

    Attributes:
        file: its path.
        run: its content.
        name: the name of the submission and its folder.
        player: the player, as `--player` takes it.
        degree: the degree of verification that the submission states.
        cost: the cost that the submission states.
        about: a line about the player.
    """

    file: Path
    run: RunFile
    name: str
    player: str
    degree: str
    cost: str
    about: str

    @property
    def task(self) -> str:
        """The short id of the task."""
        return str(self.run.manifest["task"]).partition("+")[0]


def read_entries(folder: Path) -> list[Entry]:
    """Read all submissions in a folder.

    Raises:
        TaskError: a submission is not acceptable; the text gives the reason.
        RunFileError: a file is damaged.
    """
    found = []
    for about in sorted(folder.glob(f"*/{ABOUT}")):
        said = _about(about)
        for file in sorted(about.parent.glob("*.zip")):
            found.append(Entry(file, read_run(file), about.parent.name, **said))
    for entry in found:
        if entry.task not in tasks():
            raise TaskError(f"{entry.file} belongs to no task of this installation: {entry.run.manifest['task']!r:.80}")
        if entry.run.manifest.get("short") is not False or entry.run.manifest["deals"]["part"] != "public":
            raise TaskError(f"{entry.file} is not a result: it has to be a whole run on the public deals")
    return found


def _about(path: Path) -> dict[str, str]:
    try:
        said = tomllib.loads(read_within(path, MOST_BYTES).decode())
    except ValueError as error:
        raise TaskError(f"{path} cannot be read: {error}") from None
    if said.keys() != _KEYS or not all(isinstance(value, str) for value in said.values()):
        raise TaskError(f"{path} must have {', '.join(sorted(_KEYS))}, each a text; it has {', '.join(sorted(said))}")
    for name, allowed in (("degree", DEGREES), ("cost", tuple(COSTS))):
        if said[name] not in allowed:
            raise TaskError(f"{path}: {name} is one of {', '.join(allowed)}, not {said[name]!r:.40}")
    return {name: one_line(value) for name, value in said.items()}


def by_task(entries: Sequence[Entry]) -> dict[Task, list[Entry]]:
    """The entries of each task, with the best normalized score first. Tasks are in the order of `tasks.toml`."""
    found: dict[Task, list[Entry]] = {}
    for task in tasks().values():
        own = [entry for entry in entries if entry.task == task.short]
        if own:
            found[task] = sorted(own, key=lambda entry: (-_scale(entry)["mean"], entry.name))
    return found


def results_text(entries: Sequence[Entry]) -> str:
    """The tables of results, in Markdown."""
    parts = []
    for task, own in by_task(entries).items():
        head = ["player", "normalised", f"against `{task.reference}`", "against `random`", "ms per decision"]
        rows = []
        for entry in own:
            anchors = entry.run.manifest["figures"]["anchors"]
            rows.append(
                [
                    f"**{entry.name}**, {entry.about} (`{_digest(entry)}`)",
                    _said(_scale(entry), 3),
                    *(
                        f"{_said(anchors[name]['points'], 2)} ({anchors[name]['deals']})"
                        for name in (task.reference, "random")
                    ),
                    _milliseconds(entry.run),
                    entry.degree,
                    COSTS[entry.cost],
                    f"`banakil suite run {task.short} {entry.player} --out FILE`",
                ]
            )
        found = markdown_table([*head, "degree", "cost", "command"], rows)
        parts.append(f"### {task.short}\n\n`{task.id}`\n\n{found}")
    return "\n\n".join(parts)


def _digest(entry: Entry) -> str:
    return one_line(str(entry.run.manifest["player"]["digest"]))[:12]


def _scale(entry: Entry) -> Mapping[str, Any]:
    found: Mapping[str, Any] = entry.run.manifest["figures"]["normalised"]
    return found


def _said(figure: Mapping[str, Any], digits: int) -> str:
    mean, half = figure["mean"], figure["half_width_95"]
    return f"{mean:+.{digits}f} ± {half:.{digits}f}".replace("-", "−")


def _milliseconds(run: RunFile) -> str:
    seconds = seconds_of_player(run.machine)
    return "" if seconds is None else f"{seconds * 1000:.2f}"


# The figure has a panel per task and a line per player; its interval at 95 % is drawn thick, at 99 % thin.
_LEFT, _WIDTH, _ROW, _PANEL = 150, 420, 20, 46


def results_svg(entries: Sequence[Entry]) -> str:
    """A figure of the normalized scores with their intervals, as SVG."""
    panels = by_task(entries)
    ends = [_ends(_scale(entry), 99) for own in panels.values() for entry in own]
    low = min([-0.1, *(end[0] for end in ends)])
    high = max([1.1, *(end[1] for end in ends)])

    def x(value: float) -> float:
        return round(_LEFT + _WIDTH * (value - low) / (high - low), 1)

    parts, top = list[str](), 10
    for task, own in panels.items():
        bottom = top + 24 + _ROW * len(own)
        parts.append(f'<text x="8" y="{top + 14}" class="task">{escape(task.short)}</text>')
        for value, name in ((0, "random"), (1, task.reference)):
            parts.append(f'<line x1="{x(value)}" x2="{x(value)}" y1="{top + 20}" y2="{bottom}" class="anchor"/>')
            parts.append(f'<text x="{x(value)}" y="{top + 14}" class="mark">{name}</text>')
        for number, entry in enumerate(own):
            y = top + 24 + _ROW * number + _ROW // 2
            figure = _scale(entry)
            parts.append(f'<text x="{_LEFT - 12}" y="{y + 4}" class="name">{escape(entry.name)}</text>')
            for level, style in ((99, "thin"), (95, "thick")):
                first, last = (x(end) for end in _ends(figure, level))
                parts.append(f'<line x1="{first}" x2="{last}" y1="{y}" y2="{y}" class="{style}"/>')
            parts.append(f'<circle cx="{x(figure["mean"])}" cy="{y}" r="3"/>')
        top = bottom + _PANEL - 24
    height, width = top, _LEFT + _WIDTH + 20
    style = (
        "text{font:12px sans-serif;fill:#222}.task{font-weight:bold}.name{text-anchor:end}"
        ".mark{text-anchor:middle;fill:#666}.anchor{stroke:#bbb;stroke-dasharray:3 3}"
        ".thick{stroke:#00796b;stroke-width:5}.thin{stroke:#00796b;stroke-width:1.5}circle{fill:#004d40}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>Normalised scores with intervals at 95 and 99 %</title><style>{style}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _ends(figure: Mapping[str, Any], level: int) -> tuple[float, float]:
    half = figure[f"half_width_{level}"]
    return figure["mean"] - half, figure["mean"] + half
