"""Chooses players for seats without a named player, and the player that gives hints.

An opponent is the agent trained for the table. If there is none, it is the network for all games, or else the game's
strongest rule-based player, which is the last of them in the game's list. The same player gives hints, except
that the network for all games does not, since it is weaker than the strongest rule-based player at some tables.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banakil_env.arena.generations import newest
from banakil_env.arena.zoo_folders import folders, found_model
from banakil_env.core.game import Game, Table
from banakil_env.play.names import OF_ALL_GAMES

ZOO = Path("agents") / "zoo"  # relative to the current folder, if that is a checkout
NEEDED = ("torch", "safetensors")  # libraries that trained agents need


def default_player(game: Game, num_players: int, options: Mapping[str, Any]) -> str:
    """The name of the default player for the other seats of a table with this number of players and these options."""
    return zoo_player(game, num_players, options) or player_anywhere(game)


def default_adviser(game: Game, num_players: int, options: Mapping[str, Any]) -> str:
    """The name of the default player for hints at a table with this number of players and these options."""
    return zoo_player(game, num_players, options) or game.strongest_player


def player_anywhere(game: Game) -> str:
    """The name of the default player for tables without a trained agent."""
    return network_of_all_games() or game.strongest_player


def network_of_all_games() -> str | None:
    """The name of the agent that plays every table of every game; None if it is not available or cannot run here."""
    if not all(map(_is_there, NEEDED)) or found_model(OF_ALL_GAMES.partition(":")[2]) is None:
        return None
    return OF_ALL_GAMES


def zoo_player(game: Game, num_players: int, options: Mapping[str, Any]) -> str | None:
    """The name of the agent trained for a table; None if there is no such agent, or it cannot run here.

    A match without an agent trained on matches is played by the agent trained on single rounds, which is the only one
    for most games.
    """
    made = {game.new(**table.options).tobytes(): name for name, table in agents(game).items()}
    rounds = {name: value for name, value in options.items() if name != "episode"}
    states = (game.new(num_players=num_players, **wanted).tobytes() for wanted in (options, rounds))
    return next((made[state] for state in states if state in made), None)


def agents(game: Game, num_players: int | None = None) -> dict[str, Table]:
    """The newest trained agents that are available here, by name, with the table of each.

    Args:
        game: the game.
        num_players: only agents for this number of seats; None for any number.
    """
    if not all(map(_is_there, NEEDED)):
        return {}
    tables = [table for table in game.tables if num_players in (None, table.options.get("num_players", game.seats[0]))]
    return {name: table for table in tables if (name := _newest_agent(table.name))}


def _newest_agent(table: str) -> str | None:
    """The name of the newest agent of a standing table; None if there is no agent for it here."""
    if folder := newest(ZOO, table):
        return f"net:{folder.as_posix()}"
    return next((f"zoo:{found.name}" for folder in folders() if (found := newest(folder, table))), None)


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
