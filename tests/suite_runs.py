"""Runs of the suite for tests, and forgeries of them: a file is opened, changed, and made consistent again."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.suite.claims import command_of
from banakil_env.suite.figures import figures, filled, results_of
from banakil_env.suite.file import RunFile, read_run, root_of_all, root_of_match
from banakil_env.suite.run import RunOptions, run_task
from banakil_env.suite.tasks import find_task

TASK = "gin-2p-v1"
DEALS = 12

Tables = list[dict[str, Any]]


class Fickle:
    """Plays the first legal action; after `calls` calls in a process the last one."""

    def __init__(self, calls: int = 10**9, name: str = "fickle") -> None:
        self.name, self._calls, self._count = name, calls, 0

    def identity(self) -> Any:
        from banakil_env.arena import Identity

        return Identity("fickle", {"code": "0" * 64})

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        self._count += 1
        if self._count <= self._calls:
            return masks.argmax(1)
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)


class Clumsy:
    """Plays the first legal action, and raises now and then: what it sees decides."""

    name = "clumsy"

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        if np.any(dice % 97 == 0):
            raise RuntimeError("stumbled")
        return masks.argmax(1)


def short_run(folder: Path, player: Any = "greedy", task: str = TASK, **options: Any) -> Path:
    """The file of a short run without the zoo's agent."""
    path = folder / "run.zip"
    options = {"deals": DEALS, "without_zoo": True, "isolate": False, **options}
    run_task(find_task(task), player, path, RunOptions(**options))
    return path


def forged(
    path: Path,
    change: Callable[[RunFile, dict[str, list[Tables]]], None],
    *,
    roots: bool = True,
    new_figures: bool = True,
    new_command: bool = True,
    renumbered: bool = True,
) -> Path:
    """A changed copy of a run, in the same folder.

    Args:
        change: is given the file and the tables of every match, deal by deal, and changes them.
        roots, new_figures, new_command: make them those of the changed records, as a careful forger does.
        renumbered: number the deals from 0 on.
    """
    run = copy.deepcopy(read_run(path))
    deals = {name: [json.loads(line) for line in lines] for name, lines in run.lines.items()}
    tables = {name: [deal["tables"] for deal in of] for name, of in deals.items()}
    numbers = {id(deal["tables"]): deal["deal"] for of in deals.values() for deal in of}
    change(run, tables)
    run.lines = {
        name: [
            json.dumps({"deal": n if renumbered else numbers[id(each)], "tables": each}, separators=(",", ":"))
            for n, each in enumerate(of)
        ]
        for name, of in tables.items()
    }
    said = run.manifest
    if roots:
        found = {name: root_of_match(name, lines) for name, lines in run.lines.items()}
        said["matches"] = {name: {"deals": len(run.lines[name]), "root": root} for name, root in found.items()}
        said["root"] = root_of_all(found)
    if new_figures:
        task = find_task(said["task"].partition("+")[0])
        played = {
            name: results_of(task, name, [[filled(table, 2) for table in each] for each in of])
            for name, of in tables.items()
        }
        said["figures"] = figures(task, played)
    if new_command:
        count = len(tables["random"]) if said["short"] else None
        task = find_task(said["task"].partition("+")[0])
        said["command"] = command_of(task, said["player"]["name"], said["deals"]["part"], count, tuple(run.lines))
    out = path.with_name("forged.zip")
    run.write(out)
    return out
