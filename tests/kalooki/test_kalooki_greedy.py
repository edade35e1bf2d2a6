"""Does `greedy` play as a sensible person, and well ahead of random? When does `expert` do something else?"""

from __future__ import annotations

import numpy as np
import pytest
from choices import choice_of
from kalooki_tables import table

from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.games import kalooki

DOWN = "melds 0: 7c 7d 7h | 9c 9d 9h | Kc Kd Kh"


def choice(state, player="greedy"):
    """What a player does in a position."""
    return choice_of(kalooki, player, state)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("turn: seat 0, draw", "hand 0: 2c 2d 5h 6h 9s Kd", "pile: 2h"), "take"),
        (("turn: seat 0, draw", "hand 0: 2c 3d 5h 6h 9s Kd", "pile: Qs"), "draw"),
        (("turn: seat 0, draw", "hand 0: 2c 2d 2h 6c 6d 6h Kc Kd Kh 9s", "pile: 4s"), "draw"),  # not needed
        (("turn: seat 1, call, active 0", "hand 1: 2c 2d 5h 6h 9s Kd", "pile: 2h"), "call"),
        (("turn: seat 1, call, active 0", "hand 1: 2c 4d 5h 6h 9s Kd", "pile: 2h"), "pass"),
        (("turn: seat 0, answer, caller 1", "hand 0: 2c 2d 5h 6h 9s Kd", "pile: 2h"), "refuse"),
        (("turn: seat 0, answer, caller 1", "hand 0: 3c 4d 5h 6h 9s Kd", "pile: Qs"), "allow"),
        (("hand 0: 7c 7d 7h 9c 9d 9h Kc Kd Kh JK 3c",), "open Kc Kd Kh"),
        ((DOWN, "melds 1: 5s 6s JK 8s", "hand 0: 7s 2c"), "swap 7s"),
        (("hand 0: 2c 2d 5h 5d 9s Kd Kh As",), "discard As"),
    ],
    ids=str,
)
def test_what_greedy_does(lines, expected):
    assert choice(table(*lines)) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((), "pass"),
        (("calls: 0 1 0",), "call"),
        (("melds 2: 2c 2d 2h | 3c 3d 3h | 4c 4d 4h",), "call"),
        (("pile: Kc Kc Kd Ks Kh Kh",), "call"),  # of the cards that would do, only the four Jokers are hidden
    ],
    ids=str,
)
def test_expert_waits_to_bend_the_table_before_its_first_call(lines, expected):
    """The hand lacks one King, and the upcard is a King. After a call it has two cards more to get rid of (K2.5)."""
    hand = "hand 1: 7c 7d 7h 9c 9d 9h Kd Ks 3c"
    usual = {"hand": hand, "pile": "pile: Kh"} | {line.split(":")[0].split()[0]: line for line in lines}
    state = table("turn: seat 1, call, active 0", *usual.values())
    assert choice(state, "greedy") == "call"
    assert choice(state, "expert") == expected


def test_greedy_is_far_ahead_of_random(long):
    players, margins = kalooki.GAME.players, []
    seen, mask = np.zeros(1, kalooki.GAME.observation), np.zeros(kalooki.GAME.num_actions, np.int8)
    dice = np.zeros(1, GENERATOR)
    for seed in range(1000 if long else 40):
        state = kalooki.new(num_players=4, rules="contract=any", seed=seed)
        while not kalooki.is_over(state):
            seat = kalooki.seat_to_move(state)
            kernels_of(kalooki.GAME).observe_one(np.asarray(state).reshape(1), seat, seen, mask)
            kalooki.apply(state, players[("greedy", "random")[(seat + seed) % 2]](seen[0], mask, dice[0]))
        scores = [int(score) * (1 if (seat + seed) % 2 else -1) for seat, score in enumerate(state.scores[:4])]
        margins.append(sum(scores) / 2)
    assert np.mean(margins) > 70
