"""Is every game the same game in OpenSpiel, and do algorithms that sample run on it?"""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts

from banakil_env.core.game import IllegalAction
from banakil_env.envs.openspiel import EXPLICIT
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.kit.switches import RulesError

NAMES = [name for name in GAMES if name not in EXPLICIT]
each_game = pytest.mark.parametrize("name", NAMES)


def load(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"python_{name}", {"seed": 3, **parameters})


def dealt(game: Any) -> Any:
    state = game.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    return state


def playout(game: Any, seed: int) -> list[Any]:
    """The states of an episode played at random, from the deal on."""
    dice, states = random.Random(seed), [dealt(game)]
    while not states[-1].is_terminal():
        state = states[-1].clone()
        state.apply_action(dice.choice(state.legal_actions()))
        states.append(state)
    return states


@each_game
def test_it_plays_the_plain_game(name: str) -> None:
    game, plain = load(name), Plain(find(name))
    start = game.new_initial_state()
    assert start.is_chance_node()
    deal = start.chance_outcomes()[0][0]
    states = playout(load(name), 1)
    own = plain.new(seed=deal)
    for action in states[-1].history()[1:]:
        plain.apply(own, action)
    assert states[-1].record.tobytes() == own.tobytes()
    assert plain.is_over(own)
    assert len(states[-1].returns()) == game.num_players()
    assert sum(states[-1].returns()) == pytest.approx(0)
    assert all(game.min_utility() <= value <= game.max_utility() for value in states[-1].returns())
    assert len(states[-1].history()) <= game.max_game_length()


@each_game
def test_every_number_of_players_rules_and_rewards_load(name: str) -> None:
    found = find(name)
    for players in found.seats:
        for rules in found.rules.presets:
            try:
                found.new(num_players=players, rules=rules)
            except RulesError:
                continue
            game = load(name, players=players, rules=rules, reward="win", episode="match")
            assert dealt(game).current_player() in range(players)


@each_game
def test_a_history_replays_and_states_are_copied(name: str) -> None:
    game = load(name)
    states = playout(game, 2)
    state = states[min(7, len(states) - 1)]
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    for other in (again, state.clone()):
        assert other.record.tobytes() == state.record.tobytes()
        assert other.information_state_string(0) == state.information_state_string(0)


@each_game
def test_what_is_dealt_anew_leaves_what_the_seat_remembers(name: str) -> None:
    dice = random.Random(5)
    for state in playout(load(name), 4)[:-1:9]:
        seat = state.current_player()
        other = state.resample_from_infostate(seat, dice.random)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
        assert other.legal_actions() == state.legal_actions()


@each_game
def test_players_remember_every_own_action(name: str) -> None:
    states = playout(load(name), 6)
    for seat in range(2):
        strings = [state.information_state_string(seat) for state in states]
        assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(strings))
        own = [
            find(name).actions.text(a) for s, a in zip(states, states[-1].history()[1:]) if s.current_player() == seat
        ]
        told = [part.rpartition(" ")[0] for part in strings[-1].split(" | ")[1:] if " " in part]
        assert told == own


def test_an_illegal_action_and_parameters_that_do_not_fit() -> None:
    state = dealt(load("rummy"))
    before = str(state)
    illegal = next(action for action in range(find("rummy").num_actions) if action not in state.legal_actions())
    with pytest.raises((IllegalAction, pyspiel.SpielError), match="is not legal"):
        state.apply_action(illegal)
    assert str(state) == before
    for parameters in ({"reward": "chips"}, {"rules": "hoyle"}, {"players": 9}):
        with pytest.raises(RulesError):
            load("rummy", **parameters)


@each_game
def test_the_loop_of_rl_environment_gives_every_seat_its_reward(name: str) -> None:
    env = rl_environment.Environment(load(name), enable_legality_check=True)
    env.seed(3)
    dice, step = random.Random(3), env.reset()
    while not step.last():
        step = env.step([dice.choice(step.observations["legal_actions"][step.observations["current_player"]])])
    assert step.rewards == env.get_state.returns()


def test_the_ismcts_bot_plays() -> None:
    game, dice = load("rummy"), np.random.RandomState(2)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=30.0,
        evaluator=mcts.RandomRolloutEvaluator(1, dice),
        max_simulations=6,
        max_world_samples=-1,
        random_state=dice,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        use_observation_string=False,
        allow_inconsistent_action_sets=False,
        child_selection_policy=ismcts.ChildSelectionPolicy.UCT,
    )
    state = dealt(game)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
