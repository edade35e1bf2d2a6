"""Is an action carried out by the function that its block names, with its place in the block?"""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

from banakil_env.core import engine
from banakil_env.core.actions import ActionTable, Block, Effect
from banakil_env.core.effects import carry_out_of
from banakil_env.core.jit import compiled, interpreted
from banakil_env.games import GAMES, find

# What the functions below write down: which of them was called, and with which place.
DRAW, LAY, SAY = 1, 2, 3


@compiled
def draw(state):
    state[0] = DRAW


@compiled
def lay(state, place):
    state[0], state[1] = LAY, place


@compiled
def say(state, place):
    state[0], state[1] = SAY, place


ACTIONS = ActionTable(
    Block("draw", "draw", ("draw",)),
    Block("lay_low", "lay a low card", ("lay 1", "lay 2"), effect="lay"),
    Block("lay_high", "lay a high card", ("lay 9",), effect="lay"),
    Block("pass", "draw all the same", ("pass",), effect="draw"),
    Block("say", "say a word", ("yes", "no")),
)


@pytest.fixture
def moves() -> ModuleType:
    """A module `moves` with these functions."""
    module = ModuleType("moves")
    vars(module).update(draw=draw, lay=lay, say=say)
    return module


def test_neighbours_with_one_effect_are_one_block_to_it():
    assert ACTIONS.effects == (
        Effect("draw", "draw", 0, 1),
        Effect("lay", "lay_low", 1, 3),
        Effect("draw", "pass", 4, 1),
        Effect("say", "say", 5, 2),
    )


def test_the_function_of_the_block_is_called_with_the_place_in_it(moves):
    carry_out, done = carry_out_of("sketch", ACTIONS, moves), []
    for action in range(len(ACTIONS)):
        state = np.full(2, -1, np.int64)
        carry_out(state, action)
        done.append(tuple(state.tolist()))
    assert done == [(DRAW, -1), (LAY, 0), (LAY, 1), (LAY, 2), (DRAW, -1), (SAY, 0), (SAY, 1)]


def test_a_function_that_is_not_there_is_named_with_its_block(moves):
    del moves.lay
    said = r"moves has no function 'lay' to carry out the block 'lay_low', 3 actions: write it, or .* \(Block\.effect\)"
    with pytest.raises(ValueError, match=said):
        carry_out_of("sketch", ACTIONS, moves)


@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("draw", lay, r"moves\.draw\(state, place\) .* the block 'draw', 1 action, but must take \(state\)"),
        ("say", draw, r"moves\.say\(state\) .* the block 'say', 2 actions, but must take \(state, place\)"),
    ],
)
def test_a_function_with_other_arguments_is_refused(moves, name, function, said):
    setattr(moves, name, function)
    with pytest.raises(ValueError, match=said):
        carry_out_of("sketch", ACTIONS, moves)


@pytest.mark.parametrize("name", GAMES)
def test_every_action_of_a_game_has_its_effect_in_its_moves(name):
    """The functions are in `moves.py`, next to what is legal in their phase."""
    game = find(name)
    moves = vars(sys.modules[f"banakil_env.games.{name}.moves"])
    effects = game.actions.effects
    assert [each.first for each in effects] == [0, *np.cumsum([each.count for each in effects])[:-1].tolist()]
    assert sum(each.count for each in effects) == game.num_actions
    assert all(callable(moves[each.function]) for each in effects)
    assert interpreted(engine.carry_out.meaning(game.state)).__module__ == carry_out_of.__module__
