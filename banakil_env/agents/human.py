"""A person at the terminal, who sees the table from this seat and the legal moves, and types a move.

A player gets an observation and no state. So the table is drawn from a state that agrees with the observation and looks
the same from this seat; hidden hands are face down. For a game without hooks for search (`Game.search`), the fields of
the observation are listed instead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import Game
from banakil_env.core.identity import Identity
from banakil_env.core.scene import renamed
from banakil_env.core.terminal import say
from banakil_env.play.session import matching
from banakil_env.render.text import draw
from banakil_env.text.observed import supposed

HELP = (
    "Write a move as it is listed, or its number in the list; its beginning is enough when only one begins so. "
    "An empty line lists them again."
)


class HumanPlayer:
    """A person at the terminal.

    Args:
        game: the game that is played.
        ask: shows a prompt and returns the line that was typed; `input` by default.
        say: shows a text; printed by default.
    """

    name = "human"
    untimed = True  # a person has no time limit

    def __init__(self, game: Game, ask: Callable[[str], str] = input, say: Callable[[str], Any] = say) -> None:
        self._game, self._ask, self._say = game, ask, say

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`. The person decides one row after another."""
        return np.array([self._move(*row) for row in zip(observations, masks)], np.int64)

    def _move(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8]) -> int:
        legal = np.flatnonzero(mask)
        texts = [self._game.actions.text(int(action)) for action in legal]
        self._say(table_text(self._game, observation))
        self._say("moves: " + ", ".join(texts))
        while True:
            line = self._ask("> ").strip()
            found = matching(line, texts)
            if isinstance(found, int):
                return int(legal[found])
            self._say(f"{found}. {HELP}" if line else "moves: " + ", ".join(texts))

    def identity(self) -> Identity:
        """The player's identity: a name without digests, since nothing else is known of a person."""
        return Identity(self.name)


def make(argument: str, game: Game) -> HumanPlayer:
    """The player `human`.

    Raises:
        ValueError: an argument was given.
    """
    if argument:
        raise ValueError(f"human takes no argument, not {argument!r}")
    return HumanPlayer(game)


def table_text(game: Game, observation: npt.NDArray[np.uint8]) -> str:
    """What a seat sees, as text for a person. The seat has number 0; the others are numbered in the order of play."""
    if game.search is None:
        seen = np.ascontiguousarray(observation).view(game.observation)
        return "\n" + "\n".join(f"{name}: {_values(seen[0][name])}" for name in game.observation_fields)
    return "\n" + draw(
        renamed(game.scene(supposed(game, observation), 0), functools.partial(_as_told, _discards_of(game)))
    )


@functools.cache
def _discards_of(game: Game) -> frozenset[str]:
    """The cards that can be discarded, by their names in the game: `7h`, or `7` where only ranks matter."""
    return frozenset(text.split()[1] for text in game.actions.texts if text.startswith("discard "))


def _as_told(names: frozenset[str], card: str) -> str:
    """The name of a card, without its suit in games that name cards by rank.

    Observations of these games have no suits, and the suits of a supposed state are arbitrary.
    """
    return card[0] if card not in names and card[0] in names else card


def _values(value: Any) -> str:
    """The value of a field as text on one line."""
    return " ".join(str(np.asarray(value).tolist()).split())
