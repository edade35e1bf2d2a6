"""Makes players from names: a rule-based player of the game, a kind of player in `KINDS`, or any Python callable.

`banakil_env.agents` lists all names.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.ask import said
from banakil_env.arena.behaviour import behaviour_of_player
from banakil_env.arena.callables import CallablePlayer, load_callable
from banakil_env.arena.protocol import Explanation, Player, check_asked
from banakil_env.core.game import Game
from banakil_env.core.hints import did_you_mean
from banakil_env.core.identity import Identity
from banakil_env.core.install import install_line
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.openmp import sleep_while_waiting
from banakil_env.core.players import players_of
from banakil_env.games import DEFAULT_GAME, find

sleep_while_waiting()  # must run before any player loads PyTorch

__all__ = [
    "KINDS",
    "CompiledPlayer",
    "Explanation",
    "Player",
    "PlayerError",
    "adviser_parts",
    "check_asked",
    "current_name",
    "make_player",
    "make_players",
    "player_names",
]

# The registry of kinds of players that take an argument or a file. A value is `module:function`; the function is called
# with the text behind the colon ("" without a colon) and the game, and returns a Player. Values are text, as in
# Gymnasium's registry: the module is imported only when such a player is made, since it imports the arena itself. To
# add a kind, write its module and add a line here.
KINDS: dict[str, str] = {
    "hub": "banakil_env.agents.hub:make",
    "human": "banakil_env.agents.human:make",
    "llm": "banakil_env.agents.llm:make",
    "net": "banakil_env.agents.network:make",
    "onnx": "banakil_env.agents.onnx:make",
    "sb3": "banakil_env.agents.sb3:make",
    "search": "banakil_env.agents.search:make",
    "text": "banakil_env.agents.conversation:make",
    "unadvised": "banakil_env.agents.network:make_unadvised",
    "zoo": "banakil_env.agents.zoo:make",
}

# Old words for a kind: `ppo:PATH` named any network, whatever had trained it. A player keeps the name that it was made
# with, since recorded results contain such names.
OLD_KINDS = {"ppo": "net"}

# The extras with the libraries of the kinds; kinds that are not listed need the extra `train`.
EXTRAS = {"hub": "hub", "llm": "llm", "onnx": "onnx"}


class PlayerError(ValueError):
    """A name that matches no player, or a player that cannot be made."""


class CompiledPlayer:
    """A rule-based player of a game; plays all rows in one compiled call.

    Args:
        name: one of the players of the game.
        game: the game or its name.

    Raises:
        ValueError: there is no such player or game.
    """

    def __init__(self, name: str, game: str | Game = DEFAULT_GAME) -> None:
        self._game = found = find(game)
        self.name = name
        self._kind, self._decide = found.kind_of(name), players_of(found).decide_many
        self._generators = np.zeros(1, GENERATOR)

    def act(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        dice: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """Choose the actions of all rows in one compiled call; arguments and result are those of `Player.act`."""
        check_asked(self._game, observations, masks, dice)
        actions = np.empty(len(observations), np.int64)
        records = np.ascontiguousarray(observations).view(self._game.observation).reshape(-1)
        own_masks, own_dice = np.ascontiguousarray(masks), np.ascontiguousarray(dice)
        self._decide(self._kind, records, own_masks, own_dice, self._generators, actions)
        return actions

    def prepare(self) -> None:
        """Compile in advance, before times are measured."""
        nothing = np.zeros(0, np.uint8)
        self.act(
            nothing.reshape(0, self._game.observation.itemsize),
            nothing.view(np.int8).reshape(0, self._game.num_actions),
            nothing.view(np.uint64),
        )

    def identity(self) -> Identity:
        """The identity of the player: a digest of its behavior in fixed games (`arena.behaviour`)."""
        return Identity(self.name, {"behaviour": behaviour_of_player(self._game, self.name)})

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player as its name and its game."""
        return type(self), (self.name, self._game.name)


def adviser_parts(name: str | None, game: Game) -> dict[str, str]:
    """The part of an identity that describes the rule-based player `name`, which advises; empty without an adviser."""
    return {name: behaviour_of_player(game, name)} if name else {}


def make_players(players: Sequence[str | Player | Callable[..., Any]], game: str | Game = DEFAULT_GAME) -> list[Player]:
    """Make the players of a game from names, callables, classes and players.

    Raises:
        PlayerError: there is no such player, or it cannot be made.
        ValueError: the name of a player is not one line of text.
    """
    _find_own_modules()
    made = [make_player(player, game) for player in players]
    for player in made:
        if not isinstance(player.name, str) or not player.name.isprintable() or not player.name.strip():
            raise ValueError(f"the name of a player is a text in one line, not {player.name!r}")
    return made


def _find_own_modules() -> None:
    """Add the current folder to the places where modules are imported from, for the user's modules."""
    if (folder := os.getcwd()) not in sys.path:
        sys.path.append(folder)


def make_player(player: str | Player | Callable[..., Any], game: str | Game = DEFAULT_GAME) -> Player:
    """Make a player of a game from a name, a callable or a class; a player is returned as it is.

    Raises:
        PlayerError: there is no such player, or it cannot be made. The text lists the players or gives the reason.
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
    if kind in KINDS or kind in OLD_KINDS:
        return _make_kind(player, OLD_KINDS.get(kind, kind), argument, game)
    if colon and argument.isidentifier():
        try:
            found = load_callable(kind, argument)
        except KeyboardInterrupt:
            raise
        except (ImportError, OSError, SyntaxError, AttributeError) as error:
            raise PlayerError(f"the player {player!r} cannot be loaded: {error}") from error
        except BaseException as error:  # the player's module can raise anything
            raise PlayerError(f"the player {player!r} cannot be loaded: {_in_words(error)}") from error
        return make_player(found)
    known = [*game.kinds, *(name if name == "human" else f"{name}:..." for name in KINDS)]
    hint = did_you_mean(kind, player_names(game))
    raise PlayerError(
        f"there is no player {player!r:.200}{hint}: there are {', '.join(known)}, and module:function or "
        "path/file.py:function for one of your own"
    )


def _constructed(made: type) -> Any:
    """An instance of a class. Raises PlayerError, with the reason, if it cannot be constructed."""
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


def player_names(game: str | Game = DEFAULT_GAME) -> list[str]:
    """The names of a game's rule-based players, then the words for other kinds of players (`KINDS`)."""
    return [*find(game).kinds, *KINDS]


def _make_kind(text: str, kind: str, argument: str, game: Game) -> Player:
    module, _, function = KINDS[kind].partition(":")
    try:
        made: Player = getattr(importlib.import_module(module), function)(argument, game)
    except PlayerError:  # it already has a full message
        raise
    except ModuleNotFoundError as error:
        raise PlayerError(
            f"the player {text!r} needs {error.name}: {install_line(EXTRAS.get(kind, 'train'))}"
        ) from error
    except (ImportError, OSError, ValueError) as error:
        raise PlayerError(f"the player {text!r:.200} cannot be made: {error}") from error
    if text.partition(":")[0] in OLD_KINDS:
        made.name = text
    return made


def current_name(player: str) -> str:
    """The name of a player with the current word for its kind: `net:PATH` for `ppo:PATH`."""
    kind, colon, argument = player.partition(":")
    if kind == "unadvised":
        return f"{kind}:{current_name(argument)}"
    return f"{OLD_KINDS.get(kind, kind)}{colon}{argument}"
