"""Do the two ways of asking what is legal agree, and does an illegal action change anything? For all 799 actions."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from tables import TABLES, any_table, walk

from banakil_env.core.kernels import ILLEGAL, kernels_of
from banakil_env.games import banakil
from banakil_env.games.banakil.game import GAME

EVERY = 5
ACTIONS = range(banakil.NUM_ACTIONS)


def check_all_actions(state: Any) -> None:
    """An action is carried out if it is listed, and else refused without a trace."""
    legal = set(banakil.legal_actions(state))
    states = np.asarray(state).reshape(1).copy()
    before = state.tobytes()
    for action in ACTIONS:
        if action in legal:
            assert kernels_of(GAME).apply_one(states.copy(), action) != ILLEGAL, banakil.action_text(action)
        else:
            assert kernels_of(GAME).apply_one(states, action) == ILLEGAL, banakil.action_text(action)
    assert states.tobytes() == before
    for action in (-1, -799, 799, 800, 2**31, 2**62, -(2**62)):
        assert kernels_of(GAME).apply_one(states, action) == ILLEGAL
    assert states.tobytes() == before


@pytest.mark.parametrize("table", TABLES)
def test_what_is_listed_may_be_done_and_nothing_else(table: str, long: bool) -> None:
    for number, state in enumerate(walk(TABLES[table], 2, 10_000 if long else 600)):
        if number % EVERY == 0:
            check_all_actions(state)


@pytest.mark.parametrize("number", range(10))
def test_the_same_under_any_switches(number: int, long: bool) -> None:
    for step, state in enumerate(walk(any_table(random.Random(number)), number, 10_000 if long else 400)):
        if step % EVERY == 0:
            check_all_actions(state)


def test_the_list_is_ascending_and_the_mask_says_the_same() -> None:
    for state in walk(TABLES["pagat partners"], 3, 300):
        legal = banakil.legal_actions(state)
        assert legal == sorted(set(legal))
        masks = [banakil.observe(state, seat)["action_mask"] for seat in range(4)]
        seat = banakil.seat_to_move(state)
        assert [np.flatnonzero(mask).tolist() for mask in masks] == [legal if s == seat else [] for s in range(4)]


def test_a_refused_action_raises_and_changes_nothing() -> None:
    state = banakil.new(seed=4)
    before = state.tobytes()
    for action in set(ACTIONS) - set(banakil.legal_actions(state)):
        with pytest.raises(banakil.IllegalAction):
            banakil.apply(state, action)
    assert state.tobytes() == before


def test_every_action_has_a_text_of_its_own_that_names_it() -> None:
    texts = [banakil.action_text(action) for action in ACTIONS]
    assert len(set(texts)) == banakil.NUM_ACTIONS == 799
    assert [banakil.parse_action(text) for text in texts] == list(ACTIONS)
    assert [banakil.parse_action(f"  {text.upper().replace(' ', '   ')} ") for text in texts] == list(ACTIONS)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "draw"),
        (1, "take 1"),
        (70, "take 70"),
        (71, "open 3c 4c 5c"),
        (590, "open Qs JK 2"),
        (591, "open 3c 3d 3h"),
        (611, "add 3c"),
        (659, "add 2 low"),
        (662, "add JK high"),
        (663, "swap 3c"),
        (711, "discard 3c"),
        (763, "discard JK"),
        (764, "meld 0"),
        (798, "meld 34"),
    ],
)
def test_the_table_of_actions(action: int, text: str) -> None:
    """Agents are trained on these numbers: they stay as they are within a version."""
    assert banakil.action_text(action) == text
