"""The players at the other seats: converts the argument `opponents` to numbers for the batch loop and Python players.

Each opponent is one of these:

| opponent | player that decides |
|---|---|
| `"random"`, `"greedy"`, ... | a compiled player of the game, inside the compiled call |
| `"net:agents/zoo/..."`, `"search:100ms"`, ... | the player that `agents.make_player` makes from the name |
| an object with `act(observations, masks, dice)` | this player: the protocol of `banakil_env.arena.Player` |
| any other callable | the callable: it gets `(observations, masks)`, in the form of the learner's observations |
| `"caller"`, in a tuple or a pool of `Tables` | the caller of `step`, as for the learner's seat |

A single opponent plays every other seat. Tuples and lists of opponents have different meanings:

* A tuple has one opponent for each other seat, in the order of play after the learner; with partners the order is next,
  partner, previous. A tuple of another length is an error.
* A list is a pool of any length: in every episode each other seat draws its player from the pool at random.

A Python player is called once for all waiting tables. A callable gets observations in the form of the learner's
observations, with the history if there is one; a callable with an attribute `observation` gets the form of that name. A
player with `act` gets records, uint8 (k, bytes), as in the arena. The dice of a player are drawn from the generator of
each table, so one seed gives one game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from banakil_env.core.batch import CALLER, PLAYERS
from banakil_env.core.game import Game
from banakil_env.core.hints import did_you_mean


@runtime_checkable
class Player(Protocol):
    """The protocol of players in the arena and in `agents`; see `banakil_env.arena.Player`."""

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        """A legal action for each row; `dice`, uint64 (k,), has 64 random bits for each row."""
        ...


SELF = "caller"  # the name of the opponent that is the caller of `step`

_POOL = "A tuple names the player of each other seat; a list is a pool, from which every seat draws"

Opponent = str | Player | Callable[..., Any]
Opponents = Opponent | Sequence[Opponent]


class OpponentError(RuntimeError):
    """An opponent raised an exception or returned an illegal action; the environment must be reset."""


@dataclass(frozen=True)
class Seating:
    """The players that can play at each seat.

    Attributes:
        choices: int64 (seats - 1, choices): row i has the possible players of the seat i + 1 places after the learner.
            A compiled player is its kind, 0 or more; the i-th Python player is PLAYERS - i.
        players: the Python players; None for a number without a player.
        places: the number of opponents in a tuple; None if the seating fits any number of seats.
    """

    choices: npt.NDArray[np.int64]
    players: tuple[Any, ...]
    places: int | None

    def player_of(self, code: int) -> Any:
        """The Python player of a number in `choices`."""
        player = self.players[PLAYERS - code]
        assert player is not None
        return player


def seat_opponents(opponents: Opponents | None, game: Game, seated: Sequence[Any] = ()) -> Seating:
    """Convert opponents to a seating for the batch loop; None: there are no opponents.

    Args:
        opponents: see the module.
        game: the game.
        seated: Python players that already have numbers, which they keep.

    Raises:
        ValueError: an unknown name, or an empty tuple or list.
        TypeError: an object that is not an opponent.
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
                f"a tuple of opponents has one player for each other seat, in the order of play: {game.title} takes "
                f"{f'1 to {places}' if places > 1 else '1'} of them, not {len(opponents)}. {_POOL}"
            )
        choices = np.full((places, 1), CALLER, np.int64)
        choices[: len(opponents), 0] = [_code(opponent, game, players) for opponent in opponents]
        return Seating(choices, tuple(players), len(opponents))
    if isinstance(opponents, str) and opponents == SELF:
        raise ValueError(f"opponents={SELF!r}: the caller plays every seat if there are no opponents, opponents=None")
    return Seating(np.full((places, 1), _code(opponents, game, players), np.int64), tuple(players), None)


def without_caller(opponents: Any) -> Any:
    """Return the opponents, after checking that none of them is the caller: the environment has one learner.

    Raises:
        ValueError: the caller is one of the opponents.
    """
    named = opponents if isinstance(opponents, (tuple, list)) else [opponents]
    if any(isinstance(each, str) and each == SELF for each in named):
        raise ValueError(
            f"the opponent {SELF!r} is for banakil_env.envs.vector.Tables, whose caller can play several seats; this "
            "environment has one learner"
        )
    return opponents


def check_seating(game: Game, seating: Seating) -> None:
    """Check a seating, since compiled code trusts its choices.

    Raises:
        ValueError, TypeError: a seating that `seat_opponents` cannot have made.
    """
    choices, places = seating.choices, game.max_seats - 1
    if not isinstance(choices, np.ndarray) or choices.dtype != np.int64:
        raise TypeError("the choices of opponents must be a NumPy array of int64")
    if choices.ndim != 2 or choices.shape[0] != places or not choices.shape[1] or not choices.flags.c_contiguous:
        raise ValueError(f"the choices of opponents must have the shape ({places}, choices), not {choices.shape}")
    if choices.min() <= PLAYERS - len(seating.players) or choices.max() >= len(game.kinds):
        raise ValueError(f"the choices of opponents name players from {choices.min()} to {choices.max()}, not there")


def _code(opponent: Any, game: Game, players: list[Any]) -> int:
    if isinstance(opponent, str):
        if opponent == SELF:
            return CALLER
        if opponent in game.kinds:
            return game.kinds[opponent]
        opponent = named_player(opponent, game)
    if isinstance(opponent, (tuple, list)):
        raise TypeError(f"an opponent in a tuple or a list is one player, not {opponent!r:.80}. {_POOL}")
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
    """The Python player with this name.

    Raises:
        ValueError: there is no such player, or it cannot be made; the message gives the reason.
    """
    if ":" not in name:
        raise ValueError(f"there is no opponent {name!r:.80}{did_you_mean(name, game.kinds)}; {_known(game)}")
    from banakil_env.arena.players import make_players  # here, so that the arena is only imported for such names

    try:
        [player] = make_players([name], game)
    except ValueError as error:
        raise ValueError(str(error)) from error  # the error names the player
    return player


def _known(game: Game) -> str:
    return (
        f"compiled players are {', '.join(map(repr, game.kinds))}; names such as 'net:PATH' or 'search:100ms', players "
        f"and callables are allowed too"
    )


def name_of(player: Any) -> str:
    """The name of a Python player in error messages."""
    name = getattr(player, "__qualname__", None) or (getattr(player, "name", None) if hasattr(player, "act") else None)
    return str(name) if name else repr(player)
