"""The tasks of the suite and its standing results, from their files."""

from __future__ import annotations

from banakil_env.arena.generations import newest
from banakil_env.core.markdown import markdown_table
from banakil_env.suite.agents import read_seeds, seeds_text
from banakil_env.suite.answers import answers_text, read_answers
from banakil_env.suite.confirm import second_runs, second_text
from banakil_env.suite.standing import Entry, read_entries, results_text
from banakil_env.suite.tasks import DIGITS, tasks, tasks_of
from page_parts import ROOT
from page_parts.figures import ZOO, by_pair, lead_of_agent


def entries() -> list[Entry]:
    """The standing results of the suite."""
    return read_entries(ROOT / "suite" / "results")


def standing_table() -> str:
    """The tables of verified runs, from their files.

    A list of those agents of the zoo that are not the newest comes first.
    """
    rows: list[list[object]] = []
    measured = by_pair()
    for entry in entries():
        at = entry.run.manifest["player"]["name"].removeprefix("zoo:")
        latest, found = newest(ZOO, at), lead_of_agent(measured, at, "expert")
        if latest is not None and found is not None and latest.name != at:
            lead, half = found
            rows.append([entry.task, f"`{at}`", f"`{latest.name}`", f"{lead:+.2f} ± {half:.2f}"])
    heads = ["task", "agent of the run", "newest agent", "the newest, ahead of `expert` (95 %)"]
    return f"{markdown_table(heads, rows)}\n\n{results_text(entries())}"


def second_table() -> str:
    """A Markdown table that compares the standing results with second runs on other public deals."""
    return second_text(second_runs(entries(), ROOT / "suite" / "second"))


def seeds_table() -> str:
    """Tables of algorithms measured over several training seeds."""
    return seeds_text(read_seeds(ROOT / "suite" / "seeds"))


def protocol_tables() -> str:
    """The protocols of the suite with their standing answers."""
    return answers_text(read_answers(ROOT / "suite" / "protocols"))


def task_table() -> str:
    """A Markdown table of all tasks of the suite: their card tables, opponents and limits."""
    rows: list[list[object]] = []
    for task in tasks().values():
        said = dict(task.options)
        partners = {True: ", partners", False: ", individuals", None: ""}[said.get("partners")]
        where = f"{said['num_players']} players{partners}, {said['rules']}, {said['episode']}"
        core = "yes" if task in tasks_of("rummy-core") else ""
        anchors = ", ".join(f"`{anchor}`" for anchor in task.anchors)
        width = f"{task.width:g}"
        rows.append([f"`{task.short}`", f"`{task.digest[:DIGITS]}`", where, anchors, width, f"{task.forfeit:,}", core])
    return markdown_table(["task", "digest", "table", "anchors", "± points", "forfeit", "small set"], rows)
