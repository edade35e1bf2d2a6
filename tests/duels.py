"""Compiled players against each other, on every seat of the same deals: for tests of a game's `greedy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.engine import carry_out, legal_mask, observe, seat_to_move, start
from banakil_env.core.game import Game
from banakil_env.core.jit import bind
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.masks import legal_at


def one(observation: Any, mask: Any, generator: Any) -> int:
    """The one player, bound below."""
    raise NotImplementedError


def other(observation: Any, mask: Any, generator: Any) -> int:
    """The other player, bound below."""
    raise NotImplementedError


def _play(states: Any, seens: Any, masks: Any, generators: Any, deals: int, seats: int, totals: Any) -> None:
    """Play deals, `one` on the seats by turns and `other` on all others; the points of both, and turns, into totals."""
    state, seen, mask = states[0], seens[0], masks[0]
    for deal in range(deals):
        start(state, np.uint64(deal // seats + 1000))
        seat = 0
        while True:
            seat = seat_to_move(state)
            if seat < 0:
                break
            observe(state, seat, seen)
            legal_mask(state, mask)
            if seat == deal % seats:
                action = one(seen, mask, generators[0])
            else:
                action = other(seen, mask, generators[0])
            if not mask[action]:
                action = legal_at(mask, 0)
                totals[3] += 1
            carry_out(state, action)
        for each in range(seats):
            totals[0 if each == deal % seats else 1] += state.points[each]
        totals[2] += state.turns


def points_a_deal(
    game: Game, one: Any, other: Any, name: str, deals: int, **options: Any
) -> tuple[float, float, float]:
    """Mean points a deal of `one` and of each `other`, and turns; both sit on every seat of the same cards."""
    play = bind(_play, f"{game.name}_{name}", one=one, other=other)
    states = game.new(**options)
    seats = int(states[0].num_players)
    totals, generators = np.zeros(4, np.int64), np.zeros(1, GENERATOR)
    seens, masks = np.zeros(1, game.observation), np.zeros((1, game.num_actions), np.int8)
    deals -= deals % seats
    play(states, seens, masks, generators, deals, seats, totals)
    assert totals[3] == 0, f"{totals[3]} illegal answers"
    return totals[0] / deals, totals[1] / deals / (seats - 1), totals[2] / deals
