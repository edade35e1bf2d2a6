"""The look-ahead of the draw against trying, and hidden cards."""

from __future__ import annotations

import numpy as np
import pytest
from oklahoma_tables import at, random_states

from banakil_env.core import engine
from banakil_env.core.random import seed_word
from banakil_env.games import oklahoma
from banakil_env.games.oklahoma import moves
from banakil_env.games.oklahoma import state as S
from banakil_env.kit import table_state as T

TABLES = [(2, "denexa"), (3, "strict"), (4, "eleven"), (5, "strict hand_cards=7"), (7, "denexa"), (8, "denexa")]


def mask_of(state):
    mask = np.zeros(S.NUM_ACTIONS, np.int8)
    engine.legal_mask(state, mask)
    return mask


@pytest.mark.parametrize(("players", "rules"), TABLES)
def test_the_pile_may_be_taken_where_its_top_card_can_be_opened(players, rules, long):
    """O3.2 by trying: take it, whether it is allowed or not, and see whether there is an opening."""
    answers = []
    for state in random_states(3000 if long else 300, players, num_players=players, rules=rules):
        if state.phase == T.DRAW and state.pile_size:
            answers.append(bool(mask_of(state)[S.TAKE]))
            tried = state.copy()
            moves.take(tried)
            assert answers[-1] == mask_of(tried).any(), oklahoma.to_text(state)
    assert set(answers) == {True, False}


@pytest.mark.parametrize("hand", ["8h 8d 4c", "7c 9c 4c Kd", "2h 8s 3h", "2h 2s Kc 3d"])
def test_a_seat_that_has_to_open_a_card_is_dealt_a_hand_with_which_it_can(hand):
    state = at(f"hand 1: 8c {hand}", "hand 0: 5s Ks", "known 1: 8c", "pile: 5d", "turn: seat 1, play, must 8c")
    seen = oklahoma.observe(state, 0)["observation"].view(oklahoma.OBSERVATION)
    supposed = np.zeros(1, oklahoma.STATE)
    for seed in range(20):
        assert oklahoma.legal_actions(oklahoma.redeal_hidden(state, 0, seed))
        engine.suppose(seen[0], seed_word(seed), supposed[0])
        assert oklahoma.legal_actions(supposed[0])


def test_of_a_two_that_waits_for_its_meld_no_suit_is_seen():
    state = at("hand 1: 2d Ks 5h", "melds 1: 3c 4c 5c | 7c 8c 9c", "turn: seat 1, choose add 2 high")
    twos = set()
    for seed in range(60):
        other = oklahoma.redeal_hidden(state, 0, seed)
        assert oklahoma.check(other) is None
        twos |= {face // 13 for face in range(1, 52, 13) if int(other.hands[1, 0]) >> face & 1}
    assert twos == {0, 1, 2, 3}
