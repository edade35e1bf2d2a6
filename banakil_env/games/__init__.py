"""The games of the family, a folder each: the one list of them, and the way to each by its name."""

from __future__ import annotations

import importlib
from typing import cast

from banakil_env.core.game import Game

# The folders, in the order in which they are listed everywhere.
GAMES = ("banakil", "rummy", "yaniv")


def find(game: str | Game) -> Game:
    """The game of this name; a `Game` is given back as it is. ValueError: there is none."""
    if isinstance(game, Game):
        return game
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r:.80}; there are {', '.join(GAMES)}")
    return cast(Game, importlib.import_module(f"banakil_env.games.{game}").GAME)
