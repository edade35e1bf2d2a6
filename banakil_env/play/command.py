"""The command `banakil play`: plays a game at this terminal, with people and computer players at any seats."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from banakil_env.arena.ask import PlayerFailed
from banakil_env.arena.players import make_players
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game
from banakil_env.core.jit import telling
from banakil_env.core.terminal import leave, say
from banakil_env.games import DEFAULT_GAME, find
from banakil_env.play.defaults import default_adviser, default_player
from banakil_env.play.session import PERSON, Session
from banakil_env.play.terminal import Stopped, Terminal
from banakil_env.render.columns import WIDTH, folded


def play(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            help="players of the other seats, in the order of play after yours: one for all of them, or one for each; "
            "or as many as there are seats, 'human' for each person, from seat 0 on"
        ),
    ] = None,
    game: Annotated[str, typer.Option(help="which game; `banakil games` lists them")] = DEFAULT_GAME,
    num_players: Annotated[int | None, typer.Option("--players", help="players at the table")] = None,
    seat: Annotated[int, typer.Option(help="yours")] = 0,
    partners: Annotated[bool | None, typer.Option("--partners/--individuals", help="for games that have both")] = None,
    rules: Annotated[str | None, typer.Option(help="a preset, then switches: 'pagat wilds=fixed'")] = None,
    episode: Annotated[str, typer.Option(help="round or match")] = "round",
    seed: Annotated[int | None, typer.Option(help="of the deal; random unless given")] = None,
    practice: Annotated[bool, typer.Option("--practice", help="moves can be taken back")] = False,
    adviser: Annotated[
        str | None, typer.Option(help="player for hints; the strongest for this table unless named")
    ] = None,
    symbols: Annotated[bool, typer.Option("--symbols", help="draw suits as symbols")] = False,
    out: Annotated[Path | None, typer.Option(help="write the game record into this file at the end")] = None,
) -> None:
    """Play a game at this terminal."""
    try:
        found = find(game)
        named = players or []
        count = num_players or (len(named) if len(named) > 1 and PERSON in named else found.seats[0])
        options = {
            name: value
            for name, value in (("partners", partners), ("rules", rules), ("episode", episode))
            if value is not None
        }
        default = default_player(found, count, options)
        everyone = seats_of(found, named, count, seat, default)
        dealt = secrets.randbits(64) if seed is None else seed
        with telling(_say_compiling):
            session = Session.deal(found, everyone, seed=dealt, options=options)
            [advising] = make_players([adviser or default_adviser(found, count, options)], found)
            session.prepare(advising)
    except (ValueError, TypeError, PlayerFailed) as error:
        leave(f"banakil play: {error}")
    names = ", ".join(f"seat {number} {each.name}" for number, each in enumerate(session.seats))
    say("\n".join(folded(f"{found.title}, seed {dealt}: {names}. 'help' says what can be written.", WIDTH)))
    try:
        Terminal(session, advising, practice, symbols).play()
    except (Stopped, EOFError, KeyboardInterrupt):
        print("\nstopped")
    except PlayerFailed as error:
        say(f"a player failed: {error}")
    _keep(session, out)


def _say_compiling(name: str, seconds: float) -> None:
    print(f"building {name} for this machine, once: {seconds:.0f} s"[:WIDTH], file=sys.stderr, flush=True)


def seats_of(game: Game, players: Sequence[str], count: int, seat: int, default: str) -> list[str | None]:
    """The name of the player at each seat, None for a person.

    Args:
        game: the game.
        players: the names that the user gave: one, one for each other seat, or one for each seat.
        count: the number of seats.
        seat: the seat of the person.
        default: the player at the other seats if no name is given.

    Raises:
        ValueError: the number of players does not fit, or there is no such seat.
    """
    if not 0 <= seat < count:
        raise ValueError(f"there is no seat {seat}: {count} play, seats from 0 on")
    if len(players) == count:
        return [None if player == PERSON else player for player in players]
    others = list(players) or [default]
    if len(others) == 1:
        others *= count - 1
    if len(others) != count - 1:
        raise ValueError(
            f"{len(players)} players are named for a table of {count}: name one, {count - 1} (the others in the order "
            f"of play), or {count} (all seats from 0 on)"
        )
    found: list[Any] = [None] * count
    for step, player in enumerate(others, 1):
        found[(seat + step) % count] = None if player == PERSON else player
    return found


def _keep(session: Session, out: Path | None) -> None:
    """Write the record to a file, or print it. A record that cannot be written is printed, so that it is not lost."""
    text = session.record()
    shown = f"\nThe game as a record (banakil show reads it):\n\n{text}"
    if out is None:
        say(shown, end="")
        return
    try:
        write_whole(out, text.encode())
    except OSError as error:
        say(shown, flush=True)
        leave(f"banakil play: the record cannot be written ({error}): keep it from above")
    say(f"written: {out}")
