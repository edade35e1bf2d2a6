"""The arguments with which all commands name a table."""

from __future__ import annotations

import argparse

from banakil_env.arena.options import TableOptions
from banakil_env.games import DEFAULT_GAME


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --game, --players and --rules."""
    parser.add_argument("--game", default=DEFAULT_GAME)
    parser.add_argument("--players", type=int, dest="num_players", help="at a table (default: the game's own)")
    parser.add_argument("--rules", help="a preset, then switches (default: the game's own)")


def table_of(options: argparse.Namespace) -> TableOptions:
    """The table that the arguments name. ValueError: it does not exist."""
    return TableOptions(game=options.game, num_players=options.num_players, rules=options.rules)
