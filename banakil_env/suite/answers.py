"""Reads answers to protocols, computes their figures from their rows, and writes the page of all standing answers."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.statistics import Interval, interval, interval_of_ratio
from banakil_env.core.files import parse_json, read_within
from banakil_env.core.markdown import markdown_table
from banakil_env.suite.figures import DECIMALS
from banakil_env.suite.learned import learned_text
from banakil_env.suite.protocols import (
    COST,
    LEFT_OUT,
    PARTNERS,
    SOLVED,
    TRANSFER,
    Protocol,
    find_protocol,
    protocols,
    table_text,
)
from banakil_env.suite.tasks import LEVELS, PLAYER, RANDOM, TaskError

FORMAT = "banakil-protocol 1"
MOST_BYTES = 1 << 26  # bytes of a file; the rows of the longest standing answer take a hundredth of this
ITSELF = "itself"  # the name of the partner if the partner is another copy of the player
SAID = {
    *("format", "protocol", "definition", "player", "command", "package", "deals", "short", "rows", "figures"),
    "machine",
}

Floats = npt.NDArray[np.float64]


def figures_of(protocol: Protocol, rows: Mapping[str, Any]) -> dict[str, Any]:
    """Compute the figures of an answer from its rows."""
    return _FIGURES[protocol.kind](rows)


def _transfer_figures(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Normalized scores by table, their means, and the gap: held-out minus training.

    Every table has different deals, so the errors of tables are independent.
    """
    said: dict[str, Any] = {}
    means = {}
    for part in ("training", "held_out"):
        tables = rows[part]
        scores = [[_normalised(table, level) for table in tables] for level in LEVELS]
        said[part] = [
            {"points": _numbers([interval(table[PLAYER], level) for level in LEVELS]), "normalised": _numbers(of)}
            for table, of in zip(tables, zip(*scores))
        ]
        means[part] = [_mean(of_level) for of_level in scores]
        said[f"mean_{part}"] = _numbers(means[part])
    said["gap"] = _numbers([_difference(new, old) for new, old in zip(means["held_out"], means["training"])])
    return said


def _normalised(table: Mapping[str, Any], level: float) -> Interval:
    """The normalized score at a table, where `random` is 0 and the reference 1, both on the same deals."""
    ratio = interval_of_ratio(table[PLAYER], table[RANDOM], level)
    return Interval(1 - ratio.mean, ratio.half_width, ratio.deals)


def _mean(found: Sequence[Interval]) -> Interval:
    """The mean of independent figures, with its interval."""
    half_width = math.sqrt(sum(each.half_width**2 for each in found)) / len(found)
    return Interval(sum(each.mean for each in found) / len(found), half_width, sum(each.deals for each in found))


def _difference(one: Interval, other: Interval) -> Interval:
    """The first of two independent figures minus the second, with its interval."""
    return Interval(one.mean - other.mean, math.hypot(one.half_width, other.half_width), min(one.deals, other.deals))


def _partner_figures(rows: Mapping[str, Any]) -> dict[str, Any]:
    """The means and intervals of the points ahead, in three groups.

    Returns:
        partners: for each partner.
        unmet: over all partners except a copy of the player.
        gap: `unmet` minus the points with a copy of the player.
    """
    itself = np.array(rows[ITSELF])
    unmet = np.mean([of for name, of in rows.items() if name != ITSELF], 0)
    by_partner = {name: _intervals(np.array(of)) for name, of in rows.items()}
    return {"partners": by_partner, "unmet": _intervals(unmet), "gap": _intervals(unmet - itself)}


def _solved_figures(rows: Mapping[str, Any]) -> dict[str, Any]:
    """The exploitability, computed from the player's points against its best response in each seat."""
    return {"exploitability": rounded(-sum(rows["worst"]) / 2)}


