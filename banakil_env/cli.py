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

    app = typer.Typer(help="Banakil: environments, players, matches.", no_args_is_help=True, add_completion=False)
    app.callback()(lambda: None)  # so that a single command keeps its name
    app.command("arena")(arena)
    app()


if __name__ == "__main__":
    main()
