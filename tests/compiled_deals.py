"""Compiled play for the tests of any game: two players on the same deals, and random moves with every state checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.engine import (
    carry_out,
    check,
    legal_mask,
    observe,
    reward,
    seat_to_move,
    start,
    start_episode,
    status,
)
from banakil_env.core.game import Game
from banakil_env.core.jit import bind, compiled
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.random import random_below, seed_word


def one(observation: Any, mask: Any, generator: Any) -> int:
    """The one player, bound below."""
    raise NotImplementedError


def other(observation: Any, mask: Any, generator: Any) -> int:
    """The other player, bound below."""
    raise NotImplementedError


def _deals(states: Any, seen: Any, mask: Any, dice: Any, deals: int, totals: Any) -> bool:
    """Play deals, `one` on the seats by turns and `other` on all others; the margin of `one` and turns into totals."""
    state, seats = states[0], states[0].num_players
    for deal in range(deals):
        start(state, np.uint64(deal // seats + 1000))
        seat = seat_to_move(state)
        while seat >= 0:
            observe(state, seat, seen[0])
            legal_mask(state, mask)
            action = one(seen[0], mask, dice[0]) if seat == deal % seats else other(seen[0], mask, dice[0])
            if not mask[action]:
                return False
            carry_out(state, action)
            seat = seat_to_move(state)
        totals[0] += reward(state, deal % seats, 0)
        totals[1] += state.turns
    return True


def margin(game: Game, one: Any, other: Any, name: str, deals: int, **options: Any) -> tuple[float, float]:
    """Mean margin a deal of `one` against `other` on all other seats, and turns."""
    play = bind(_deals, f"{game.name}_{name}", one=one, other=other)
    states, totals = game.new(**options), np.zeros(2)
    seen, mask = np.zeros(1, game.observation), np.zeros(game.num_actions, np.int8)
    assert play(states, seen, mask, np.zeros(1, GENERATOR), deals, totals), "an illegal answer"
    return totals[0] / deals, totals[1] / deals


@compiled
def _moves(states: Any, dice: Any, mask: Any, count: int) -> int:
    """Random moves, every state checked; the first fault."""
    state = states[0]
    for _ in range(count):
        legal_mask(state, mask)
        carry_out(state, legal_at(mask, random_below(dice[0], count_legal(mask))))
        fault = check(state)
        if fault:
            return fault
        if status(state):
            start_episode(state)
    return 0


def fault_of_moves(game: Game, count: int, **options: Any) -> str:
    """The first error in a number of random moves, with every card counted after each; "" without an error."""
    states = game.new(**options)
    kernels_of(game).start_one(states, seed_word(int(states[0].num_players)))
    fault = _moves(states, np.zeros(1, GENERATOR), np.zeros(game.num_actions, np.int8), count)
    return game.faults[fault - 1] if fault else ""
