"""Is `greedy` clearly ahead of `random`, and does it do what a person would do?"""

from __future__ import annotations

import numpy as np
import pytest
from choices import choice_of
from contract_rummy_tables import table

from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.games import contract as contract_rummy

GAME = contract_rummy.GAME
DOWN = "melds 0: 7c 7d 7h | 9c 9d 9h"


@pytest.mark.parametrize("contract", [1, 3, 6])
def test_greedy_is_ahead_of_random(contract, long):
    """Points per deal: few are good. One seat of three plays random."""
    totals, deals = np.zeros(3), 1000 if long else 12
    seen, mask, dice = np.zeros(1, GAME.observation), np.zeros(GAME.num_actions, np.int8), np.zeros(1, GENERATOR)
    for seed in range(deals):
        state = contract_rummy.new(rules=f"contract={contract}", seed=seed)
        while not contract_rummy.is_over(state):
            seat = contract_rummy.seat_to_move(state)
            kernels_of(GAME).observe_one(np.asarray(state).reshape(1), seat, seen, mask)
            player = GAME.players["random" if seat == seed % 3 else "greedy"]
            contract_rummy.apply(state, player(seen[0], mask, dice[0]))
        totals += np.roll(state.points[:3], -(seed % 3))
    assert totals[1:].mean() / deals + 40 < totals[0] / deals


def choice(*lines):
    """What greedy does in a position."""
    return choice_of(contract_rummy, "greedy", table(*lines))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("turn: seat 0, draw", "hand 0: 7c 7d 9c 9d 9h 2s 4h Jd Qs Ac", "pile: 7s"), "take"),
        (("turn: seat 0, draw", "hand 0: 7c 7d 9c 9d 9h 2s 4h Jd Qs Ac", "pile: 8s"), "draw"),
        (("turn: seat 0, draw", "hand 0: 7c 7d 7h 9c 9d 9h 2s 4h Jd Qs", "pile: Ks"), "draw"),  # not needed
        (("turn: seat 0, draw", DOWN, "hand 0: Kc Kd 2s", "pile: Kh"), "take"),
        (("turn: seat 0, draw", DOWN, "hand 0: Kc Kd Kh 2s", "pile: 4s"), "draw"),  # goes into no meld
        (("turn: seat 0, draw", DOWN, "hand 0: 2d 3s 5s 6s", "pile: 4s"), "take"),
        (("turn: seat 1, call, active 0", "hand 1: 7c 7d 9c 9d 9h 2s 4h Jd Qs Ac", "pile: 7s"), "call"),
        (("turn: seat 0, call, active 1", DOWN, "hand 0: Kc Kd 2s", "pile: Kh"), "call"),
        (("turn: seat 0, call, active 1", DOWN, "hand 0: Kc Kd 2s", "pile: 7s"), "pass"),  # only laid off
        (("turn: seat 1, call, active 0", "hand 1: 7c 7d 9c 9d 9h 2s 4h Jd Qs Ac", "pile: 8s"), "pass"),
        (("hand 0: 7c 7d 7h 9c 9d 9h JK 2s 4h Jd",), "open 9c 9d 9h"),
        (("hand 0: 7c 7d 9c 9d 9h 2s 4h Jd Ks Ac",), "discard Ac"),
        ((DOWN, "hand 0: 7s Kd 2c"), "add 7s"),
        ((DOWN, "hand 0: Kd Kc 2c JK"), "open Kc Kd JK"),
    ],
)
def test_what_greedy_does(lines, expected):
    assert choice(*lines) == expected
