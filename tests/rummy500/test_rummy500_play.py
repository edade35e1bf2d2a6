"""The look-ahead of the draw against trying, and hidden cards."""

from __future__ import annotations

import numpy as np
import pytest
from rummy500_tables import at, random_states

from banakil_env.core import engine
from banakil_env.core.random import seed_word
from banakil_env.games import rummy500
from banakil_env.games.rummy500 import moves
from banakil_env.games.rummy500 import state as S
from banakil_env.kit import table_state as T

TABLES = [
    (2, "denexa"),
    (3, "turn"),
    (4, "plain calls=yes"),
    (5, "quiet"),
    (6, "denexa jokers=1 hand_cards=10"),
    (8, "denexa"),
]


def playable(state, depth):
    """Whether a card can be played after this number of cards is taken; the state is changed."""
    moves.take(state, np.int64(depth - 1))
    return bool(_mask(state)[S.OPEN_RUN : S.DISCARD].any())


def _mask(state):
    mask = np.zeros(S.NUM_ACTIONS, np.int8)
    engine.legal_mask(state, mask)
    return mask


@pytest.mark.parametrize(("players", "rules"), TABLES)
def test_cards_may_be_taken_where_the_deepest_can_be_played(players, rules, long):
    """F3.3 by trying: take the cards, and see whether there is an opening or a lay-off."""
    answers = []
    for state in random_states(1500 if long else 50, players, num_players=players, rules=rules):
        if state.phase == T.DRAW:
            mask = _mask(state)
            for depth in range(1, int(state.pile_size) + 1):
                answers.append(bool(mask[S.TAKE + depth - 1]))
                assert answers[-1] == playable(state.copy(), depth), rummy500.to_text(state)
    assert set(answers) == {True, False}


def test_a_rummy_is_what_could_be_played_with_empty_hands(long):
    """F7.1 by trying: the same with no card in the hand."""
    answers = []
    for state in random_states(6000 if long else 200, 3, num_players=3):
        if state.phase in (T.DRAW, S.CALL):
            bare = state.copy()
            bare.hands[bare.seat] = bare.known[bare.seat] = 0
            depths = [depth for depth in range(1, int(bare.pile_size) + 1) if playable(bare.copy(), depth)]
            answers.append(bool(depths))
            assert bool(moves.holds_rummy(state)) == answers[-1], rummy500.to_text(state)
    assert set(answers) == {True, False}


@pytest.mark.parametrize("hand", ["8h 8d 4c", "7c 9c 4c 2d", "JK 8s 3h", "8h JK JK 2c 3d"])
def test_a_seat_that_has_to_play_a_card_is_dealt_a_hand_with_which_it_can(hand):
    state = at(f"hand 1: 8c {hand}", "hand 0: 2s Ks", "known 1: 8c", "pile: 5d", "turn: seat 1, play, must 8c")
    seen = rummy500.observe(state, 0)["observation"].view(rummy500.OBSERVATION)
    supposed = np.zeros(1, rummy500.STATE)
    for seed in range(20):
        assert rummy500.legal_actions(rummy500.redeal_hidden(state, 0, seed))
        engine.suppose(seen[0], seed_word(seed), supposed[0])
        assert rummy500.legal_actions(supposed[0])


@pytest.mark.parametrize("card", ["6c", "JK high"])
def test_a_card_that_waits_for_its_meld_is_seen_to_be_there(card):
    state = at(f"hand 1: {card.split()[0]} Ks 2h", "melds 0: 3c 4c 5c | 7c 8c 9c", f"turn: seat 1, choose add {card}")
    face = rummy500.GAME.actions.parse(f"discard {card.split()[0]}") - S.DISCARD
    for seed in range(5):
        assert int(rummy500.redeal_hidden(state, 0, seed).hands[1, 0]) >> face & 1
