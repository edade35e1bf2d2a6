"""How is an episode played at random, fast? One compiled loop for any game, in a file of its own.

Compiled code is made again when its file changes, so nothing else stands here.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.engine import carry_out, legal_mask, status
from banakil_env.core.jit import compiled
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.random import random_below


@compiled
def play_at_random(states: Any, generators: Any, moves: int, tries: int, liking: Any, mask: Any) -> int:
    """Play at the first table until the episode is over, with a limit of moves; returns the number of moves.

    Of `tries` random legal actions the one that is liked best is played; `liking` is int64, a number an action.
    """
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
