"""Computes the figures of a run, its leads over the anchors and its normalized score, and decides when a match ends.

The anchors are the opponents that the task fixes. All figures are computed from the records of the run, so a reader of
the file can compute them again. They are rounded to six decimals, since another processor can add numbers in another
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.arena.outcomes import Outcomes
from banakil_env.arena.results import Results
from banakil_env.arena.statistics import Interval, interval, interval_of_ratio
from banakil_env.suite.tasks import BASELINE, LEVELS, Task

DECIMALS = 6
NO_KEY = "00" * 32  # a placeholder: figures do not depend on the key of the deals


def results_of(task: Task, match: str, deals: Sequence[Outcomes]) -> Results:
    """The results of one match of a run."""
    results = Results(task.plan(match, NO_KEY))
    for tables in deals:
        results.add(tables)
    return results


def filled(table: Mapping[str, Any], present: int) -> dict[str, Any]:
    """A recorded table with empty values for everything that the arena's figures do not need.

    Args:
        table: the recorded table.
        present: the number of players at it.
    """
    failed = table["failed"]
    if isinstance(failed, dict):
        failed = {**failed, "file": None, "line": None}
    kept = {name: table[name] for name in ("points", "ending", "winner")}
    empty = {"marks": [], "turns": 0, "rounds": 0, "decisions": [0] * present, "seconds": [0] * present}
    return kept | empty | {"failed": failed}


def enough(results: Results, most: int) -> int | None:
    """The number of deals after which the match ends, at most `most`; None if it continues."""
    plan, margins = results.plan, results.margins()[:, 0]
    for look in plan.looks():
        if look >= most or look > len(margins):
            return most if len(margins) >= most else None
        if plan.width is not None and interval(margins[:look], plan.level).half_width <= plan.width:
            return look
    return None


def figures(task: Task, played: Mapping[str, Results]) -> dict[str, Any]:
    """The figures of a run, in the form of its file.

    Args:
        task: the task.
        played: the results of every match of the run.
    """
    anchors = {name: _against(results) for name, results in played.items() if name != BASELINE}
    return {"anchors": anchors, "normalised": _normalised(task, played)}


def _against(results: Results) -> dict[str, Any]:
    """The figures of one match: the player's lead in points per deal, the share of tables won, failures."""
    player, anchor = results.plan.players
    margins = results.margins()[:, 0]
    failures = [failure["player"] for failure in results.failures()]
    return {
        "deals": len(results.deals),
        "points": _numbers([interval(margins, level) for level in LEVELS]),
        "win": _numbers([results.win(player, anchor)]),
        "failures": failures.count(player),
    }


def _normalised(task: Task, played: Mapping[str, Results]) -> dict[str, Any]:
    """The normalized score: points against the reference, on a scale from `random` (0) to the reference (1)."""
    own, least = played[task.reference].margins()[:, 0], played[BASELINE].margins()[:, 0]
    if least.mean() >= 0:  # there are too few deals to separate `random` from the reference
        return {"reference": task.reference, "mean": None}
    ratios = [interval_of_ratio(own, least, level) for level in LEVELS]
    said = _numbers([Interval(1 - ratio.mean, ratio.half_width, ratio.deals) for ratio in ratios])
    return {"reference": task.reference} | said


def _numbers(intervals: Sequence[Interval]) -> dict[str, float]:
    """A mean and its half widths at the levels, as values for JSON."""
    said = {"mean": round(intervals[0].mean, DECIMALS) + 0.0}
    for level, each in zip(LEVELS, intervals):
        said[f"half_width_{level * 100:.0f}"] = round(each.half_width, DECIMALS)
    return said
