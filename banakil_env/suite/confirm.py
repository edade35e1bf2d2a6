"""Compares a result with a second run on other deals: each figure of the two runs, their difference, and its interval.

Both files must be *reported* (`suite.verify`): edited figures, and deals from another key than that of their part,
raise an error.

The deals of the two runs are drawn independently, so the half width of the difference is the root of the sum of the two
squares. If the true values are equal, one difference in twenty is still outside its 95 % interval.

The folder `suite/second` has second runs of the standing results, as manifests without records. The command in a
manifest makes the records again, and its root verifies them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from banakil_env.core.files import parse_json, read_within
from banakil_env.core.markdown import markdown_table
from banakil_env.suite.claims import Manifest, VerifyError, called, check_claims, check_figures_said, is_same_player
from banakil_env.suite.deals import SEALED, SECOND, commitment
from banakil_env.suite.file import MOST_OF_OBJECT
from banakil_env.suite.standing import Entry, by_task
from banakil_env.suite.tasks import RANDOM, TaskError
from banakil_env.suite.verify import reported


@dataclass(frozen=True)
class Pair:
    """A figure of two runs: points per deal ahead of an anchor, an opponent that the task fixes.

    Attributes:
        anchor: the name of the anchor.
        first: the figure of the first run, as in a manifest.
        second: the figure of the second run.
    """

    anchor: str
    first: Mapping[str, float]
    second: Mapping[str, float]

    @property
    def difference(self) -> float:
        """The second figure minus the first, in points."""
        return self.second["mean"] - self.first["mean"]

    def half_width(self, level: int = 95) -> float:
        """The half width of the interval of the difference, in points; `level` is 95 or 99 (per cent)."""
        name = f"half_width_{level}"
        return math.hypot(self.first[name], self.second[name])

    def within(self, level: int = 95) -> bool:
        """Whether the two figures agree: the interval of the difference contains 0."""
        return abs(self.difference) <= self.half_width(level)


def pairs(first: Manifest, second: Manifest) -> list[Pair]:
    """The figures that two runs of one player at one task have in common, except figures that are equal on all deals.

    Raises TaskError if the runs are of different tasks or players, or on the same deals.
    """
    if first["task"] != second["task"]:
        raise TaskError(f"the two runs are of different tasks: {first['task']} and {second['task']}")
    one, other = first["player"], second["player"]
    if not is_same_player(one, other):
        raise TaskError(f"the two runs are of different players: {called(one)} and {called(other)}")
    if first["deals"]["key_sha256"] == second["deals"]["key_sha256"]:
        raise TaskError(f"both runs are on the same deals: make one with --part {SECOND}")
    anchors = [of["figures"]["anchors"] for of in (first, second)]
    common = [
        Pair(name, anchors[0][name]["points"], anchors[1][name]["points"]) for name in anchors[0] if name in anchors[1]
    ]
    return [pair for pair in common if pair.half_width()]


def confirm_text(first: Manifest, second: Manifest) -> str:
    """The comparison of two runs, one line per figure."""
    lines = [
        f"{first['task']}  {first['player']['name']}  {first['deals']['part']} and {second['deals']['part']} deals"
    ]
    for pair in pairs(first, second):
        both = f"{_points(pair.first)} and {_points(pair.second)}, difference {_ahead(pair)}"
        lines.append(f"  against {pair.anchor:8} {both}: {'within' if pair.within() else 'outside'}")
    return "\n".join(lines)


def read_pair(first: Path, second: Path, key: str | None = None) -> tuple[Manifest, Manifest]:
    """The claims of two files of runs, after a check that their records support the claims.

    Args:
        first: the first file.
        second: the second file.
        key: the key of sealed deals; None if unknown.

    Raises:
        RunFileError: a file is damaged.
        VerifyError: a file is not *reported*.
        TaskError: sealed deals come from another key.
    """
    found = []
    for path in (first, second):
        said = reported(path).manifest
        if said["deals"]["part"] == SEALED and key is not None and said["deals"]["key_sha256"] != commitment(key):
            raise TaskError(f"the sealed deals of {path} come from another key than the one given")
        found.append(said)
    return found[0], found[1]


def read_manifest(path: Path, part: str = SECOND) -> Manifest:
    """The manifest of a run, stored without its records.

    Raises TaskError if it is not the manifest of a whole run on the public part `part`.
    """
    try:
        said = parse_json(read_within(path, MOST_OF_OBJECT).decode())
    except ValueError as error:
        raise TaskError(f"{path} is not a manifest: {error}") from None
    try:
        check_claims(said if isinstance(said, dict) else {})
        check_figures_said(said)
    except VerifyError as error:
        raise TaskError(f"{path} is not a manifest of a run: {error}") from None
    if said["short"] or said["deals"]["part"] != part:
        raise TaskError(f"{path} is not of a whole run with --part {part}")
    return dict(said)


def second_runs(entries: Sequence[Entry], folder: Path) -> list[tuple[Entry, Manifest]]:
    """The standing results that were run again, each with the manifest of its second run, by task."""
    found = []
    for own in by_task(entries).values():
        for entry in own:
            path = folder / entry.name / f"{entry.task}.json"
            if path.is_file():
                found.append((entry, read_manifest(path)))
    return found


def second_text(runs: Sequence[tuple[Entry, Manifest]]) -> str:
    """A table in Markdown of each figure in both runs, with the numbers of agreements above it."""
    head = ["task", "player", "points per deal against", "public deals", "other public deals", "difference", ""]
    rows, shown = [], list[Pair]()
    for entry, second in runs:
        reference = entry.run.manifest["figures"]["normalised"]["reference"]
        for pair in pairs(entry.run.manifest, second):
            if pair.anchor in (reference, RANDOM):
                shown.append(pair)
                verdict = "within" if pair.within() else "**outside**"
                cells = [_points(pair.first), _points(pair.second), _ahead(pair), verdict]
                rows.append([f"`{entry.task}`", entry.name, f"`{pair.anchor}`", *cells])
    counts = {level: sum(pair.within(level) for pair in shown) for level in (95, 99)}
    said = (
        f"{len(shown)} figures of {len(runs)} results: {counts[95]} differences lie within their 95 % interval, "
        f"{counts[99]} within their 99 % interval."
    )
    return f"{said}\n\n{markdown_table(head, rows)}"


def _points(figure: Mapping[str, float]) -> str:
    return f"{figure['mean']:+.2f} ± {figure['half_width_95']:.2f}".replace("-", "−")


def _ahead(pair: Pair) -> str:
    return f"{pair.difference:+.2f} ± {pair.half_width():.2f}".replace("-", "−")
