"""The command line arguments that name a table and its rule-based players, shared by all commands."""

from __future__ import annotations

import argparse

from banakil_env.arena.options import TableOptions
from banakil_env.core.game import Game
from banakil_env.games import DEFAULT_GAME


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --game, --players, --partners or --individuals, and --rules."""
    parser.add_argument("--game", default=DEFAULT_GAME)
    parser.add_argument("--players", type=int, dest="num_players", help="at a table (default: the game's own)")
    sides = parser.add_mutually_exclusive_group()
    sides.add_argument("--partners", action="store_const", const=True, help="four who play two against two")
    sides.add_argument("--individuals", action="store_const", const=False, dest="partners", help="each for oneself")
    parser.add_argument("--rules", help="a preset, then switches (default: the game's own)")


def table_of(options: argparse.Namespace) -> TableOptions:
    """The table that the arguments name. Raises ValueError if there is no such table."""
    return TableOptions(
        game=options.game, num_players=options.num_players, partners=options.partners, rules=options.rules
    )


def settled_player(game: Game, name: str | None, argument: str) -> str:
    """The rule-based player that an argument names; the strongest one for None.

    Raises:
        ValueError: the name is not one of `settled_players`.
    """
    name = name or game.strongest_player
    if name not in game.settled_players:
        raise ValueError(f"{argument} must be one of {', '.join(game.settled_players)}, not {name!r:.80}")
    return name
