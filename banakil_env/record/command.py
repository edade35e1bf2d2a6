"""What does `banakil record` do? Plays games as the arena seats them, and keeps every decision as data."""

from __future__ import annotations

import importlib
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from banakil_env.arena.plan import labels
from banakil_env.arena.players import make_players
from banakil_env.record.play import Recording, decisions


class Format(StrEnum):
    """What is written."""

    parquet = "parquet"
    minari = "minari"


def record(
    players: Annotated[list[str], typer.Argument(help="one or more, as for `banakil arena`; one plays with itself")],
    out: Annotated[str, typer.Argument(help="the file; with --format minari the dataset's id: banakil/expert-v0")],
    game: Annotated[str, typer.Option(help="which game; `banakil games` lists them")] = "banakil",
    num_players: Annotated[int | None, typer.Option("--players", help="how many at a table")] = None,
    partners: Annotated[bool | None, typer.Option("--partners/--individuals", help="where a game knows both")] = None,
    rules: Annotated[str | None, typer.Option(help="a preset, switches behind it: 'pagat wilds=fixed'")] = None,
    episode: Annotated[str, typer.Option(help="round or match")] = "round",
    deals: Annotated[int, typer.Option(help="how many; each is played in all seatings of each pair")] = 1000,
    seeds: Annotated[
        str, typer.Option(help="the first deal's seed, below 2^63; or a held-out set: arena-v1, tuning-v1")
    ] = "0",
    budget: Annotated[float, typer.Option(help="seconds for a decision; 0 for any")] = 0.0,
    kind: Annotated[Format, typer.Option("--format", help="parquet, or minari: the first player's episodes")] = (
        Format.parquet
    ),
    licence: Annotated[str, typer.Option(help="of the data, kept in the Parquet file")] = "MIT",
) -> None:
    """Record games: every decision with observation, legal actions, action, seat and outcome."""
    console = Console()
    try:
        writer = _writer(kind)
        made = make_players(players, game)
        recording = Recording(
            labels([player.name for player in made]),
            game=game,
            num_players=num_players,
            partners=partners,
            rules=rules,
            episode=episode,
            deals=deals,
            seeds=int(seeds) if seeds.lstrip("-").isdigit() else seeds,
            budget=budget or None,
        )
        begun = time.monotonic()
        with _progress(console) as progress:
            task = progress.add_task("", total=deals)
            batches = decisions(
                made,
                recording,
                lambda done, count: progress.update(task, completed=done, description=f"{count} decisions"),
            )
            if kind is Format.parquet:
                count = writer.write(Path(out), batches, recording, licence)
            else:
                count = writer.write(out, batches, recording)
    except (ValueError, RuntimeError) as error:
        sys.exit(f"banakil record: {error}")
    except KeyboardInterrupt:
        sys.exit(f"broken off: there is no {out}")
    seconds = time.monotonic() - begun
    console.print(f"written: {out}: {count} decisions in {seconds:.1f} s, {count / seconds:.0f} a second")


def _writer(kind: Format) -> Any:
    """The module that writes this format. ValueError: what it needs is not installed."""
    module = {Format.parquet: "parquet", Format.minari: "episodes"}[kind]
    try:
        return importlib.import_module(f"banakil_env.record.{module}")
    except ImportError as error:
        raise ValueError(f"{kind.value} needs {error.name}: pip install 'banakil-env[data]'") from error


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("deals"),
        BarColumn(bar_width=12),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
        console=console,
        transient=True,
    )
