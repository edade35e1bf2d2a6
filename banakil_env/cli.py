"""The command line: `banakil COMMAND`. Each command is a function, or a `Typer`, in the package that it belongs to."""

from __future__ import annotations

import importlib
import sys
from typing import Any

# The commands for every game, in the order of the help: command -> `module:name` of a function or a group of commands.
# A
# game can add commands (`Game.commands`).
COMMANDS = {
    "games": "banakil_env.listing:games",
    "players": "banakil_env.listing:players",
    "play": "banakil_env.play.command:play",
    "serve": "banakil_env.web.command:serve",
    "mcp": "banakil_env.play.mcp_server:mcp",
    "show": "banakil_env.study.show:show",
    "ask": "banakil_env.study.ask:ask",
    "arena": "banakil_env.arena.command:arena",
    "suite": "banakil_env.suite.command:suite",
    "record": "banakil_env.record.command:record",
    "write-rules": "banakil_env.written.command:app",
    "bench": "banakil_env.bench.command:bench",
    "build": "banakil_env.build:build",
    "page": "banakil_env.browser.command:page",
    "native": "banakil_env.capi.command:native",
}


# Commands that run without the libraries of the command line: functions of the arguments after the command.
PLAIN = {"build": "banakil_env.build:main"}
OLD_NAMES = {"warmup": "build"}  # former name of a command -> its current name


def main() -> None:
    """The command `banakil`."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else None
    wanted = OLD_NAMES.get(wanted, wanted) if wanted is not None else None
    if wanted in PLAIN:
        _function(PLAIN[wanted])(sys.argv[2:])
    else:
        application(wanted)()


def application(wanted: str | None = None) -> Any:
    """The commands, as a `typer.Typer`. Raises SystemExit if the libraries of the command line are not installed.

    Args:
        wanted: the command that will run. If it is a command for every game, only this command is loaded, and no game,
            since loading all of them takes longer than most commands run. Any other text loads all commands.
    """
    try:
        import typer
    except ImportError:
        from banakil_env.core.install import install_line

        sys.exit(f"the command line needs typer and rich: {install_line('cli')}")
    app = typer.Typer(
        help="Rummy games as environments: play, compare and record.", no_args_is_help=True, add_completion=False
    )
    app.callback()(_no_options)  # without a callback, Typer treats a single command as the whole program
    places = {wanted: COMMANDS[wanted]} if wanted in COMMANDS else {**COMMANDS, **_of_games()}
    for name, place in places.items():
        found = _function(place)
        if isinstance(found, typer.Typer):  # a command with subcommands
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


def _no_options() -> None:
    pass


def _of_games() -> dict[str, str]:
    """The commands that games add. Two games with a command of the same name share its function."""
    from banakil_env.games import GAMES, find

    return {name: place for game in GAMES for name, place in find(game).commands.items()}


def _function(place: str) -> Any:
    """Import the function, or the group of commands (a `typer.Typer`), at `place`, written as `module:name`."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


if __name__ == "__main__":
    main()
