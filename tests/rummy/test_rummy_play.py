"""What holds in every game: texts and bytes lose nothing, cards are where they were, nothing hidden shows."""

from __future__ import annotations

import random

import numpy as np
import pytest
from duels import duel
from rummy_tables import at

from banakil_env.core import engine
from banakil_env.core.random import seed_word
from banakil_env.games import rummy
from banakil_env.kit import uniform
from banakil_env.kit.melds.going_out import can_be_emptied
from banakil_env.kit.melds.runs_and_sets import OPENINGS, is_run, places
from banakil_env.kit.pack52 import bit_of, faces_of, text_of

TABLES = [(2, "denexa"), (3, "memory"), (4, "free"), (5, "block"), (6, "denexa last_card=discard stock_out=turn")]


# Going out -----------------------------------------------------------------------------------------------------------


def goes_out(hand, runs, sets, banned, must_discard):
    """The same by trying every play in every order."""
    if not hand:
        return not must_discard
    if hand & (hand - 1) == 0 and not hand & banned:
        return True
    for cards in map(int, OPENINGS):
        if hand & cards == cards:
            now = (runs | cards, sets) if is_run(cards) else (runs, sets | cards)
            if goes_out(hand & ~cards, *now, banned, must_discard):
                return True
    for face in faces_of(hand & int(places(runs, sets))):
        card = 1 << face
        on_run = card & int(places(runs, 0))
        on_set = card & int(places(0, sets))
        if on_run and goes_out(hand & ~card, runs | card, sets, banned, must_discard):
            return True
        if on_set and goes_out(hand & ~card, runs, sets | card, banned, must_discard):
            return True
    return False


def test_going_out_is_exact(long):
    """Hands and tables made of openings and a few other cards, so that both answers are common."""
    dice = random.Random(0)
    answers = []
    for _ in range(20000 if long else 1500):
        melds = []
        for cards in dice.sample(list(map(int, OPENINGS)), 4):
            if not cards & sum(melds):
                melds.append(cards)
        on_table = melds[: dice.randrange(3)]
        runs = sum(cards for cards in on_table if is_run(cards))
        sets = sum(on_table) - runs
        hand = sum(melds[len(on_table) : len(on_table) + dice.randrange(3)])
        for face in dice.sample(range(52), dice.randrange(4)):
            hand |= 1 << face & ~(runs | sets)
        banned = 1 << dice.choice(faces_of(hand)) if hand and dice.random() < 0.5 else 0
        must_discard = dice.random() < 0.5
        expected = goes_out(hand, runs, sets, banned, must_discard)
        answer = can_be_emptied(hand, runs, sets, banned, must_discard)
        assert bool(answer) == expected, (text_of(hand), text_of(runs), text_of(sets), text_of(banned), must_discard)
        answers.append(expected)
    assert 0.2 < sum(answers) / len(answers) < 0.8


# Hidden cards --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["2d", "2d Qd", "2h 3h 4h 2d", "2h 3h 4h Ts Js Qs Qd 2d"])
def test_a_seat_that_goes_rummy_is_dealt_a_hand_with_which_it_can(hand):
    melds = ("melds 1: 5h 6h 7h | 8c 8d 8s", "melds 0: 9d Td Jd", "turn: seat 1, play, melds 2, in one turn")
    state, supposed = at(f"hand 1: {hand}", "hand 0: 4c 5d", *melds), np.zeros(1, rummy.STATE)
    seen = rummy.observe(state, 0)["observation"].view(rummy.OBSERVATION)
    for seed in range(20):
        assert rummy.legal_actions(rummy.redeal_hidden(state, 0, seed))
        engine.suppose(seen[0], seed_word(seed), supposed[0])
        assert rummy.legal_actions(supposed[0])


def test_a_card_that_waits_for_its_meld_is_seen_to_be_there():
    state = at("hand 1: 6c Ks 2h", "melds 0: 3c 4c 5c | 7c 8c 9c", "turn: seat 1, choose add 6c")
    for seed in range(5):
        assert rummy.redeal_hidden(state, 0, seed).hands[1, 0] & bit_of(5)


# Many games ----------------------------------------------------------------------------------------------------------


def test_greedy_is_far_ahead_of_random(long):
    players = {"greedy": rummy.GAME.players["greedy"], "random": uniform.act}
    for seats, rules in TABLES:
        options = {"num_players": seats, "rules": rules}
        assert duel(rummy.GAME, players, "greedy", "random", 5000 if long else 200, **options).margin > 40
