"""How do commands name a table? The same arguments for all of them."""

from __future__ import annotations

import argparse

from banakil_env.arena.options import TableOptions


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --game, --players and --rules."""
    parser.add_argument("--game", default="banakil")
    parser.add_argument("--players", type=int, dest="num_players", help="at a table (default: the game's own)")
    parser.add_argument("--rules", help="a preset, switches behind it (default: the game's own)")


def table_of(options: argparse.Namespace) -> TableOptions:
    """The table that the arguments name. ValueError: there is none such."""
    return TableOptions(game=options.game, num_players=options.num_players, rules=options.rules)
