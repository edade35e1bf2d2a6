"""A person at the terminal: shows the table as this seat sees it and the legal moves, and reads a line.

A player is given an observation and no state. A state that agrees with it looks the same from that seat, hidden hands
face down: it is what is drawn. Of a game that cannot suppose one (`Game.search`), the fields are listed.
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
    """A person.

    Args:
        game: which is played.
        ask: shows a prompt and returns the line written, `input` by default.
        say: shows a text, printed by default.
    """

    name = "human"
    untimed = True  # a person has no clock

    def __init__(self, game: Game, ask: Callable[[str], str] = input, say: Callable[[str], Any] = say) -> None:
        self._game, self._ask, self._say = game, ask, say

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`: the person decides one row after the other."""
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
        """The name alone: nothing else is known of a person."""
        return Identity(self.name)


def make(argument: str, game: Game) -> HumanPlayer:
    """The player `human`. ValueError: it takes no argument."""
    if argument:
        raise ValueError(f"human takes no argument, and got {argument!r}")
    return HumanPlayer(game)


def table_text(game: Game, observation: npt.NDArray[np.uint8]) -> str:
    """The view of a seat as text for a person: the seat is 0, and the others are numbered in the order of play."""
    if game.search is None:
        seen = np.ascontiguousarray(observation).view(game.observation)
        return "\n" + "\n".join(f"{name}: {_values(seen[0][name])}" for name in game.observation_fields)
    return "\n" + draw(
        renamed(game.scene(supposed(game, observation), 0), functools.partial(_as_told, _discards_of(game)))
    )


@functools.cache
def _discards_of(game: Game) -> frozenset[str]:
    """The cards that can be discarded, as the game names them: `7h`, or `7` where only ranks matter."""
    return frozenset(text.split()[1] for text in game.actions.texts if text.startswith("discard "))


def _as_told(names: frozenset[str], card: str) -> str:
    """The card without its suit where the game tells cards by their ranks: then an observation has no suits, and those
    of a supposed state are made up.
    """
    return card[0] if card not in names and card[0] in names else card


def _values(value: Any) -> str:
    """A field on one line."""
    return " ".join(str(np.asarray(value).tolist()).split())