def _cost_figures(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Points ahead of `random`, and these points per unit of training cost."""
    decisions, seconds, cpu_seconds = rows["curve"][-1]
    points = np.array(rows[PLAYER])
    return {
        "points": _intervals(points),
        "decisions": decisions,
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "decisions_per_cpu_second": rounded(decisions / cpu_seconds),
        "points_per_million_decisions": _intervals(points / (decisions / 1e6)),
        "points_per_cpu_minute": _intervals(points / (cpu_seconds / 60)),
    }


def _left_out_figures(rows: Mapping[str, Any]) -> dict[str, Any]:
    """The normalized score after each number of training decisions at the game."""
    agents, least = rows["agents"], rows[RANDOM]
    return {
        "normalised": {
            decisions: _numbers([_normalised({PLAYER: agents[decisions], RANDOM: least}, level) for level in LEVELS])
            for decisions in rows["learned"]
        }
    }


_FIGURES: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    TRANSFER: _transfer_figures,
    PARTNERS: _partner_figures,
    SOLVED: _solved_figures,
    COST: _cost_figures,
    LEFT_OUT: _left_out_figures,
}


def _intervals(values: Floats) -> dict[str, float]:
    return _numbers([interval(values, level) for level in LEVELS])


def _numbers(found: Sequence[Interval]) -> dict[str, float]:
    """A mean and its half widths at the levels, as values for JSON."""
    said = {"mean": rounded(found[0].mean)}
    return said | {f"half_width_{level * 100:.0f}": rounded(of.half_width) for level, of in zip(LEVELS, found)}


def rounded(number: float) -> float:
    """A number rounded for files, since another processor can add numbers in another order."""
    return round(float(number), DECIMALS) + 0.0


# Standing answers -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """A stored answer.

    Attributes:
        file: its path.
        protocol: the protocol that it answers.
        said: the content of the file.
    """

    file: Path
    protocol: Protocol
    said: Mapping[str, Any]

    @property
    def player(self) -> str:
        """The name of the player."""
        return str(self.said["player"]["name"])

    @property
    def figures(self) -> Mapping[str, Any]:
        """The figures computed from the rows."""
        found: Mapping[str, Any] = self.said["figures"]
        return found


def read_answer(path: Path) -> Answer:
    """Read the answer in a file.

    Raises TaskError if the file is not an answer to a protocol, or its figures do not follow from its rows.
    """
    try:
        said = parse_json(read_within(path, MOST_BYTES).decode())
    except (OSError, ValueError) as error:
        raise TaskError(f"{path} cannot be read: {error}") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT or said.keys() != SAID:
        raise TaskError(
            f"{path} is not an answer to a protocol: `banakil suite ask PROTOCOL PLAYER --out FILE` makes one"
        )
    protocol = find_protocol(str(said["protocol"]))
    try:
        figures = figures_of(protocol, said["rows"])
    except (LookupError, ArithmeticError, TypeError, ValueError, AttributeError) as error:
        raise TaskError(f"the rows of {path} are not those of {protocol.name}: {error!r:.100}") from None
    if figures != said["figures"] or said["definition"] != protocol.definition():
        raise TaskError(f"the figures or the protocol in {path} do not follow from its rows and its name")
    return Answer(path, protocol, said)


def read_answers(folder: Path) -> list[Answer]:
    """Read all standing answers, `PROTOCOL/NAME.json`. Raises TaskError, with the reason, if one is not acceptable."""
    found = [read_answer(path) for path in sorted(folder.glob("*/*.json"))]
    for each in found:
        if each.said["short"] or each.file.parent.name != each.protocol.name:
            raise TaskError(f"{each.file} is not a standing answer: it has to be whole, in the folder of its protocol")
    return found


def answers_text(answers: Sequence[Answer]) -> str:
    """A section for each protocol, with a row for each answer, in Markdown; one common section for left-out games."""
    parts = []
    for protocol in protocols().values():
        if protocol.kind == LEFT_OUT:
            continue
        own = [each for each in answers if each.protocol.name == protocol.name]
        parts.append(f"### {protocol.name}\n\n*{protocol.question}* `{protocol.id}`")
        parts.append(
            _table_text(protocol, own)
            if own
            else _wrapped(f"{_ABOUT[protocol.kind](protocol)} No standing answer yet.")
        )
    return "\n\n".join([*parts, _left_out_text(answers)])


def _left_out_text(answers: Sequence[Answer]) -> str:
    """One section for all protocols about left-out games."""
    asked = [protocol for protocol in protocols().values() if protocol.kind == LEFT_OUT]
    found = [each for protocol in asked for each in answers if each.protocol.name == protocol.name]
    answered = {each.protocol.name for each in found}
    parts = [
        "### One game left out",
        "*How well does an agent that has learned other games play a game, before and after it learns it?*",
        _table_text(found[0].protocol, found) if found else "",
        _wrapped(f"The protocols are {', '.join(f'`{each.id}`' for each in asked)}."),
        _wrapped(
            "No standing answer yet: " + ", ".join(f"`{each.name}`" for each in asked if each.name not in answered)
        )
        if len(answered) < len(asked)
        else "",
    ]
    return "\n\n".join(filter(None, parts))


def _table_text(protocol: Protocol, answers: Sequence[Answer]) -> str:
    head, rows, note = _TABLES[protocol.kind](protocol, answers)
    return f"{markdown_table([*head, 'command'], rows)}\n\n{_wrapped(note)}"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def figures_text(answer: Answer) -> str:
    """The figures of one answer, one per line."""
    head, [row], note = _TABLES[answer.protocol.kind](answer.protocol, [answer])
    short = "  a short run" if answer.said["short"] else ""
    lines = [
        f"{answer.protocol.id}  {answer.player}{short}",
        *(f"  {what}: {said}" for what, said in zip(head[1:], row[1:]) if said),
    ]
    return "\n".join([*lines, f"  {note}"])


_Table = tuple[list[str], list[list[str]], str]


def _row(answer: Answer, *cells: str) -> list[str]:
    return [f"`{answer.player}`", *cells, f"`{answer.said['command']}`"]


def _about_transfer(protocol: Protocol) -> str:
    trained, new = (
        "; ".join(f"`{table_text(protocol.game, table)}`" for table in tables)
        for tables in (protocol.training, protocol.held_out)
    )
    return f"Training: {trained}. Held out: {new}. {protocol.deals} deals per table against `{protocol.reference}`."


def _transfer_table(protocol: Protocol, answers: Sequence[Answer]) -> _Table:
    head = ["player", "at tables of training", "held out", "gap", "each held-out table"]
    ranked = sorted(answers, key=lambda each: -each.figures["mean_held_out"]["mean"])
    rows = []
    for each in ranked:
        said = each.figures
        tables = "; ".join(_said(table["normalised"], 3) for table in said["held_out"])
        rows.append(_row(each, *(_said(said[of], 3) for of in ("mean_training", "mean_held_out", "gap")), tables))
    return head, rows, _about_transfer(protocol)


def _about_partners(protocol: Protocol) -> str:
    assert protocol.table is not None
    return (
        f"`{table_text(protocol.game, protocol.table)}`; {protocol.deals} deals, each in four seatings, against two "
        f"`{protocol.reference}`."
    )


def _partner_table(protocol: Protocol, answers: Sequence[Answer]) -> _Table:
    head = ["player", "unmet partners", "with itself", "gap", *(f"with `{name}`" for name in protocol.partners)]
    rows = []
    for each in sorted(answers, key=lambda each: -each.figures["unmet"]["mean"]):
        said, of = each.figures, each.figures["partners"]
        cells = [_said(said["unmet"], 1), _said(of[ITSELF], 1), _said(said["gap"], 1)]
        rows.append(_row(each, *cells, *(_said(of[name], 1) if name in of else "" for name in protocol.partners)))
    return head, rows, _about_partners(protocol)


def _solved_table(protocol: Protocol, answers: Sequence[Answer]) -> _Table:
    head = ["player", "exploitability", "worst case in the first seat", "in the second"]
    rows = [
        _row(each, f"{each.figures['exploitability']:z.3f}", *(f"{worst:z.3f}" for worst in each.said["rows"]["worst"]))
        for each in sorted(answers, key=lambda each: each.figures["exploitability"])
    ]
    solved = answers[0].said["rows"]
    reached = ", ".join(f"{off:z.4f} after {count}" for count, off in solved["cfr"].items())
    value = " and ".join(f"{bound:z.3f}" for bound in solved["value"])
    note = (
        f"{solved['deals']:,} deals, {solved['nodes']:,} nodes. The game is worth between {value} points to the first "
        f"seat. CFR+ is exploitable by {reached} iterations."
    )
    return head, rows, note


def _about_cost(protocol: Protocol) -> str:
    assert protocol.table is not None
    return f"`{table_text(protocol.game, protocol.table)}`; {protocol.deals} deals against `random`."


def _cost_table(protocol: Protocol, answers: Sequence[Answer]) -> _Table:
    head = [
        "player",
        "points over `random`",
        "decisions",
        "processor",
        "decisions per second",
        "points per million",
        "per minute",
    ]
    rows = []
    for each in sorted(answers, key=lambda each: -each.figures["points_per_cpu_minute"]["mean"]):
        said = each.figures
        cells = [f"{said['decisions']:,}", f"{said['cpu_seconds']:.0f} s", f"{said['decisions_per_cpu_second']:,.0f}"]
        costs = [_said(said[f"points_per_{what}"], 2) for what in ("million_decisions", "cpu_minute")]
        rows.append(_row(each, _said(said["points"], 2), *cells, *costs))
    return head, rows, f"{_about_cost(protocol)} Seconds and minutes are those of a processor, over all threads."


def _left_out_table(protocol: Protocol, answers: Sequence[Answer]) -> _Table:
    """A table of the answers to protocols about left-out games that measure after the same numbers of decisions."""
    points = [str(each) for each in protocol.decisions]
    head = ["player", "game", "learned before", *(f"after {each:,}" for each in protocol.decisions)]
    rows = []
    for each in answers:
        scores, learned = each.figures["normalised"], each.said["rows"]["learned"]
        runs = learned[max(learned, key=int)]
        cells = [_said(scores[point], 3) if point in scores else "" for point in points]
        rows.append(_row(each, each.protocol.found.title, learned_text(runs, each.protocol.game), *cells))
    return head, rows, _about_left_out(protocol)


def _about_left_out(protocol: Protocol) -> str:
    return (
        f"Normalised scores at the main table of the game, after decisions there; {protocol.deals} deals against "
        f"`{protocol.reference}`."
    )


_TABLES: Mapping[str, Callable[[Protocol, Sequence[Answer]], _Table]] = {
    TRANSFER: _transfer_table,
    PARTNERS: _partner_table,
    SOLVED: _solved_table,
    COST: _cost_table,
    LEFT_OUT: _left_out_table,
}
_ABOUT: Mapping[str, Callable[[Protocol], str]] = {
    TRANSFER: _about_transfer,
    PARTNERS: _about_partners,
    SOLVED: lambda protocol: "All deals of a small game.",
    COST: _about_cost,
    LEFT_OUT: _about_left_out,
}


def _said(figure: Mapping[str, Any], digits: int) -> str:
    mean, half = figure["mean"], figure["half_width_95"]
    return f"{mean:+z.{digits}f} ± {half:.{digits}f}".replace("-", "−")
