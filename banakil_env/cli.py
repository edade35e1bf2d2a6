"""What can be done from the command line? `banakil COMMAND`: each is a function of the part that it is about."""

from __future__ import annotations

import sys


def main() -> None:
    """The command `banakil`."""
    try:
        import typer
    except ImportError:
        sys.exit("the command line needs typer and rich: pip install 'banakil-env[cli,arena]'")
    from banakil_env.arena.command import arena
    from banakil_env.bench.command import bench
    from banakil_env.games.banakil.solve_command import solve_command
    from banakil_env.record.command import record

    app = typer.Typer(help="Banakil: environments, players, matches.", no_args_is_help=True, add_completion=False)
    app.command("arena")(arena)
    app.command("bench")(bench)
    app.command("record")(record)
    app.command("solve")(solve_command)
    app()


if __name__ == "__main__":
    main()
