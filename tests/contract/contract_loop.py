"""How is an episode played at random, fast? One loop, compiled for each game and kept as the game's own libraries are.

Compiled code is made again when its file changes, so nothing else stands here.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from banakil_env.core.engine import carry_out, legal_mask, status
from banakil_env.core.game import Game
from banakil_env.core.jit import INT, Entry, Library, read, written
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.random import random_below


def _play_at_random(states: Any, generators: Any, moves: int, tries: int, liking: Any, mask: Any) -> int:
    state, generator = states[0], generators[0]
    for move in range(moves):
        if status(state):
            return move
        legal_mask(state, mask)
        count = count_legal(mask)
        if count == 0:
            return -1
        chosen = legal_at(mask, random_below(generator, count))
        for _ in range(tries - 1):
            other = legal_at(mask, random_below(generator, count))
            if liking[other] > liking[chosen]:
                chosen = other
        carry_out(state, chosen)
    return moves


@functools.cache
def _entry_of(game: Game) -> Entry:
    declared = {
        "states": written(game.state, 1),
        "generators": written(GENERATOR, 1),
        "moves": INT,
        "tries": INT,
        "liking": read("i8", game.num_actions),
        "mask": written("i1", game.num_actions),
    }
    return Library(f"{game.name}_random_play").entry(_play_at_random, declared, result=True)


def play_at_random(game: Game, states: Any, generators: Any, moves: int, tries: int = 1, liking: Any = None) -> int:
    """Play at one table until the episode is over, with a limit of moves; returns the number of moves.

    Args:
        states: an array of one, which is played on. generators: an array of one, of the dice.
        tries: of this number of random legal actions the one that is liked best is played.
        liking: int64, a number an action.

    Returns:
        The number of moves; -1: it came to a position without a legal action.
    """
    liking = np.zeros(game.num_actions, np.int64) if liking is None else liking
    mask = np.zeros(game.num_actions, np.int8)
    return int(_entry_of(game)(states, generators, moves, tries, liking, mask))
