"""Does `greedy` play as a sensible person would, and better than simpler strategies?"""

from __future__ import annotations

import numpy as np
import pytest
from choices import choice_of
from gin_play import play, table

from banakil_env.core import engine
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import seed_word
from banakil_env.games import find, gin
from banakil_env.games.gin import greedy
from banakil_env.games.gin import state as S
from banakil_env.kit.melds.deadwood import deadwood
from banakil_env.kit.pack52 import VALUES, bit_of

GAME = find("gin")


def choice(state) -> str:
    """What greedy does."""
    return choice_of(gin, "greedy", state)


MIXED = "3c 4c 7d 7h Js Qs Kd 9h 2s 5d"
REST = "8d 6h 5s Qh Jd 9s 3h Ts Ac 2d"


@pytest.mark.parametrize(("upcard", "action"), [("5c", "take"), ("7c", "take"), ("Ks", "take"), ("Ah", "draw")])
def test_it_takes_what_makes_a_meld(upcard, action):
    assert choice(table(MIXED, REST, upcard, "seat 0, draw")) == action


def test_it_throws_the_card_that_is_good_for_nothing():
    assert choice(table(MIXED + " 3s", REST, "5c", "seat 0, play")) == "discard Kd"


@pytest.mark.parametrize(("collected", "kept"), [("Jd Qd", "Kd"), ("Jh Qh", "Kh")])
def test_it_keeps_back_what_the_other_seat_collects(collected, kept):
    """One of two Kings has to go."""
    other = f"Td Tc 9s 3h Ac Qc 8c 5s {collected}"
    state = table("3c 4c 5c 7d 7h 7s As 2s 3s Kd Kh", other, "4h", "seat 0, play", limit="0", known_1=collected)
    assert choice(state) == "discard " + ("Kh" if kept == "Kd" else "Kd")


def test_it_knocks_early_and_late_only_with_little():
    hand, other = "3c 4c 5c 6c 9d 9h 9s Ad 2d 4h Kd", "7c 2c 9c Qh Qs Qd Jh 8d 6h 5s"
    state = table(hand, other, "Th", "seat 0, play")
    assert choice(state) == "knock"
    state.turns = 25
    assert choice(state) == "discard Kd"


def test_it_lays_melds_and_lays_off():
    hand, other = "3c 4c 5c 6c 9d 9h 9s Ad 2d 4h Kd", "7c 2c 9c Qh Qs Qd Jh 8d 6h 5s"
    state = play(table(hand, other, "Th", "seat 0, play"), "knock")
    said = []
    while not gin.is_over(state):
        said.append(choice(state))
        play(state, said[-1])
    assert said[:4] == ["discard Kd", "open 3c 4c 5c 6c", "open 9d 9h 9s", "pass"]
    assert set(said[4:7]) == {"add 2c", "add 7c", "add 9c"}
    assert said[7:] == ["pass", "open Qd Qh Qs", "pass"]


def test_big_gin_is_said():
    hand, other = "3c 4c 5c 6c 9d 9h 9s Ad 2d 3d 4d", "7c 2c 9c Qh Qs Qd Jh 8d 6h 5s"
    assert choice(table(hand, other, "Th", "seat 0, play", rules="common")) == "big gin"


def at_once(seen, mask) -> int:
    """Draws from the stock, knocks as soon as it may, and discards what leaves the least deadwood; lays as greedy."""
    for action in (S.A_DRAW, S.A_BIG_GIN, S.A_KNOCK):
        if mask[action]:
            return action
    if mask[S.A_TAKE]:
        return S.A_PASS
    cards = np.flatnonzero(mask[S.A_DISCARD :])
    if not len(cards):
        return int(greedy.act(seen, mask, seen))
    hand = np.int64(sum(1 << int(face) for face in np.flatnonzero(seen.hand)))
    return S.A_DISCARD + min(cards.tolist(), key=lambda f: (deadwood(hand & ~bit_of(f)), -VALUES[f % 13]))


@pytest.mark.parametrize("rules", ["openspiel", "common"])
def test_it_is_ahead_of_a_player_that_draws_always_and_knocks_at_once(rules, long):
    margins, kernels = [], kernels_of(GAME)
    seen, mask = np.zeros(1, GAME.observation), np.zeros(GAME.num_actions, np.int8)
    for seed in range(3000 if long else 200):
        margin = 0.0
        for seat in (0, 1):
            states = GAME.new(rules=rules)
            kernels.start_one(states, seed_word(seed))
            while states[0].phase != S.T.OVER:
                kernels.observe_one(states, int(states[0].seat), seen, mask)
                own = states[0].seat == seat
                kernels.apply_one(states, int(greedy.act(seen[0], mask, seen[0])) if own else at_once(seen[0], mask))
            margin += engine.reward(states[0], seat, 0) / 2
        margins.append(margin)
    mean, error = np.mean(margins), np.std(margins) / len(margins) ** 0.5
    print(f"{mean:.2f} +- {1.96 * error:.2f}")
    assert mean > 3 * error
