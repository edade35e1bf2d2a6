"""The command line: `banakil COMMAND`. Each command is a function of the part of the package that it is about."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

# The commands of every game, in the order of the help: where each function is. A game may add its own (Game.commands).
COMMANDS = {
    "games": "banakil_env.listing:games",
    "players": "banakil_env.listing:players",
    "play": "banakil_env.play.command:play",
    "serve": "banakil_env.web.command:serve",
    "show": "banakil_env.study.show:show",
    "ask": "banakil_env.study.ask:ask",
    "arena": "banakil_env.arena.command:arena",
    "record": "banakil_env.record.command:record",
    "bench": "banakil_env.bench.command:bench",
    "warmup": "banakil_env.study.warmup:warmup",
}


def main() -> None:
    """The command `banakil`."""
    try:
        import typer
    except ImportError:
        sys.exit("the command line needs typer and rich: pip install 'banakil-env[cli,arena]'")
    app = typer.Typer(
        help="Rummy games as environments: play, compare and record.", no_args_is_help=True, add_completion=False
    )
    for name, place in {**COMMANDS, **_of_games()}.items():
        app.command(name)(_function(place))
    app()


def _of_games() -> dict[str, str]:
    """The commands that games add. Two games that add one name share its function."""
    from banakil_env.games import GAMES, find

    return {name: place for game in GAMES for name, place in find(game).commands.items()}


def _function(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


if __name__ == "__main__":
    main()
