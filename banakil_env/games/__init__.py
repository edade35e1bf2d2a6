"""The games of the family, a folder each: the one list of them, and the way to each by its name."""

from __future__ import annotations

import importlib
import re
from typing import cast

from banakil_env.core.game import Game

# The folders, in the order in which they are listed everywhere.
GAMES = ("banakil", "rummy")


def find(game: str | Game) -> Game:
    """The game of this name; a `Game` is given back as it is. ValueError: there is none."""
    if isinstance(game, Game):
        return game
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r:.80}; there are {', '.join(GAMES)}")
    return cast(Game, importlib.import_module(f"banakil_env.games.{game}").GAME)


def find_id(game_id: str) -> Game:
    """The game with this id, such as `rummy/banakil-v0`. ValueError: there is none."""
    found = re.fullmatch(r"rummy/([a-z0-9_]+)-v\d+", game_id)
    if found and found[1] in GAMES and find(found[1]).id == game_id:
        return find(found[1])
    raise ValueError(f"there is no game {game_id!r:.80}; there are {', '.join(find(name).id for name in GAMES)}")
