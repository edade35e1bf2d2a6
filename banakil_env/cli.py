"""What can be done from the command line? `banakil COMMAND`: each is a function of the part that it is about."""

from __future__ import annotations

import sys

MISSING = "the command line needs typer and rich: pip install 'banakil-env[cli,arena]'"


def solve(hand: str, melds: str = "", partner_melds: str = "", rules: str = "pagat", by: str = "points") -> None:
    """The best way to lay down a hand: banakil solve "3c 4c 5c 2h Kd" --melds "7h 8h 9h"."""
    from banakil_env.games.banakil import solver

    try:
        layout = solver.solve(hand, melds, partner_melds, rules, by)
    except ValueError as error:
        sys.exit(str(error))
    print("play:  ", "; ".join(layout.actions) or "nothing")
    print("melds: ", " | ".join(layout.melds) or "none")
    print("left:  ", " ".join(layout.left) or "nothing")
    print(f"laid down {layout.value:g} points; {layout.points:g} if the round ended now")
    print("this goes out" if layout.away == 0 else f"{layout.away} cards too many to go out")


def main() -> None:
    """The command `banakil`."""
    try:
        import typer
    except ImportError:
        sys.exit(MISSING)
    from banakil_env.arena.command import arena
    from banakil_env.bench.command import bench

    app = typer.Typer(help="Banakil: environments, players, matches.", no_args_is_help=True, add_completion=False)
    app.command("arena")(arena)
    app.command("bench")(bench)
    app.command("solve")(solve)
    app()


if __name__ == "__main__":
    main()
