"""What does `banakil arena` do? Plays a match, shows how it goes, and leaves results and a report in a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column

from banakil_env.arena.match import play_match
from banakil_env.arena.plan import Plan, labels
from banakil_env.arena.players import CompiledPlayer, Player, make_players
from banakil_env.arena.report import markdown, save, text
from banakil_env.arena.results import Results
from banakil_env.arena.seatings import PAIRS
from banakil_env.games import find

MODE = "{mode}"  # in the name of a player of the standing tables: the name of the table
STANDING_BEGIN, STANDING_END = "<!-- standing table -->", "<!-- end of the standing table -->"


def arena(
    players: Annotated[
        list[str], typer.Argument(help="two or more: random, greedy, ..., search:200ms, module:function")
    ],
    game: Annotated[str, typer.Option(help="which game; `banakil games` lists them")] = "banakil",
    num_players: Annotated[int | None, typer.Option("--players", help="how many at a table")] = None,
    partners: Annotated[bool | None, typer.Option("--partners/--individuals", help="where a game knows both")] = None,
    rules: Annotated[str | None, typer.Option(help="a preset, switches behind it: 'pagat wilds=fixed'")] = None,
    episode: Annotated[str, typer.Option(help="round or match")] = "round",
    seating: Annotated[
        str, typer.Option(help="pairs: two players at a table, every pair; mixed: a different player on every seat")
    ] = PAIRS,
    deals: Annotated[int, typer.Option(help="how many at most")] = 1000,
    width: Annotated[float | None, typer.Option(help="stop when every interval is at most ± this many points")] = None,
    level: Annotated[float, typer.Option(help="of the intervals")] = 0.95,
    budget: Annotated[float, typer.Option(help="seconds for a decision; 0 for any")] = 60.0,
    seeds: Annotated[str, typer.Option(help="the set of deals: arena-v1, or tuning-v1 while you tune")] = "arena-v1",
    processes: Annotated[int, typer.Option(help="how many play; 0: as many as there are cores")] = 0,
    ray: Annotated[bool, typer.Option("--ray", help="play on a Ray cluster; --processes of its processors")] = False,
    out: Annotated[Path | None, typer.Option(help="folder for results; a match broken off there goes on")] = None,
    records: Annotated[bool, typer.Option("--records", help="write every game down, in the folder")] = False,
    standing: Annotated[
        Path | None, typer.Option(help="play the standing tables and write them into this page")
    ] = None,
) -> None:
    """Play players against each other on duplicate deals: cross-table, rates and ratings, with intervals."""
    console = Console()
    try:
        options: dict[str, Any] = {
            "deals": deals,
            "width": width,
            "level": level,
            "budget": budget or None,
            "seed_set": seeds,
            "seating": seating,
        }
        if ray and "human" in players:
            raise ValueError("a person plays at this terminal, not on a cluster: leave out --ray")
        count = 1 if "human" in players else processes or (0 if ray else os.cpu_count() or 1)
        where = {"processes": count, "cluster": ray}
        if standing is not None:
            if failed := _write_standing(game, players, options, where, out, standing, console):
                sys.exit(_failed_text(failed))
            return
        table: dict[str, Any] = {"game": game, "num_players": num_players, "partners": partners, "rules": rules}
        table["episode"] = episode
        made = make_players(players, game)
        results = _play(
            made, Plan(labels([player.name for player in made]), **table, **options), where, out, records, console
        )
    except (ValueError, RuntimeError, OSError) as error:
        sys.exit(f"banakil arena: {error}")
    except KeyboardInterrupt:
        sys.exit("broken off" + (f"; the same command goes on from there, in {out}" if out else ""))
    show(results, console)
    try:
        written = save(results, out) if out is not None else []
    except OSError as error:
        sys.exit(f"banakil arena: the report cannot be written: {error}")
    if written:
        console.print(f"written in {out}: {', '.join(path.name for path in written)}", markup=False)
    if failed := results.failed_everywhere():
        sys.exit(_failed_text(failed))


def show(results: Results, console: Console) -> None:
    """Print the tables, as wide as the terminal."""
    console.print(text(results, console.width), markup=False, highlight=False, soft_wrap=True)


def _play(
    players: Sequence[Player],
    plan: Plan,
    where: Mapping[str, Any],
    out: Path | None,
    records: bool,
    console: Console,
) -> Results:
    columns = (
        TextColumn("deals", table_column=Column(no_wrap=True)),
        BarColumn(bar_width=12),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False, table_column=Column(overflow="fold")),
    )
    # Whoever may hang gets a process that can be ended; rule-based players do not, and a person is asked here.
    foreign = [player.name for player in players if not isinstance(player, CompiledPlayer)]
    isolate = plan.budget is not None and bool(foreign) and "human" not in foreign
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=plan.deals)
        return play_match(
            players,
            plan,
            folder=out,
            record=records,
            isolate=isolate,
            progress=lambda done, total, text: progress.update(task, completed=done, description=text),
            **where,
        )


def _of_mode(names: Sequence[str], mode: str) -> list[str]:
    """Those who sit at the table of a mode: of an agent named by MODE the one made for it, where there is one."""
    found = []
    for name in names:
        here = name.replace(MODE, mode)
        if here == name or Path(here.partition(":")[2]).exists():
            found.append(here)
    return found


def _write_standing(
    game: str,
    names: Sequence[str],
    options: dict[str, Any],
    where: Mapping[str, Any],
    out: Path | None,
    page: Path,
    console: Console,
) -> list[str]:
    """Play every standing table, and put them between the marks of a page; the players that failed all over one."""
    before = page.read_text(encoding="utf-8")
    if STANDING_BEGIN not in before or STANDING_END not in before:
        raise ValueError(f"{page} has no place for the standing table: the lines {STANDING_BEGIN} and {STANDING_END}")
    parts, failed = [], []
    for table in find(game).tables:
        name = table.title
        players = make_players(_of_mode(names, table.name), game)
        plan = Plan(labels([player.name for player in players]), game=game, **table.options, **options)
        folder = out / name.replace(",", "").replace(" ", "-") if out else None
        results = _play(players, plan, where, folder, False, console)
        show(results, console)
        if folder is not None:
            save(results, folder)
        failed += results.failed_everywhere()
        parts.append(f"### {name}\n\n{markdown(results)}")
    first, last = before.split(STANDING_BEGIN)[0], before.split(STANDING_END)[1]
    page.write_text(first + STANDING_BEGIN + "\n\n" + "\n".join(parts) + "\n" + STANDING_END + last, encoding="utf-8")
    return failed


def _failed_text(names: Sequence[str]) -> str:
    return f"banakil arena: {', '.join(names)} failed at every table"
