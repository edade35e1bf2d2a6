"""Makes a complete state from an observation, so that it can be described like a table.

The observer is seat 0 of this state. The hidden cards are dealt in a random way that agrees with the observation. They
carry no information, and a scene for seat 0 does not show them.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.engine import suppose
from banakil_env.core.game import Game
from banakil_env.core.jit import SEED, Entry, Library, read, written
from banakil_env.core.random import seed_word


def supposed(game: Game, observation: npt.NDArray[np.uint8], seed: int = 0) -> Any:
    """A complete state whose seat 0 has this observation. Its hidden cards are random, drawn by `seed`."""
    seen = np.ascontiguousarray(observation).view(game.observation)
    state = np.zeros(1, game.state)
    suppose_of(game)(seen, seed_word(seed), state)
    return state[0]


def _suppose(seen: Any, seed: int, states: Any) -> None:
    suppose(seen[0], seed, states[0])


@functools.cache
def suppose_of(game: Game) -> Entry:
    assert game.search is not None
    arguments = {"seen": read(game.observation, 1), "seed": SEED, "states": written(game.state, 1)}
    return Library(f"{game.name}_supposed").entry(_suppose, arguments)
