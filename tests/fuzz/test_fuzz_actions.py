"""Is whatever is no legal action refused by every interface, with nothing changed?"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contract_play import few_cases_of, plain_of, policy, start
from pettingzoo import make

from banakil_env.core.game import IllegalAction
from banakil_env.envs.single import SingleEnv
from banakil_env.envs.vector import IllegalActions, Tables
from banakil_env.games import GAMES, find

ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    np.True_,
    np.array(True),
    0.0,
    0.7,
    np.float32(1),
    np.array(0.7),
    np.array([0]),
    np.array([[1, 2]]),
    float("nan"),
    float("inf"),
    10**30,
    -(10**30),
    "0",
    b"0",
    "draw stock",
    (),
    [0],
    {},
    object(),
    1j,
)
# What a bad action may raise: it is not a number at all, or it is not a legal one.
REFUSALS = (TypeError, IllegalAction, ValueError, IndexError)


def any_action(dice: random.Random, actions: int) -> Any:
    """Something odd, or a number near the table of actions, as Python's and NumPy's numbers."""
    if dice.random() < 0.3:
        return dice.choice(ODD)
    number = dice.choice((dice.randrange(actions), dice.randrange(-3, actions + 3), 2**31, -(2**63)))
    kind = dice.choice((int, int, np.int64, np.int16, np.array))
    try:
        return kind(number)
    except OverflowError:
        return number


def tried(step: Callable[[Any], Any], action: Any) -> bool:
    """Whether the action was carried out. What is refused raises one of REFUSALS."""
    try:
        step(action)
    except REFUSALS:
        return False
    return True


def number_of(action: Any) -> int | None:
    """The whole number of an action; None: it is not an action."""
    if isinstance(action, (bool, np.bool_)) or getattr(action, "dtype", None) == np.bool_:
        return None
    try:
        return int(action.__index__())
    except (AttributeError, TypeError):
        return None


@pytest.mark.parametrize("name", GAMES)
def test_the_plain_game_carries_out_legal_actions_alone(name: str, long: bool) -> None:
    plain, dice = plain_of(name), random.Random(f"plain {name}")
    state = start(dice.choice(few_cases_of(name)), 1)
    for _ in range(20_000 if long else 200):
        legal, before, action = plain.legal_actions(state[0]), state.tobytes(), any_action(dice, find(name).num_actions)
        if tried(functools.partial(plain.apply, state), action):
            assert number_of(action) in legal
        else:
            assert number_of(action) not in legal
            assert state.tobytes() == before
        if plain.is_over(state):
            state = start(dice.choice(few_cases_of(name)), dice.randrange(1 << 60))
        elif dice.random() < 0.5:
            plain.apply(state, dice.choice(plain.legal_actions(state[0])))


@pytest.mark.parametrize("name", GAMES)
def test_the_pettingzoo_environment_carries_out_legal_actions_alone(name: str, long: bool) -> None:
    dice = random.Random(f"aec {name}")
    env = make("aec", find(name).id, **dice.choice(few_cases_of(name)).options)
    env.reset(seed=1)
    for _ in range(5_000 if long else 60):
        if not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            env.reset(seed=dice.randrange(1 << 30))
        agent = env.agent_selection
        seen, action = env.observe(agent), any_action(dice, find(name).num_actions)
        legal, before = np.flatnonzero(seen["action_mask"]), seen["observation"].tobytes()
        if tried(env.step, action):
            assert number_of(action) in legal
        else:
            assert number_of(action) not in legal
            assert env.agent_selection == agent
            assert env.observe(agent)["observation"].tobytes() == before
            env.step(dice.choice(legal.tolist()))


@pytest.mark.parametrize("name", GAMES)
def test_the_gymnasium_environment_carries_out_legal_actions_alone(name: str, long: bool) -> None:
    dice = random.Random(f"gymnasium {name}")
    env = SingleEnv(game=name)
    _, info = env.reset(seed=1)
    for _ in range(5_000 if long else 60):
        action, legal = any_action(dice, find(name).num_actions), np.flatnonzero(info["action_mask"]).tolist()
        before = env.tables.states.tobytes()
        done = False
        try:
            _, _, terminated, truncated, info = env.step(action)
            done = terminated or truncated
        except REFUSALS:
            assert number_of(action) not in legal
            assert env.tables.states.tobytes() == before
        else:
            assert number_of(action) in legal
        if done:
            _, info = env.reset(seed=dice.randrange(1 << 30))


@pytest.mark.parametrize("name", GAMES)
def test_the_batch_carries_out_legal_actions_alone(name: str, long: bool) -> None:
    """Rows of numbers of several kinds, some legal and some not. A table whose action is refused is as it was."""
    dice = random.Random(f"batch {name}")
    tables = Tables(4, game=name)
    tables.reset(seed=1)
    for _ in range(5_000 if long else 60):
        good = np.array([policy(*seen) for seen in zip(tables.observations, tables.masks)])
        actions: Any = good.copy()
        if dice.random() < 0.7:
            actions[dice.randrange(4)] = dice.randrange(-3, find(name).num_actions + 3)
        if dice.random() < 0.2:
            actions = dice.choice((actions.astype(float) + 0.5, actions[:3], actions[None], None, "0000", actions > 0))
        before, masks = tables.states.copy(), tables.masks.copy()
        refused = np.ones(4, np.bool_)  # all of them if the whole array is invalid
        try:
            tables.step(actions)
        except IllegalActions:
            refused = tables.refused
            legal = [0 <= action < masks.shape[1] and masks[row, action] == 1 for row, action in enumerate(actions)]
            assert refused.tolist() == [not one for one in legal]
        except REFUSALS:
            pass
        else:
            continue
        assert tables.states[refused].tobytes() == before[refused].tobytes()
