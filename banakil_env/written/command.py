"""The command `banakil write-rules`: prints the task, records traces, compares a program with the game engine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from banakil_env.arena.statistics import Interval
from banakil_env.core.terminal import complain, leave, say
from banakil_env.games import find
from banakil_env.render.columns import in_columns
from banakil_env.written.compare import SHARES, Score
from banakil_env.written.compare import score as score_of
from banakil_env.written.isolation import CannotIsolate
from banakil_env.written.program import ENGINE, SECONDS, Program
from banakil_env.written.prompt import prompt as prompt_of
from banakil_env.written.traces import (
    POSITIONS,
    PUBLIC,
    Trace,
    draw,
    main_table,
    recorded,
    sealed_seeds,
    table_of,
    write,
)

MOST_TRACES = 10_000  # all traces are played before the program runs

app = typer.Typer(help="Compare a program written from a rules page with the engine.", no_args_is_help=True)

_Game = Annotated[str, typer.Option(help="which game; `banakil games` lists them")]
_Players = Annotated[int | None, typer.Option("--players", help="players at the table")]
_Rules = Annotated[str | None, typer.Option(help="a preset, then switches: 'pagat wilds=fixed'")]


@app.command()
def prompt(
    game: Annotated[str, typer.Argument(help="which game")],
    num_players: _Players = None,
    rules: _Rules = None,
) -> None:
    """Print the task for the writer of a program: rules, positions, contract, examples."""
    try:
        print(prompt_of(game, **_options(num_players, rules)), end="")
    except (ValueError, TypeError) as error:
        leave(f"banakil write-rules prompt: {error}")


@app.command()
def traces(out: Annotated[Path, typer.Option(help="the folder of the files")]) -> None:
    """Play the public traces of every game again and write them, a file for each game."""
    try:
        for path in write(out):
            say(f"written: {path}: {path.stat().st_size} bytes")
    except OSError as error:
        leave(f"banakil write-rules traces: {error}")


@app.command()
def score(
    program: Annotated[Path, typer.Argument(help="a Python file with the five functions of the contract")],
    game: _Game,
    num_players: _Players = None,
    rules: _Rules = None,
    key_file: Annotated[
        Path | None, typer.Option(help="a file with the key of sealed traces; without one, the public traces")
    ] = None,
    count: Annotated[int, typer.Option("--traces", help="how many rounds", min=1, max=MOST_TRACES)] = PUBLIC,
    positions: Annotated[int, typer.Option(help="number of questions of a round", min=1)] = POSITIONS,
    seconds: Annotated[float, typer.Option(help="seconds for a call, above 0")] = SECONDS,
    trusted: Annotated[
        bool,
        typer.Option("--trusted", help="run it with your own rights, not isolated: for programs that you have read"),
    ] = False,
    show: Annotated[int, typer.Option(help="number of kinds of disagreement that are printed", min=0)] = 5,
    out: Annotated[Path | None, typer.Option(help="a JSON file for the figures and all kinds of disagreement")] = None,
) -> None:
    """Compare a program with the engine: shares that agree, and the first disagreement of each kind."""
    console = Console()
    try:
        found = find(game)
        options = _options(num_players, rules)
        asked = _traces(found.name, options, key_file, count)
        table = table_of(found, options or main_table(found))
        with Program(program, table, seconds=seconds, trusted=trusted) as written:
            result = score_of(written, asked, most=positions)
        if ENGINE in written.imported:
            leave(f"banakil write-rules score: {program} imported {ENGINE}, with which it is compared: no score")
        say(text_of(result, console.width, show), console)
        if out is not None:
            said = _report(result, written, sealed=key_file is not None, table=table)
            out.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
        if trusted:
            complain("not isolated (--trusted): the figures are worth what the program's author is")
    except (CannotIsolate, ValueError, TypeError, OSError) as error:
        leave(f"banakil write-rules score: {error}")


def text_of(result: Score, width: int, show: int) -> str:
    """The shares as a table, then the first disagreements, with the most frequent kinds first."""
    rows = [[share, _interval(result.share(share)), str(result.asked(share))] for share in SHARES]
    title = f"{result.game}: {result.traces} rounds, 95% intervals; {result.failures} calls without an answer"
    kinds = sorted(result.disagreements.values(), key=lambda each: -each.count)
    parts = [title, in_columns(["share that agrees", "mean", "questions"], rows, width)]
    parts += [each.text() for each in kinds[:show]]
    if len(kinds) > show:
        parts.append(f"and {len(kinds) - show} other kinds: --show {len(kinds)} prints them")
    return "\n\n".join(parts)


def _interval(found: Interval) -> str:
    if found.mean != found.mean:
        return "-"
    return f"{found.mean:.3f}" + (f" ± {found.half_width:.3f}" if found.deals > 1 else "")


def _options(num_players: int | None, rules: str | None) -> dict[str, Any]:
    """The table options that were given; empty for the main table."""
    said = {"num_players": num_players, "rules": rules}
    return {name: value for name, value in said.items() if value is not None}


def _traces(game: str, options: dict[str, Any], key_file: Path | None, count: int) -> Sequence[Trace]:
    """The traces that the program is compared on. Raises ValueError or OSError if there are no such traces."""
    options = options and {**options, "episode": "round"}
    if key_file is not None:
        seeds = sealed_seeds(key_file.read_text(encoding="utf-8"), game, count)
        return draw(game, seeds, **options)
    if options or count > PUBLIC:
        return draw(game, range(count), **options)
    return recorded(game)[:count]


def _report(result: Score, program: Program, *, sealed: bool, table: dict[str, Any]) -> dict[str, Any]:
    return {
        "program": program.identity.as_dict(),
        "isolated": not program.trusted,
        "imported": sorted(program.imported),
        "sealed": sealed,
        "table": {name: value for name, value in table.items() if name != "text"},
        **result.as_dict(),
    }
