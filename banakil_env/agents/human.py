"""How does a person play at the terminal? The table as this seat sees it, the legal moves by their texts, a prompt.

A player is given an observation and no state. A state that agrees with it looks the same from that seat, hidden hands
face down: it is what is drawn. Of a game that cannot suppose one (`Game.search`), the fields are listed.
"""

# The name left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import Game
from banakil_env.core.jit import bind
from banakil_env.play.session import matching
from banakil_env.render.text import draw

HELP = (
    "Write a move as it is listed, or its number in the list; its beginning is enough when only one begins so. "
    "An empty line lists them again."
)


class HumanPlayer:
    """A person.

    Args:
        game: which is played.
        ask: asks with a prompt and returns the line written, `input` by default.
        say: shows a text, `print` by default.
    """

    name = "human"
    untimed = True  # a person has no clock

    def __init__(self, game: Game, ask: Callable[[str], str] = input, say: Callable[[str], Any] = print) -> None:
        self._game, self._ask, self._say = game, ask, say

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`: one row after the other is asked about."""
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


def make(argument: str, game: Game) -> HumanPlayer:
    """The player `human`. ValueError: it takes no argument."""
    if argument:
        raise ValueError(f"human takes no argument, and got {argument!r}")
    return HumanPlayer(game)


def table_text(game: Game, observation: npt.NDArray[np.uint8]) -> str:
    """What a seat sees, for a person; it is seat 0, and the others are numbered in the order in which they play."""
    seen = np.ascontiguousarray(observation).view(game.observation)
    if game.search is None:
        return "\n" + "\n".join(f"{name}: {_values(seen[0][name])}" for name in game.observation_fields)
    state = np.zeros(1, game.state)
    _suppose_of(game)(seen, np.uint64(0), state)
    return "\n" + draw(game.scene(state[0], 0))


def _values(value: Any) -> str:
    """A field on one line."""
    return " ".join(str(np.asarray(value).tolist()).split())


def _suppose(seen: Any, seed: int, states: Any) -> None:
    suppose(seen[0], seed, states[0])


@functools.cache
def _suppose_of(game: Game) -> Any:
    assert game.search is not None
    return bind(_suppose, f"{game.name}_suppose", suppose=game.search.suppose)
