"""The command `banakil record`: plays games in the seatings of the arena, and writes every decision as data."""

from __future__ import annotations

import importlib
import re
import shlex
import time
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from banakil_env.arena.ask import PlayerFailed
from banakil_env.arena.plan import labels
from banakil_env.arena.players import Player, make_players
from banakil_env.core.install import install_line
from banakil_env.core.terminal import leave, say
from banakil_env.games import DEFAULT_GAME
from banakil_env.record.games import write_games
from banakil_env.record.play import Recording, decisions


class Format(StrEnum):
    """The file formats that the command writes."""

    parquet = "parquet"
    minari = "minari"
    conversations = "conversations"


def record(
    players: Annotated[
        list[str],
        typer.Argument(help="as for `banakil arena`; one plays against itself; with --text also one for each seat"),
    ],
    out: Annotated[
        str,
        typer.Argument(
            help="the file; with --format minari the dataset's id: banakil/expert-v0; of several texts the folder"
        ),
    ],
    game: Annotated[str, typer.Option(help="which game; `banakil games` lists them")] = DEFAULT_GAME,
    num_players: Annotated[int | None, typer.Option("--players", help="players at a table")] = None,
    partners: Annotated[bool | None, typer.Option("--partners/--individuals", help="for games that have both")] = None,
    rules: Annotated[str | None, typer.Option(help="a preset, then switches: 'pagat wilds=fixed'")] = None,
    episode: Annotated[str, typer.Option(help="round or match")] = "round",
    deals: Annotated[
        int | None,
        typer.Option(help="number, each played in all seatings of each pair; 1000, or 1 with --text"),
    ] = None,
    seeds: Annotated[
        str, typer.Option(help="the seed of the first deal, below 2^63; or a held-out set: arena-v1, tuning-v1")
    ] = "0",
    budget: Annotated[float, typer.Option(help="seconds for a decision; 0: no limit")] = 0.0,
    kind: Annotated[
        Format, typer.Option("--format", help="parquet; minari: the first player's episodes; or conversations")
    ] = Format.parquet,
    text: Annotated[
        bool, typer.Option("--text", help="write game records, which `banakil show` reads, instead of data")
    ] = False,
    conversations: Annotated[
        bool, typer.Option("--conversations", help="JSON lines in the chat format, as --format conversations")
    ] = False,
    licence: Annotated[str, typer.Option(help="of the data, kept with it")] = "MIT",
) -> None:
    """Record games: each decision with its observation, legal actions, action, seat and outcome."""
    console = Console()
    count = (1 if text else 1000) if deals is None else deals
    try:
        kind = Format.conversations if conversations else kind
        writer = None if text else _writer(kind)
        made = make_players(players, game)
        recording = Recording(
            labels([player.name for player in made]),
            game=game,
            num_players=num_players,
            partners=partners,
            rules=rules,
            episode=episode,
            deals=count,
            seeds=int(seeds) if re.fullmatch("-?[0-9]{1,20}", seeds) else seeds,
            budget=budget or None,
        )
        if writer is None:
            _write_games(made, recording, Path(out))
        else:
            _write_decisions(console, writer, made, recording, out, licence)
    except (ValueError, RuntimeError, PlayerFailed, OSError) as error:
        leave(f"banakil record: {error}")
    except KeyboardInterrupt:
        leave(f"broken off: there is no {out}")


def _write_games(players: Sequence[Player], recording: Recording, out: Path) -> None:
    """Write game records, and print the command that shows the first of them."""
    written = write_games(players, recording, out)
    count = f"{len(written)} game{'s' * (len(written) > 1)}"
    say(f"written: {out}: {count}; look at one: {shlex.join(['banakil', 'show', str(written[0])])}")


def _write_decisions(
    console: Console, writer: Any, players: Sequence[Player], recording: Recording, out: str, licence: str
) -> None:
    """Write every decision as data with the module `writer`."""
    begun = time.monotonic()
    with _progress(console) as progress:
        task = progress.add_task("", total=recording.deals)
        batches = decisions(
            players,
            recording,
            lambda done, count: progress.update(task, completed=done, description=f"{count} decisions"),
        )
        count = writer.write(out if writer.__name__.endswith("episodes") else Path(out), batches, recording, licence)
    seconds = time.monotonic() - begun
    say(f"written: {out}: {count} decisions in {seconds:.1f} s, {count / seconds:.0f} a second", console)


def _writer(kind: Format) -> Any:
    """The module that writes this format. Raises ValueError if a library that it needs is not installed."""
    module = {Format.parquet: "parquet", Format.minari: "episodes", Format.conversations: "conversations"}[kind]
    try:
        return importlib.import_module(f"banakil_env.record.{module}")
    except ImportError as error:
        raise ValueError(f"{kind.value} needs {error.name}: {install_line('data')}") from error


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
