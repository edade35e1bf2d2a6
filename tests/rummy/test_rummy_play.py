"""What holds in every game: texts and bytes lose nothing, cards are where they were, nothing hidden shows."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rummy_tables import at, random_states

from banakil_env.core import engine
from banakil_env.core.engine import (
    carry_out,
    check,
    legal_mask,
    num_seats,
    observe,
    reward,
    seat_to_move,
    start,
    start_episode,
    status,
)
from banakil_env.core.jit import bind, compiled, interpreted
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.random import random_below, seed_word
from banakil_env.games import rummy
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


# Texts and bytes -----------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.sampled_from(TABLES), st.sampled_from(["round", "match"]), st.integers(0, 2**32))
def test_round_trips(table, episode, seed):
    players, rules = table
    for state in random_states(12, seed, num_players=players, rules=rules, episode=episode):
        assert rummy.from_text(rummy.to_text(state)).tobytes() == state.tobytes()
        assert rummy.from_bytes(state.tobytes()) == state


@settings(max_examples=200)
@given(st.binary(min_size=8, max_size=8), st.integers(0, rummy.STATE.itemsize - 8))
def test_damaged_records_are_refused_or_play_on(damage, where):
    state = next(random_states(1, where, num_players=3))
    content = bytearray(state.tobytes())
    content[where : where + 8] = damage
    try:
        damaged = rummy.from_bytes(bytes(content))
    except rummy.BadState:
        return
    dice = random.Random(where)
    for _ in range(20):
        if rummy.is_over(damaged):
            break
        rummy.apply(damaged, dice.choice(rummy.legal_actions(damaged)))
        assert rummy.check(damaged) is None


def test_a_refused_action_changes_nothing():
    for state in random_states(30, 5, num_players=3):
        before, legal = state.tobytes(), rummy.legal_actions(state)
        for action in set(range(len(rummy.GAME.actions))) - set(legal):
            assert not kernels_of(rummy.GAME).apply_one(np.asarray(state).reshape(1), action) >= 0
        assert state.tobytes() == before


def test_replayed_records_end_the_same():
    dice = random.Random(3)
    state = rummy.new(num_players=4, rules="memory", seed=3)
    record = rummy.Recorder(state, seed=3)
    while not rummy.is_over(state):
        action = dice.choice(rummy.legal_actions(state))
        record.note(state, action)
        rummy.apply(state, action)
    assert rummy.replay(record.text(state)).tobytes() == state.tobytes()


# Hidden cards --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "rules"), TABLES)
def test_hidden_cards_dealt_again_look_the_same(players, rules):
    changed = 0
    for seed, state in enumerate(random_states(60, 11, num_players=players, rules=rules)):
        for seat in range(players):
            other = rummy.redeal_hidden(state, seat, seed)
            assert rummy.check(other) is None
            before, after = rummy.observe(state, seat), rummy.observe(other, seat)
            assert before["observation"].tobytes() == after["observation"].tobytes()
            assert before["action_mask"].tobytes() == after["action_mask"].tobytes()
            changed += (other.hands != state.hands).any() or (other.stock != state.stock).any()
    assert changed > 30


@pytest.mark.parametrize(("players", "rules"), TABLES)
def test_a_supposed_state_looks_the_same(players, rules):
    supposed = np.zeros(1, rummy.STATE)
    for seed, state in enumerate(random_states(40, 12, num_players=players, rules=rules, episode="match")):
        for seat in range(players):
            seen = rummy.observe(state, seat)["observation"].view(rummy.OBSERVATION)
            engine.suppose(seen[0], seed_word(seed), supposed[0])
            assert rummy.check(supposed[0]) is None
            assert rummy.observe(supposed[0], 0)["observation"].tobytes() == seen.tobytes()


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


@compiled
def play_and_check(states, dice, mask, moves):
    """Random moves, every state checked; the first fault."""
    state = states[0]
    for _ in range(moves):
        legal_mask(state, mask)
        carry_out(state, legal_at(mask, random_below(dice[0], count_legal(mask))))
        fault = check(state)
        if fault:
            return fault
        if status(state):
            start_episode(state)
    return 0


@pytest.mark.parametrize(("players", "rules"), TABLES)
def test_every_card_is_somewhere_after_every_move(players, rules, long):
    states = rummy.GAME.new(num_players=players, rules=rules, episode="match")
    kernels_of(rummy.GAME).start_one(states, seed_word(players))
    fault = play_and_check(states, np.zeros(1, GENERATOR), np.zeros(219, np.int8), 2_000_000 if long else 20_000)
    assert fault == 0, rummy.GAME.faults[fault - 1]


def greedy(seen, mask, dice):
    """The player, bound below."""
    raise NotImplementedError


def _greedy_against_random(states, seen, dice, mask, deals, totals):
    state = states[0]
    for deal in range(deals):
        start(state, np.uint64(deal))
        while not status(state):
            seat = seat_to_move(state)
            observe(state, seat, seen[0])
            legal_mask(state, mask)
            if (seat + deal) % num_seats(state) == 0:
                action = greedy(seen[0], mask, dice[0])
            else:
                action = legal_at(mask, random_below(dice[0], count_legal(mask)))
            if mask[action] == 0:
                return False
            carry_out(state, action)
        for seat in range(num_seats(state)):
            totals[(seat + deal) % num_seats(state)] += reward(state, seat, 0)
    return True


def test_greedy_is_far_ahead_of_random(long):
    play = bind(
        _greedy_against_random,
        "rummy_greedy_against_random",
        greedy=rummy.GAME.players["greedy"],
    )
    deals = 5000 if long else 200
    for players, rules in TABLES:
        states, totals = rummy.GAME.new(num_players=players, rules=rules), np.zeros(6)
        seen, dice, mask = np.zeros(1, rummy.OBSERVATION), np.zeros(1, GENERATOR), np.zeros(219, np.int8)
        assert play(states, seen, dice, mask, deals, totals)
        assert totals[0] / deals > 40


def test_the_interpreter_plays_the_same():
    """A state is the same whether a function is compiled or not: a few moves with `py_func`."""
    for state in random_states(20, 8, num_players=2):
        mask, plain = np.zeros(219, np.int8), np.zeros(219, np.int8)
        engine.legal_mask(state, mask)
        interpreted(engine.legal_mask)(state, plain)
        assert (mask == plain).all()
