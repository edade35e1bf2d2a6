"""Does every function of `core/engine.py` mean the game's own function, from Python as from compiled code?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banakil_env.core import engine
from banakil_env.core.hooks import Hook
from banakil_env.core.jit import interpreted, options_of
from banakil_env.core.kernels import kernels_of
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain

HOOKS = {name: hook for name, hook in vars(engine).items() if isinstance(hook, Hook)}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_fills_in_every_function(name: str) -> None:
    game = find(name)
    filled = {each for each, hook in HOOKS.items() if game.state in hook.fills or game.observation in hook.fills}
    believes = {"believe"} if game.search and game.search.believes else set()
    assert filled == HOOKS.keys() - {"believe"} | believes


@pytest.mark.parametrize("name", GAMES)
def test_python_calls_a_game_as_the_compiled_loops_do(name: str) -> None:
    """In plain Python, whether or not this process compiles."""
    game = find(name)
    plain, ours, theirs = Plain(game), np.zeros(game.num_actions, np.int8), np.zeros(game.num_actions, np.int8)
    states = plain.new(seed=3).reshape(1)
    for _ in range(4):
        state = states[0]
        interpreted(engine.legal_mask)(state, ours)
        kernels_of(game).legal_one(states, theirs)
        assert ours.tolist() == theirs.tolist()
        action = int(np.flatnonzero(ours)[-1])
        other = state.copy()
        assert interpreted(engine.apply)(other, action)
        assert not interpreted(engine.apply)(other.copy(), game.num_actions)
        kernels_of(game).apply_one(states, action)
        assert other.tobytes() == states[0].tobytes()


def test_an_action_that_is_not_wanted_is_refused_and_changes_nothing() -> None:
    for name in GAMES:
        state = Plain(find(name)).new(seed=1)
        mask = np.zeros(find(name).num_actions, np.int8)
        interpreted(engine.legal_mask)(state, mask)
        for action in (-1, int(np.flatnonzero(mask == 0)[0])):
            before = state.tobytes()
            assert not interpreted(engine.apply)(state, action)
            assert state.tobytes() == before


def test_what_a_hook_means_is_called_and_not_copied() -> None:
    """An inlined function of the kit, such as `num_seats`, is compiled where it is what a hook means."""
    meanings: list[Any] = [meaning for hook in HOOKS.values() for meaning in hook.fills.values()]
    assert meanings
    assert not [meaning for meaning in meanings if "inline" in options_of(meaning)]
