"""The list of the games, and functions that find a game by its name or id. Each game has a folder of its own here."""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from banakil_env.core.game import Game

# The name of each game (its folder) and its version, in the order of all listings. The version is also in the game's
# `Game`. It is repeated here to register the environments without importing the games.
GAMES = {
    "banakil": 0,
    "hand": 0,
    "rummy": 0,
    "rummy500": 0,
    "oklahoma": 0,
    "yaniv": 0,
    "gin": 0,
    "tonk": 0,
    "canasta": 0,
    "hand_and_foot": 0,
    "contract": 0,
    "kalooki": 0,
    "mille": 0,
}


# The game of an environment or a command that names no game: the suite is named after it.
DEFAULT_GAME = "banakil"


def find(game: str | Game) -> Game:
    """Return the game with this name; a `Game` is returned unchanged. ValueError: no such game."""
    if isinstance(game, str):
        if game not in GAMES:
            raise ValueError(f"there is no game {game!r:.80}{_hint(game)}; there are {', '.join(GAMES)}")
        return cast("Game", importlib.import_module(f"banakil_env.games.{game}").GAME)
    from banakil_env.core.game import Game  # late: importing the list of games loads no compiler

    if not isinstance(game, Game):
        raise ValueError(f"there is no game {game!r:.80}; there are {', '.join(GAMES)}")
    return game


def _hint(text: str) -> str:
    """The game that a text probably means, for an error: `Gin`, `gin rummy` and `rummy/Gin-v0` mean `gin`."""
    from banakil_env.core.hints import did_you_mean

    said = _words(re.sub(r"-v\d+$", "", text.removeprefix("rummy/")))
    meant = [name for words in (said, said - {"rummy"}) for name in GAMES if _words(name) == words]
    return did_you_mean(meant[0] if meant else text.lower(), GAMES)


def _words(text: str) -> set[str]:
    """The words and numbers of a game's name, in any order: those of `rummy500` are also those of "500 Rummy"."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+", text)} - {"and"}


def find_id(game_id: str) -> Game:
    """Return the game with this id, such as `rummy/banakil-v0`. ValueError: no such game."""
    ids = {pettingzoo_id(name): name for name in GAMES}
    if game_id not in ids:
        raise ValueError(f"there is no game {game_id!r:.80}; there are {', '.join(ids)}")
    return find(ids[game_id])


def to_pickle(game: Game) -> Any:
    """Return what represents a game in a pickle: the name of a game of the package, else the `Game` itself.

    `find` turns either of them back into the game.
    """
    return game.name if game.name in GAMES and find(game.name) is game else game


def pettingzoo_id(name: str) -> str:
    """Return the id of a game in PettingZoo's registry, such as `rummy/hand_and_foot-v0`."""
    return f"rummy/{name}-v{GAMES[name]}"


def gymnasium_id(name: str) -> str:
    """Return the id of a game in Gymnasium's registry, such as `rummy/HandAndFoot-v0`."""
    return f"rummy/{''.join(word.capitalize() for word in name.split('_'))}-v{GAMES[name]}"
