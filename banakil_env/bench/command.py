"""The command `banakil bench`: measures every row that can be measured on this machine, prints the table, writes it."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from banakil_env.bench import masks, own, parts, peers, plugins, threads
from banakil_env.bench.measure import Plan, Row, Task
from banakil_env.core.game import Game
from banakil_env.core.release import version_of
from banakil_env.core.terminal import leave, say
from banakil_env.games import DEFAULT_GAME, GAMES, find

GROUPS = ("engine", "batch", "single", "training", "state", "start", "threads", "parts", "masks", "peers")


def bench(
    game: Annotated[str, typer.Option(help="which game; all: every one of them")] = DEFAULT_GAME,
    quick: Annotated[bool, typer.Option("--quick", help="shorter runs and fewer rows")] = False,
    only: Annotated[
        list[str] | None, typer.Option(help="rows whose group or name contains this; given twice: either of them")
    ] = None,
    other: Annotated[bool, typer.Option("--plugins", help="the interfaces of other libraries, docs/plugins/")] = False,
    runs: Annotated[int, typer.Option(help="runs of each row; 0: 5, or 3 with --quick", min=0, max=1000)] = 0,
    seconds: Annotated[
        float, typer.Option(help="seconds of each run; 0: 1, or 0.3 with --quick", min=0, max=600)
    ] = 0.0,
    positions: Annotated[int, typer.Option(help="whose masks are timed, for each player", min=0, max=10**8)] = 0,
    json_file: Annotated[Path | None, typer.Option("--json", help="write the figures into this file")] = None,
    picture: Annotated[Path | None, typer.Option(help="draw them into this file (.png, .svg)")] = None,
    gin_python: Annotated[
        Path | None, typer.Option(help="a Python with requirements-peers-gin.txt, for PettingZoo 1.26's gin rummy")
    ] = None,
) -> None:
    """Measure steps per second of every interface, and of comparable environments that are installed."""
    plan = Plan(runs or (3 if quick else 5), seconds or (0.3 if quick else 1.0), quick)
    console = Console()
    try:
        games = [find(name) for name in (GAMES if game == "all" else [game])]
    except ValueError as error:
        leave(f"banakil bench: {error}, and all")
    all_tasks, missing = plugins.tasks(games[0]) if other else (_tasks(games, quick, positions, gin_python), [])
    parts_of_names = [part.lower() for part in only or [""]]
    chosen = [task for task in all_tasks if any(part in f"{task.group} {task.name}".lower() for part in parts_of_names)]
    if not chosen and not missing:
        leave(f"no row contains {' or '.join(map(repr, only or []))}; groups are {', '.join(GROUPS)}")
    rows = []
    with console.status("") as status:
        for task in chosen:
            status.update(f"{task.group}: {task.name}")
            try:
                rows.append(task.run(plan))
            except Exception as error:  # a release of a library that does not fit; the other rows are still useful
                if task.group not in ("peers", plugins.SECTION):
                    raise
                missing.append(f"{task.name}: {error!r}")
    if rows:
        _show(console, rows)
    for line in missing:
        say(f"not measured: {line}", console)
    if json_file is not None:
        json_file.write_text(json.dumps({"machine": machine(), "rows": [row.as_dict() for row in rows]}, indent=1))
    if picture is not None:
        from banakil_env.bench.picture import draw

        draw(rows, picture)


def _tasks(games: list[Game], quick: bool, positions: int, gin_python: Path | None) -> list[Task]:
    """The rows of each game, then the rows that depend on no game.

    With several games, a row contains its game's name.
    """
    found = []
    for game in games:
        rows = [*own.tasks(game, quick), *parts.tasks(game, quick), *masks.tasks(game, quick, positions)]
        found += [replace(row, name=f"{game.name}, {row.name}") for row in rows] if len(games) > 1 else rows
    return [*found, *threads.tasks(games[0]), *peers.tasks(quick, gin_python)]


def machine() -> dict[str, Any]:
    """The machine and the versions of the software, as stored with the figures."""
    return {
        "processor": platform.processor() or platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "numba": version_of("numba"),
        "numpy": np.__version__,
    }


def _show(console: Console, rows: list[Row]) -> None:
    """Print the table, and below it the unit of each row."""
    table = Table(title="medians, lowest and highest run")
    for title in ("what", "median", "lowest", "highest", ""):
        figure = title not in ("what", "")
        table.add_column(title, justify="right" if figure else "left", no_wrap=figure, overflow="fold")
    works = list(dict.fromkeys(row.work for row in rows))
    group = ""
    for row in rows:
        if row.group != group:
            table.add_section()
            group = row.group
        low, high = (_number(min(row.values)), _number(max(row.values))) if len(row.values) > 1 else ("", "")
        note = f"[dim]({works.index(row.work) + 1})[/dim]"
        table.add_row(f"{row.group}: {row.name}", f"{_number(row.median)}{row.unit}", low, high, note)
    console.print(table)
    for i, work in enumerate(works, 1):
        console.print(f"[dim]({i}) {work}[/dim]")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
