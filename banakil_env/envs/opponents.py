"""Who sits on the other seats? What a user may say of them, as numbers for the loop of the batch and as Python players.

An opponent is the name of a compiled player or anything callable. One opponent plays every other seat; a tuple gives
one for each seat in the order of play after the learner (so in a partnership of four: next, partner, previous); a list
is a pool, from which each seat's player is drawn anew for every episode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.batch import CALLER, PLAYERS
from banakil_env.core.game import Game

Opponent = str | Callable[..., Any]
Opponents = Opponent | Sequence[Opponent]


class OpponentError(RuntimeError):
    """An opponent raised, or gave an answer that is no legal action; the environment has to be reset."""


@dataclass(frozen=True)
class Seating:
    """Who may sit where.

    Attributes:
        choices: int64 (seats - 1, choices): for each place after the learner the kinds of compiled players, and from
            PLAYERS down the Python players.
        players: those, PLAYERS - i for the i-th; None: nobody.
        places: how many places a tuple has filled, None if the same holds for any number.
    """

    choices: npt.NDArray[np.int64]
    players: tuple[Callable[..., Any] | None, ...]
    places: int | None

    def player_of(self, code: int) -> Callable[..., Any]:
        """The Python player that a number of `choices` stands for."""
        player = self.players[PLAYERS - code]
        assert player is not None
        return player


def seat_opponents(
    opponents: Opponents | None, game: Game, seated: Sequence[Callable[..., Any] | None] = ()
) -> Seating:
    """The opponents as the loop takes them; None: there are none. Players `seated` already keep their numbers.

    Raises:
        ValueError: a name that is none, an empty tuple or list. TypeError: something that is no opponent.
    """
    places = game.max_seats - 1
    if opponents is None:
        return Seating(np.full((places, 1), CALLER, np.int64), (), None)
    players = list(seated)
    if isinstance(opponents, list):
        if not opponents:
            raise ValueError(f"the pool of opponents is empty; {_known(game)}")
        codes = [_code(opponent, game, players) for opponent in opponents]
        return Seating(np.array([codes] * places, np.int64), tuple(players), None)
    if isinstance(opponents, tuple):
        if not 1 <= len(opponents) <= places:
            raise ValueError(
                f"a tuple of opponents has one for each other seat, in the order of play; not {len(opponents)}"
            )
        choices = np.full((places, 1), CALLER, np.int64)
        choices[: len(opponents), 0] = [_code(opponent, game, players) for opponent in opponents]
        return Seating(choices, tuple(players), len(opponents))
    return Seating(np.full((places, 1), _code(opponents, game, players), np.int64), tuple(players), None)


def _code(opponent: Any, game: Game, players: list[Callable[..., Any] | None]) -> int:
    if isinstance(opponent, str):
        if opponent not in game.kinds:
            raise ValueError(f"there is no opponent {opponent!r}; {_known(game)}")
        return game.kinds[opponent]
    if not callable(opponent):
        raise TypeError(f"an opponent is a name or a callable, not {opponent!r}; {_known(game)}")
    for i, player in enumerate(players):
        if player is opponent:
            return PLAYERS - i
    if None not in players:
        players.append(None)
    free = players.index(None)
    players[free] = opponent
    return PLAYERS - free


def _known(game: Game) -> str:
    return f"compiled players are {', '.join(map(repr, game.kinds))}, and any callable will do"


def name_of(player: Any) -> str:
    """What an error message calls a Python player."""
    return getattr(player, "__qualname__", None) or repr(player)
