"""The rules of an episode: the same for all episodes, or drawn for each episode (domain randomization).

| `rules=` of an environment | the rules of an episode |
|---|---|
| a text (a preset, then switches), a dict of switches or a `Rules` | these rules |
| a list or tuple of such rules | one of them, all equally likely |
| a callable | the rules that it returns, in one of these forms, for a `numpy.random.Generator` |

`num_players=` can be a list too: the number of players of each episode is then drawn from the list, all equally likely.
This works for `Tables` and the environments on it; an `AECEnv` has the same agents in every episode.

The draw depends only on the seed of the deal, or without a seed on the current generator of the table. So one seed
gives the same sequence of rules and cards in every environment.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.batch import draw_dice
from banakil_env.core.checking import check_blanks
from banakil_env.core.engine import num_seats
from banakil_env.core.game import Game
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import GENERATOR
from banakil_env.games import find, to_pickle

OneRules = Any  # a text, a dict of switches, or a `Rules` of the game
Rules = OneRules | Sequence[OneRules] | Callable[[np.random.Generator], OneRules]

# Makes the draw of the rules independent of the cards that the same seed deals.
_RULES = np.uint64(0x52D1E5FA1E5)


class Variants:
    """The rules and numbers of players from which the episodes of a table are drawn.

    Each is stored as a blank state: an array of one state record that holds nothing but the rules and the players.

    Args:
        game: the game.
        options: the options of the table, with a list or a callable among `rules` and `num_players`.

    Attributes:
        numbers: the possible numbers of players, ascending.

    Raises:
        ValueError: an empty list; also the game's errors for rules that do not exist or do not fit the other options.
    """

    def __init__(self, game: Game, options: Mapping[str, Any]) -> None:
        rules, players = options.get("rules"), options.get("num_players")
        self._game = game
        self._others = {name: value for name, value in options.items() if name not in ("rules", "num_players")}
        self._draw = rules if callable(rules) else None
        self._kept: dict[Any, npt.NDArray[Any]] = {}
        for name, given in (("rules", rules), ("num_players", players)):
            if isinstance(given, (list, tuple)) and not given:
                raise ValueError(f"the list of {name} is empty: give at least one, or leave {name} out")
        self._players = tuple(players) if isinstance(players, (list, tuple)) else (players,)
        choices = () if callable(rules) else tuple(rules) if isinstance(rules, (list, tuple)) else (rules,)
        self._pools = tuple(tuple(self._blank_of(number, each) for each in choices) for number in self._players)
        seats = interpreted(num_seats)
        self.numbers = tuple(sorted({int(seats(self._blank_of(number, None)[0])) for number in self._players}))

    def blank(self, bits: int) -> npt.NDArray[Any]:
        """The rules and players drawn by these 64 random bits: an array of one blank state, not to be changed."""
        bits, place = divmod(bits, len(self._players))
        if self._draw is None:
            return self._pools[place][bits % len(self._pools[place])]
        drawn = self._draw(np.random.default_rng(bits))
        try:
            return self._blank_of(self._players[place], drawn)
        except (TypeError, ValueError) as error:
            raise ValueError(f"rules= drew {drawn!r:.200}: {error}") from error

    def __getstate__(self) -> dict[str, Any]:
        """Store a game of the package by its name, and leave out the blank states made so far."""
        return {**vars(self), "_game": to_pickle(self._game), "_kept": {}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._game, self._kept = find(self._game), {}
        for blank in itertools.chain(*self._pools):
            check_blanks(self._game, blank)

    def _blank_of(self, num_players: int | None, rules: OneRules) -> npt.NDArray[Any]:
        """A blank state with this number of players and these rules; None: the default of the game."""
        key = num_players, rules if isinstance(rules, str) else repr(rules)
        if key not in self._kept:
            if len(self._kept) == _MOST_KEPT:
                self._kept.clear()
            given = {"num_players": num_players, "rules": rules}
            chosen = {name: value for name, value in given.items() if value is not None}
            self._kept[key] = self._game.new(**self._others, **chosen)
        return self._kept[key]


_MOST_KEPT = 10_000  # limit, because a callable can return new rules each time


def variants_of(game: Game, options: Mapping[str, Any]) -> Variants | None:
    """The variants of a table, from `rules` and `num_players` among its options; None if every episode has the same
    ones.
    """
    rules, players = options.get("rules"), options.get("num_players")
    if isinstance(rules, (list, tuple)) or callable(rules) or isinstance(players, (list, tuple)):
        return Variants(game, options)
    return None


def bits_from(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """64 random bits drawn from each of these numbers, which are seeds or states of generators: uint64 (k,)."""
    generators = np.zeros(len(numbers), GENERATOR)
    generators["rng"] = numbers ^ _RULES
    bits = np.empty(len(numbers), np.uint64)
    draw_dice(generators, np.arange(len(numbers)), bits)
    return bits
