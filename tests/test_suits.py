"""Are the columns, actions and faces of a position with other names of the suits those that the maps say?"""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from tables import TABLES

from agents.encoding import encode
from banakil_env.core.cards import SUITS
from banakil_env.games import banakil
from banakil_env.games.banakil.actions import NUM_ACTIONS
from train.suits import ACTION_MAPS, COLUMN_MAPS, FACE_MAPS, NUM_ORDERS, ORDERS


def renamed(state, order):
    """The same position with the suits in another order."""
    named = {suit: SUITS[to] for suit, to in zip(SUITS, order)}
    text = banakil.to_text(state)
    return banakil.from_text(re.sub(r"\b([2-9TJQKA])([cdhs])\b", lambda found: found[1] + named[found[2]], text))


@pytest.mark.parametrize("name", ["pagat two", "jawaker partners", "gamefarm individuals"])
def test_a_position_with_other_names_of_the_suits(name):
    rng = random.Random(7)
    state = banakil.new(**TABLES[name], seed=2)
    for move in range(120):
        if banakil.is_over(state):
            state = banakil.new(**TABLES[name], seed=move)
        number = rng.randrange(NUM_ORDERS)
        other = renamed(state, ORDERS[number])
        seat = banakil.seat_to_move(state)
        [x, y] = [banakil.observe(one, seat) for one in (state, other)]
        (columns, piled), (their_columns, their_piled) = (encode(one["observation"][None]) for one in (x, y))
        moved = np.zeros_like(columns)
        moved[:, COLUMN_MAPS[number]] = columns
        np.testing.assert_array_equal(moved, their_columns)
        np.testing.assert_array_equal(FACE_MAPS[number][piled], their_piled)
        mask = np.zeros_like(x["action_mask"])
        mask[ACTION_MAPS[number]] = x["action_mask"]
        np.testing.assert_array_equal(mask, y["action_mask"])
        banakil.apply(state, rng.choice(banakil.legal_actions(state)))


def test_every_order_is_a_permutation_and_the_first_changes_nothing():
    for maps, count in ((COLUMN_MAPS, COLUMN_MAPS.shape[1]), (ACTION_MAPS, NUM_ACTIONS)):
        assert (np.sort(maps, axis=1) == np.arange(count)).all()
        assert (maps[0] == np.arange(count)).all()
        assert len(np.unique(maps, axis=0)) == NUM_ORDERS
