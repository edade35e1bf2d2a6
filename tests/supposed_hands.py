"""Positions to search, the hands in supposed deals, and how far apart two samples of them are."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.agents import choose, make_player
from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import seed_word
from banakil_env.kit.plain import Plain


def position_of(game: Game) -> tuple[Any, int]:
    """A state some moves into a round of the rule-based player, with a choice to make, and the seat that makes it."""
    plain, player = Plain(game), make_player("greedy", game)
    for seed in range(100):
        state, moves = plain.new(seed=seed, **game.tables[0].options), 0
        while (seat := plain.seat_to_move(state)) is not None:
            if moves >= 6 and len(plain.legal_actions(state)) >= 3:
                return state, seat
            plain.apply(state, choose(player, plain.observe(state, seat)))
            moves += 1
    raise AssertionError("no such position")


def hands_in(game: Game, states: npt.NDArray[Any], seat: int) -> npt.NDArray[np.int64]:
    """How many cards of each kind the other seats hold, int64 (states, cells); the next seat to `seat` first."""
    seats, seen, mask = (
        int(states[0]["num_players"]),
        np.empty(1, game.observation),
        np.empty(game.num_actions, np.int8),
    )
    rows = []
    for i in range(len(states)):
        row = []
        for other in range(1, seats):
            kernels_of(game).observe_one(states[i : i + 1], (seat + other) % seats, seen, mask)
            row.append(seen[0]["hand"].astype(np.int64))
        rows.append(np.concatenate(row))
    return np.array(rows)


def redealt(game: Game, state: Any, seat: int, deals: int) -> npt.NDArray[Any]:
    """`deals` redeals of what the seat cannot see."""
    states = np.repeat(np.asarray(state).reshape(1), deals)
    for i in range(deals):
        kernels_of(game).redeal_hidden_one(states[i : i + 1], seat, seed_word(i))
    return states


def apart(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """How many standard errors the means of two samples (rows) are apart, by column."""
    error = np.sqrt(first.var(axis=0) / len(first) + second.var(axis=0) / len(second))
    return np.abs(first.mean(axis=0) - second.mean(axis=0)) / np.maximum(error, 1e-9)
