"""Who can sit at a table? Every player by its name, for the arena, for training and for people.

| text | player |
|---|---|
| `random`, `greedy`, ... | the compiled rule-based players of the game |
| `human` | a person at this terminal |
| `ppo:PATH` | a trained network, from its file |
| `sb3:FILE` | a model that Stable-Baselines3 has saved: `MaskablePPO`, `PPO`, `A2C` |
| `hub:FOLDER`, `onnx:FILE` | a trained network in the Hugging Face Hub's layout, or as ONNX |
| `KIND:ARGUMENT` | a kind in `KINDS`, such as `search:200ms` |
| `module:function`, `file.py:function` | any Python callable `(observation, mask[, rng]) -> action`, or any `Player` |

A player is an object with a `name` and `act(observations, masks, dice) -> actions` (`banakil_env.arena.Player`): arrays
with a row for each table go in and actions come out. It never gets a state. `choose` asks it about one table.
"""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from banakil_env.agents.callables import CallablePlayer, load_callable
from banakil_env.arena.ask import said
from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.core.game import Game
from banakil_env.core.openmp import sleep_while_waiting
from banakil_env.games import find

sleep_while_waiting()  # before any player loads PyTorch

__all__ = [
    "KINDS",
    "CallablePlayer",
    "CompiledPlayer",
    "Player",
    "PlayerError",
    "choose",
    "make_player",
    "player_names",
]

# Kinds of players that take an argument or a file of their own: `module:function`, which is called with the text behind
# the colon ("" when there is none) and the game, and gives a Player. A new kind is a file here and a line here.
KINDS: dict[str, str] = {
    "hub": "banakil_env.agents.hub:make",
    "human": "banakil_env.agents.human:make",
    "onnx": "banakil_env.agents.onnx:make",
    "ppo": "banakil_env.agents.network:make",
    "sb3": "banakil_env.agents.sb3:make",
    "search": "banakil_env.agents.search:make",
}


class PlayerError(ValueError):
    """A text that names no player, or a player that cannot be made."""


def make_player(player: str | Player | Callable[..., Any], game: str | Game = "banakil") -> Player:
    """The player of a game that a text names, a callable as a player, or a class made; a player is given back as it is.

    Raises:
        PlayerError: there is no such player, and which there are; or it cannot be made, and why.
    """
    if isinstance(player, type):
        return make_player(_constructed(player))
    if isinstance(player, Player):
        return player
    if callable(player):
        try:
            return CallablePlayer(player)
        except ValueError as error:
            raise PlayerError(str(error)) from None
    if not isinstance(player, str):
        lacking = "; it has no `name`" if hasattr(player, "act") else ""
        raise PlayerError(f"a player is a name, a callable, a class or has a name and act(); not {player!r}{lacking}")
    game = find(game)
    kind, colon, argument = player.partition(":")
    if player in game.kinds:
        return CompiledPlayer(player, game)
    if kind in KINDS:
        return _make_kind(player, kind, argument, game)
    if colon and argument.isidentifier():
        try:
            found = load_callable(kind, argument)
        except KeyboardInterrupt:
            raise
        except (ImportError, OSError, SyntaxError, AttributeError) as error:
            raise PlayerError(f"the player {player!r} cannot be loaded: {error}") from error
        except BaseException as error:  # its module may raise anything
            raise PlayerError(f"the player {player!r} cannot be loaded: {_in_words(error)}") from error
        return make_player(found)
    raise PlayerError(
        f"there is no player {player!r}: there are {', '.join(player_names(game))}, and module:function or "
        f"path/file.py:function for one of your own"
    )


def _constructed(made: type) -> Any:
    """An instance of a class. PlayerError: its construction fails, and why."""
    try:
        return made()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PlayerError(f"the player {made.__name__} cannot be made: {_in_words(error)}") from error


def _in_words(error: BaseException) -> str:
    """The class and the text of an error, and the file and line where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"it raised {said(error)}{place}"


def player_names(game: str | Game = "banakil") -> list[str]:
    """The rule-based players of a game, then the kinds."""
    return [*find(game).kinds, *KINDS]


def choose(player: Player, observation: Mapping[str, Any], dice: int = 0) -> int:
    """What a player does at one table.

    Args:
        observation: `observation` and `action_mask`, as a game's `observe` and the environments give them.
        dice: 0..2**64 - 1, its random bits: the same gives the same action.
    """
    rows = np.asarray(observation["observation"])[None], np.asarray(observation["action_mask"])[None]
    return int(player.act(*rows, np.array([dice], np.uint64))[0])


def _make_kind(text: str, kind: str, argument: str, game: Game) -> Player:
    module, _, function = KINDS[kind].partition(":")
    try:
        made: Player = getattr(importlib.import_module(module), function)(argument, game)
    except (ImportError, OSError, ValueError) as error:
        raise PlayerError(f"the player {text!r} cannot be made: {error}") from error
    return made
