"""Does the search see only what its seat sees, and does it think? The reconstructed state, the budget, and plain cases."""

from __future__ import annotations

import random

import numpy as np
import pytest

from agents import choose, make_player
from agents.search import SearchPlayer
from banakil_env.core.jit import compiled
from banakil_env.games import banakil
from banakil_env.games.banakil.determinize import state_from_observation
from banakil_env.games.banakil.game import KERNELS
from banakil_env.games.banakil.observation import OBSERVATION
from banakil_env.games.banakil.state import STATE

TABLES = [
    ("pagat", 2, None),
    ("pagat", 3, None),
    ("pagat", 4, True),
    ("pagat cutter_takes_wilds=yes", 4, False),
    ("jawaker", 4, True),
    ("gamefarm", 2, None),
]


@compiled
def reconstruct(observations, seed, states):
    state_from_observation(observations[0], seed, states[0])


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize(("rules", "players", "partners"), TABLES)
def test_the_state_made_of_an_observation_looks_the_same_from_that_seat(rules, players, partners, episode):
    rng = random.Random(4)
    state = banakil.new(players, partners, rules, episode, seed=5)
    made = np.zeros(1, STATE)
    for move in range(400):
        for seat in range(players):
            seen = banakil.observe(state, seat)
            reconstruct(seen["observation"].view(OBSERVATION), np.uint64(move), made)
            again = np.empty(1, OBSERVATION)
            KERNELS.observe_one(made, 0, again, np.empty(799, np.int8), np.empty(799, np.int16))
            different = [n for n in OBSERVATION.names if np.any(again[n] != seen["observation"].view(OBSERVATION)[n])]
            assert not different, (different, banakil.to_text(state))
            if seat == banakil.seat_to_move(state):
                assert banakil.legal_actions(made[0]) == banakil.legal_actions(state)
        banakil.apply(state, rng.choice(banakil.legal_actions(state)))
        if banakil.is_over(state):
            state = banakil.new(players, partners, rules, episode, seed=move)
