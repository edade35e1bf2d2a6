"""Who plays where nobody is named? A trained agent made for the table where there is one, else the game's strongest.

"Strongest" is the last of the game's compiled players, which are listed from the weakest on.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banakil_env.core.game import Game

ZOO = Path("agents") / "zoo"  # of the checkout in which the command is called
NEEDED = ("torch", "safetensors")  # by trained agents


def default_player(game: Game, num_players: int, options: Mapping[str, Any]) -> str:
    """The name of the player that sits at the other seats of such a table, unless another is named."""
    return zoo_player(game, num_players, options) or list(game.players)[-1]


def zoo_player(game: Game, num_players: int, options: Mapping[str, Any]) -> str | None:
    """The trained agent made for a table with these rules, if it is here and can be played; None: there is none."""
    rules = {name: value for name, value in options.items() if name != "episode"}  # agents play matches round by round
    wanted = game.new(num_players=num_players, **rules).tobytes()
    for table in game.tables:
        folder = ZOO / table.name
        if (folder / "model.safetensors").is_file() and game.new(**table.options).tobytes() == wanted:
            return f"ppo:{folder.as_posix()}" if all(map(_is_there, NEEDED)) else None
    return None


def zoo_players(game: Game) -> list[str]:
    """The trained agents for any table of the game that are here."""
    if not all(map(_is_there, NEEDED)):
        return []
    folders = [ZOO / table.name for table in game.tables]
    return [f"ppo:{folder.as_posix()}" for folder in folders if (folder / "model.safetensors").is_file()]


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
