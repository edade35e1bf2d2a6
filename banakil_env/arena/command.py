"""The command `banakil arena`: plays a match, shows its progress, and writes results and a report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column

from banakil_env.arena.ask import MatchStopped
from banakil_env.arena.match import play_match
from banakil_env.arena.plan import Plan, labels
from banakil_env.arena.players import CompiledPlayer, Player, make_players
from banakil_env.arena.report import markdown, save, text
from banakil_env.arena.results import Results
from banakil_env.arena.seatings import PAIRS
from banakil_env.core.game import Table
from banakil_env.core.terminal import leave, say
from banakil_env.games import DEFAULT_GAME, find

MODE = "{mode}"  # in a player's name: replaced by the name of the standing table
ZOO_AGENT = f"net:agents/zoo/{MODE}"  # this agent plays against the game's rule-based players at the standing tables
STANDING_BEGIN, STANDING_END = "<!-- standing table -->", "<!-- end of the standing table -->"


def arena(
    players: Annotated[
        list[str] | None, typer.Argument(help="two or more: random, greedy, ..., search:200ms, module:function")
    ] = None,
    game: Annotated[str, typer.Option(help="which game; `banakil games` lists them")] = DEFAULT_GAME,
    num_players: Annotated[int | None, typer.Option("--players", help="players at a table")] = None,
    partners: Annotated[bool | None, typer.Option("--partners/--individuals", help="for games that have both")] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(help="a preset, then switches: 'pagat wilds=fixed'; given again: a match for each"),
    ] = None,
    episode: Annotated[str, typer.Option(help="round or match")] = "round",
    seating: Annotated[
        str, typer.Option(help="pairs: two players at a table, every pair; mixed: a different player on every seat")
    ] = PAIRS,
    deals: Annotated[int, typer.Option(help="largest number of deals")] = 1000,
    width: Annotated[float | None, typer.Option(help="stop when every interval is at most ± this (points)")] = None,
    level: Annotated[float, typer.Option(help="of the intervals")] = 0.95,
    budget: Annotated[float, typer.Option(help="seconds for a decision; 0: no limit")] = 60.0,
    seeds: Annotated[str, typer.Option(help="the set of deals: arena-v1, or tuning-v1 while you tune")] = "arena-v1",
    processes: Annotated[int, typer.Option(help="number of processes; 0: one for each core")] = 0,
    ray: Annotated[bool, typer.Option("--ray", help="play on a Ray cluster; --processes of its processors")] = False,
    out: Annotated[Path | None, typer.Option(help="folder for results; continues an interrupted match")] = None,
    records: Annotated[bool, typer.Option("--records", help="write every game as a record into the folder")] = False,
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
        names = players or ([*find(game).players, ZOO_AGENT] if standing is not None else [])
        if ray and "human" in names:
            raise ValueError("a person plays at this terminal, not on a cluster: leave out --ray")
        count = 1 if "human" in names else processes or (0 if ray else os.cpu_count() or 1)
        where = {"processes": count, "cluster": ray}
        own = {"num_players": num_players, "partners": partners, "episode": episode}
        tables = _tables(game, own, rules or [], standing is not None)
        before = "" if standing is None else _page_to_fill(standing)
        failed, parts = list[str](), list[str]()
        for table in tables:
            made = make_players(_of_mode(names, table.name), game)
            if len(tables) > 1:
                say(f"\n{table.title}", console)
            plan = Plan(labels([player.name for player in made]), game=game, **table.options, **options)
            folder = out if out is None or len(tables) == 1 else out / table.title.replace(",", "").replace(" ", "-")
            results = _play(made, plan, where, folder, records, console)
            show(results, console)
            if folder is not None:
                _save(results, folder, console)
            failed += results.failed_everywhere()
            parts.append(f"### {table.title}\n\n{markdown(results)}")
        if standing is not None:
            _fill(standing, before, parts)
    except MatchStopped as stop:
        if stop.results is not None and stop.results.deals:
            show(stop.results, console)
        leave(f"banakil arena: {stop}")
    except (ValueError, RuntimeError, OSError) as error:
        leave(f"banakil arena: {error}")
    except KeyboardInterrupt:
        leave("broken off" + (f"; the same command continues from there, in {out}" if out else ""))
    if failed:
        leave(f"banakil arena: {', '.join(dict.fromkeys(failed))} failed at every table")


def _tables(game: str, own: Mapping[str, Any], rules: Sequence[str], standing: bool) -> list[Table]:
    """The tables to play at, each under each of the rules.

    Args:
        game: the name of the game.
        own: options of the game that the user gave.
        rules: presets and switches.
        standing: True for the standing tables of the game that match `own`; False for the one table of `own`.

    Raises:
        ValueError: there is no such table.
    """
    tables = [Table(MODE, "", own)]
    if standing:
        asked = {name: value for name, value in own.items() if value is not None and name != "episode"}
        tables = [table for table in find(game).tables if all(table.options.get(name) == asked[name] for name in asked)]
        if not tables:
            raise ValueError(f"no standing table of {game} has {', '.join(f'{name}={asked[name]}' for name in asked)}")
    if not rules:
        return tables
    several = len(rules) > 1
    return [
        Table(
            table.name,
            ", ".join(filter(None, (table.title, each))) if several else table.title,
            {**table.options, "rules": each},
        )
        for table in tables
        for each in rules
    ]


def _save(results: Results, folder: Path, console: Console) -> None:
    """Write results and report into a folder, and print where they are. Raises ValueError if they cannot be written."""
    try:
        written = save(results, folder)
    except OSError as error:
        raise ValueError(f"the report cannot be written: {error}") from error
    say(f"written in {folder}: {', '.join(path.name for path in written)}", console)


def show(results: Results, console: Console) -> None:
    """Print the tables of results, as wide as the terminal."""
    say(text(results, console.width), console)


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
    # A player that can hang gets a process that can be ended. Rule-based players do not hang; a person plays at this
    # terminal.
    foreign = [player.name for player in players if not isinstance(player, CompiledPlayer)]
    untimed = any(getattr(player, "untimed", False) for player in players)
    isolate = plan.budget is not None and bool(foreign) and not untimed
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=plan.deals)
        results = play_match(
            players,
            plan,
            folder=out,
            record=records,
            isolate=isolate,
            progress=lambda done, total, text: progress.update(task, completed=done, description=text),
            **where,
        )
    return results


def _of_mode(names: Sequence[str], mode: str) -> list[str]:
    """The names of the players at the standing table `mode`.

    MODE in a name is replaced by `mode`; a player whose agent does not exist for this table is left out.
    """
    found = []
    for name in names:
        here = name.replace(MODE, mode)
        if here == name or Path(here.partition(":")[2]).exists():
            found.append(here)
    return found


def _page_to_fill(page: Path) -> str:
    """The text of a page. Raises ValueError if it has no marks for the tables of results."""
    text = page.read_text(encoding="utf-8")
    if STANDING_BEGIN not in text or STANDING_END not in text:
        raise ValueError(f"{page} has no place for the standing table: the lines {STANDING_BEGIN} and {STANDING_END}")
    return text


def _fill(page: Path, before: str, parts: Sequence[str]) -> None:
    """Write a page again, with the tables `parts` between its marks; `before` is the text of the page so far."""
    first, last = before.split(STANDING_BEGIN)[0], before.split(STANDING_END)[1]
    page.write_text(first + STANDING_BEGIN + "\n\n" + "\n".join(parts) + "\n" + STANDING_END + last, encoding="utf-8")
