"""What is a player to the arena? Whatever maps observations, masks and dice to actions; and the compiled ones as such.

A player sees no state: rows of observations and masks come in, an action for each goes out. It throws dice only by the
random bits that come with each row, so that the same row always gets the same action, whichever rows are beside it and
whichever process asks. That is what makes results independent of batches and processes, and a match that was broken off
go on to the same end.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from banakil_env.arena.kernels import decide_many_of
from banakil_env.arena.statistics import Interval
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR
from banakil_env.games import find


@runtime_checkable
class Player(Protocol):
    """Anything that can sit at a table.

    It may have a method `prepare()` too, which the arena calls before the first decision: to compile, to load, whatever
    should not count as time to think. One that has an attribute `untimed`, which is true, has no clock when it plays in
    the process of the match: a person. Players are pickled when they get a process of their own.

    A player that can say what it thinks of the legal actions has a method `explain(observation, mask, dice) ->
    Explanation`, about one decision: uint8 (bytes,), int8 (actions,), and 64 random bits. `banakil ask` shows it.

    Attributes:
        name: how tables and reports call it, such as `greedy` or `search:1s`.
    """

    name: str

    def act(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        dice: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """One legal action for each row.

        Args:
            observations: (k, bytes of the observation) uint8, each of the seat to move at a table of its own.
            masks: (k, actions) int8, 1 for a legal action.
            dice: (k,) uint64, 64 random bits for each row: all the chance there is.

        Returns:
            (k,) whole numbers, the index of a legal action in each row.
        """
        ...


@dataclass(frozen=True)
class Explanation:
    """What a player thinks of one decision. It leaves out what it cannot say.

    Attributes:
        action: what `act` would answer, given the same row.
        probabilities: by legal action, how likely its policy takes the action; the sum is 1.
        margins: by action, the margin in points that it expects for the side to move. Actions that it did not try are
            left out.
        value: the return that it expects, in the units in which it was trained.
    """

    action: int
    probabilities: Mapping[int, float] = field(default_factory=dict)
    margins: Mapping[int, Interval] = field(default_factory=dict)
    value: float | None = None


def check_asked(game: Game, observations: Any, masks: Any, dice: Any) -> None:
    """For players that hand the rows to compiled code, which trusts the shapes.

    Raises:
        ValueError: the arrays are not what `Player.act` takes.
    """
    count = len(observations)
    for name, array, dtype, shape in (
        ("observations", observations, np.uint8, (count, game.observation.itemsize)),
        ("masks", masks, np.int8, (count, game.num_actions)),
        ("dice", dice, np.uint64, (count,)),
    ):
        if array.shape != shape or array.dtype != dtype:
            raise ValueError(f"{name} must be {dtype.__name__} of shape {shape}, not {array.dtype} of {array.shape}")


class CompiledPlayer:
    """A rule-based player of a game, all rows in one compiled call.

    Args:
        name: one of the players of the game. game: itself or its name. ValueError: there is no such player or game.
    """

    def __init__(self, name: str, game: str | Game = "banakil") -> None:
        self._game = found = find(game)
        if name not in found.kinds:
            raise ValueError(f"{found.name} has no rule-based player {name!r:.80}: there are {', '.join(found.kinds)}")
        self.name = name
        self._decide = decide_many_of(found, found.kinds[name])
        self._generators = np.zeros(1, GENERATOR)

    def act(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        dice: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """See `Player.act`."""
        check_asked(self._game, observations, masks, dice)
        actions = np.empty(len(observations), np.int64)
        records = np.ascontiguousarray(observations).view(self._game.observation).reshape(-1)
        self._decide(records, masks, dice, self._generators, actions)
        return actions

    def prepare(self) -> None:
        """Compile before anybody counts the seconds."""
        nothing = np.zeros(0, np.uint8)
        self.act(
            nothing.reshape(0, self._game.observation.itemsize),
            nothing.view(np.int8).reshape(0, self._game.num_actions),
            nothing.view(np.uint64),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to other processes by name."""
        return type(self), (self.name, self._game.name)


def make_players(players: Sequence[str | Player | Callable[..., Any]], game: str | Game = "banakil") -> list[Player]:
    """Players of a game from names, callables, classes and players.

    ValueError: there is no such player, or it cannot be made.
    """
    made = [_made(player, find(game)) for player in players]
    for player in made:
        if not isinstance(player.name, str) or not player.name.isprintable() or not player.name.strip():
            raise ValueError(f"the name of a player is a text in one line, not {player.name!r}")
    return made


def _made(player: Any, game: Game) -> Player:
    if isinstance(player, str) and player in game.kinds:
        return CompiledPlayer(player, game)
    if isinstance(player, Player) and not isinstance(player, type):
        return player
    if (folder := os.getcwd()) not in sys.path:  # where the user's own modules are
        sys.path.append(folder)
    # By its name, and only when such a player is asked for: the arena stands below the players that are made with it.
    made: Player = importlib.import_module("banakil_env.agents").make_player(player, game)
    return made
