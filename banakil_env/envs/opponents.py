"""Who sits on the other seats? What a user may say of them, as numbers for the loop of the batch and as Python players.

An opponent is one of these:

| opponent | who decides |
|---|---|
| `"random"`, `"greedy"`, ... | a compiled player of the game, inside the compiled call |
| `"ppo:agents/zoo/..."`, `"search:100ms"`, ... | a player that `agents.make_player` makes of the name |
| an object with `act(observations, masks, dice)` | that player: the protocol of `banakil_env.arena.Player` |
| any other callable | its answer to `(observations, masks)` |

One opponent plays every other seat; a tuple gives one for each seat in the order of play after the learner (so in a
partnership of four: next, partner, previous); a list is a pool, from which each seat's player is drawn for every
episode. Python's players are asked for all waiting tables at once, and see observations as bytes (k, bytes), whatever
form the learner's have. The dice of a player are drawn from the generator of each table: one seed gives one game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from banakil_env.core.batch import CALLER, PLAYERS
from banakil_env.core.game import Game


@runtime_checkable
class Player(Protocol):
    """What the arena and the agents call a player; see `banakil_env.arena.Player`."""

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        """A legal action for each row; `dice`, uint64 (k,), are 64 random bits for each."""
        ...


Opponent = str | Player | Callable[..., Any]
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
    players: tuple[Any, ...]
    places: int | None

    def player_of(self, code: int) -> Any:
        """The Python player that a number of `choices` stands for."""
        player = self.players[PLAYERS - code]
        assert player is not None
        return player


def seat_opponents(opponents: Opponents | None, game: Game, seated: Sequence[Any] = ()) -> Seating:
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


def _code(opponent: Any, game: Game, players: list[Any]) -> int:
    if isinstance(opponent, str):
        if opponent in game.kinds:
            return game.kinds[opponent]
        opponent = named_player(opponent, game)
    if not callable(opponent) and not isinstance(opponent, Player):
        raise TypeError(f"an opponent is a name, a player or a callable, not {opponent!r:.80}; {_known(game)}")
    for i, player in enumerate(players):
        if player is opponent:
            return PLAYERS - i
    if None not in players:
        players.append(None)
    free = players.index(None)
    players[free] = opponent
    return PLAYERS - free


def named_player(name: str, game: Game) -> Player:
    """The player of a name that is no compiled player's. ValueError: there is none, or it cannot be made, and why."""
    if ":" not in name:
        raise ValueError(f"there is no opponent {name!r:.80}; {_known(game)}")
    from banakil_env.arena.players import make_players  # late: who names no such player loads no arena

    try:
        [player] = make_players([name], game)
    except ValueError as error:
        raise ValueError(f"there is no opponent {name!r:.80}: {error}; {_known(game)}") from error
    return player


def _known(game: Game) -> str:
    return (
        f"compiled players are {', '.join(map(repr, game.kinds))}; names such as 'ppo:PATH' or 'search:100ms', players "
        f"and callables will do"
    )


def name_of(player: Any) -> str:
    """What an error message calls a Python player."""
    name = getattr(player, "__qualname__", None) or (getattr(player, "name", None) if hasattr(player, "act") else None)
    return str(name) if name else repr(player)
