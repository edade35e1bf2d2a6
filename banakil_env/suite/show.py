"""Shows a run: its figures as a table, and each of its games as a record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from banakil_env.arena.frames import frame_of
from banakil_env.arena.tables import Table, play_tables
from banakil_env.core.terminal import in_line
from banakil_env.suite.deals import PARTS, SEALED, key_of_task, published_key
from banakil_env.suite.figures import NO_KEY, filled, results_of
from banakil_env.suite.file import RunFile, RunFileError, parse_line
from banakil_env.suite.replay import action_numbers, script_for
from banakil_env.suite.tasks import TaskError, find_task

_NOT_KEPT = ("turns", "rounds", "decisions", "seconds")  # columns of a table that the file of a run does not have


def run_text(run: RunFile) -> str:
    """The figures of a run, in a few lines."""
    said = run.manifest
    try:
        lines = [f"{said['task']}  {said['player']['name']}  {said['player']['digest'][:12]}  {_deals(said)}"]
        for anchor, figure in said["figures"]["anchors"].items():
            points, failures = _interval(figure["points"]), figure["failures"]
            failed = f", failed at {failures} tables" if failures else ""
            lines.append(
                f"  against {anchor:8} {points} points per deal ({figure['deals']} deals), wins "
                f"{figure['win']['mean']:.1%}{failed}"
            )
        scale = said["figures"]["normalised"]
        value = "not to be told from so few deals" if scale["mean"] is None else _interval(scale)
        lines.append(f"  normalised       {value} (random is 0, {scale['reference']} is 1)")
        seconds = seconds_of_player(run.machine)
        lines += [f"  time a decision  {seconds * 1000:.2f} ms"] if seconds is not None else []
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunFileError(f"the file says no figures that can be shown: {error!r:.200}") from None
    return "\n".join(map(in_line, lines))


def seconds_of_player(machine: Mapping[str, Any]) -> float | None:
    """The player's mean time per decision in seconds, in the match where it is longest; None if unknown."""
    by_match = machine.get("seconds_per_decision")
    if not isinstance(by_match, dict):
        return None
    found = [of.get("player") for of in by_match.values() if isinstance(of, dict)]
    numbers = [float(value) for value in found if isinstance(value, (int, float)) and 0 <= value < math.inf]
    return max(numbers, default=None)


def _deals(said: Mapping[str, Any]) -> str:
    short = ", a short run" if said["short"] else ""
    return f"{said['deals']['part']} deals{short}"


def _interval(said: Mapping[str, Any]) -> str:
    return f"{said['mean']:+.2f} ± {said['half_width_95']:.2f}"


def rows_of_run(run: RunFile) -> list[dict[str, Any]]:
    """The tables of a run as rows, see `frame_of_run`. Raises RunFileError if a record is damaged."""
    task, found = find_task(str(run.manifest.get("task"))), list[dict[str, Any]]()
    for match, lines in run.lines.items():
        plan = task.plan(match, NO_KEY)
        present = [len(set(table.seats)) for table in plan.tables([0])]
        deals = []
        for number, line in enumerate(lines):
            try:
                tables = parse_line(line)[1]
            except ValueError as error:
                raise RunFileError(f"match {match}, deal {number} is not a record: {error}") from None
            deals.append([filled(table, count) for table, count in zip(tables, present)])
        for row in results_of(task, match, deals).rows():
            found.append({"match": match} | {name: value for name, value in row.items() if name not in _NOT_KEPT})
    return found


def frame_of_run(run: RunFile) -> Any:
    """The tables of a run as a `pandas.DataFrame`: one row for each player at each table of each match.

    The columns are those of `Results.frame("tables")` and the match, without columns that a run does not store.

    Raises:
        ImportError: pandas is not installed (the extra `frames`).
        RunFileError: a record is damaged.
    """
    return frame_of(rows_of_run(run))


def game_text(run: RunFile, match: str, deal: int, table: int, key: str | None = None) -> str:
    """One game of a run as a record. Raises TaskError or RunFileError, with the reason, if this is not possible."""
    task = find_task(str(run.manifest.get("task")))
    if match not in run.lines:
        raise TaskError(f"there is no match {match!r:.40} in the run: there are {', '.join(run.lines)}")
    if not 0 <= deal < len(run.lines[match]):
        raise TaskError(f"the deals of the match {match} go from 0 to {len(run.lines[match]) - 1}, not {deal}")
    part = run.manifest.get("deals", {}).get("part")
    if part not in PARTS or (part == SEALED and key is None):
        raise TaskError("the deals are sealed: name the file of their key, --key FILE")
    plan = task.plan(match, key_of_task(key if part == SEALED and key else published_key(part), task))
    try:
        tables = parse_line(run.lines[match][deal])[1]
    except ValueError as error:
        raise RunFileError(f"match {match}, deal {deal} is not a record: {error}") from None
    if not 0 <= table < len(tables):
        raise TaskError(f"the tables of a deal go from 0 to {len(tables) - 1}, not {table}")
    seats: list[Table] = [plan.tables([deal])[table]]
    actions = action_numbers(task.found)
    texts = [text for text in tables[table]["moves"].split("; ") if text]
    if unknown := [text for text in texts if text not in actions]:
        raise RunFileError(f"{unknown[0]!r:.60} is not an action of {task.game}")
    scripts, book = script_for(plan, seats, [[actions[text] for text in texts]])
    outcome = play_tables(scripts, plan.players, seats, plan.settings(record=True), witness=book)[0]
    record: str = outcome["record"]
    return record
