"""Is the PettingZoo environment one that PettingZoo's users can trust? Its API, its order, its rewards, its copies."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import OrderEnforcingWrapper, TerminateIllegalWrapper
from tables import PRESETS, SEATINGS, TABLES, choose

import banakil_env
from banakil_env.core import engine
from banakil_env.core.game import REWARDS, IllegalAction
from banakil_env.envs.aec import RummyAEC, env, raw_env
from banakil_env.games import find
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))

# What api_test says of every environment with masks that is not on its own lists, and of the masks after the end.
KNOWN_WARNINGS = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros",
)


def legal(game: Any, agent: str) -> list[int]:
    return np.flatnonzero(game.observe(agent)["action_mask"]).tolist()


def play(game: Any, rng: random.Random, moves: int = 1_000_000) -> list[tuple[str, int]]:
    """Play random moves, as many as told or until the end; who did what."""
    done = []
    while len(done) < moves and not any(game.terminations.values()) and not any(game.truncations.values()):
        agent = game.agent_selection
        action = choose(rng, legal(game, agent), 0.9)
        game.step(action)
        done.append((agent, action))
    return done


def finished(seed: int = 1, **options: Any) -> Any:
    game = env(**options)
    game.reset(seed=seed)
    play(game, random.Random(seed))
    return game


# PettingZoo's own tests


def check_api(game: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in KNOWN_WARNINGS:
            warnings.filterwarnings("ignore", message)
        api_test(game, num_cycles=400)


@pytest.mark.parametrize("make", [raw_env, env])
@pytest.mark.parametrize("table", TABLES)
def test_the_api_test_of_pettingzoo(table: str, make: Callable[..., Any]) -> None:
    check_api(make(**TABLES[table]))


@pytest.mark.parametrize("table", TABLES)
def test_the_seed_test_of_pettingzoo(table: str) -> None:
    seed_test(lambda: env(**TABLES[table]), num_cycles=150)


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("seating", SEATINGS)
def test_matches_and_truncated_rounds_pass_both(rules: str, seating: str) -> None:
    options = {"rules": rules, **SEATINGS[seating], "episode": "match", "max_turns": 6}
    check_api(env(**options))
    seed_test(lambda: env(**options), num_cycles=100)


# How it is made


def test_it_is_made_by_its_name() -> None:
    game = pettingzoo.make("aec", "rummy/banakil-v0", num_players=4, rules="jawaker", render_mode="ansi")
    assert game.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert str(game) == "banakil_v0"
    assert game.metadata["render_modes"] == ["ansi", "rgb_array", "human", "svg"]
    assert not game.metadata["is_parallelizable"]
    assert banakil.game.rules_of(game.unwrapped._setup.blank[0]) == banakil.game.rules.presets["jawaker"]


def test_by_its_name_order_is_enforced_once() -> None:
    game = pettingzoo.make("aec", "rummy/banakil-v0")
    assert isinstance(game, OrderEnforcingWrapper)
    assert type(game.env) is RummyAEC
    assert game.unwrapped is game.env


def test_importing_the_package_again_registers_nothing_twice() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.reload(banakil_env)


def test_the_spaces_are_the_same_objects_every_time_and_one_for_each_agent() -> None:
    game = env(num_players=3)
    for agent in game.possible_agents:
        assert game.observation_space(agent) is game.observation_space(agent)
        assert game.action_space(agent) is game.action_space(agent)
        assert game.action_space(agent).n == banakil.game.num_actions
    assert game.action_space("player_0") is not game.action_space("player_1")
    assert set(game.observation_space("player_0").spaces) == {"observation", "action_mask"}


# Dealing


@pytest.mark.parametrize("table", TABLES)
def test_a_seed_deals_what_the_plain_interface_deals(table: str) -> None:
    game = raw_env(**TABLES[table])
    game.reset(seed=7)
    assert game.position.tobytes() == banakil.new(**TABLES[table], seed=7).tobytes()
    assert game.agent_selection == "player_0"


def test_one_seed_determines_the_whole_sequence_of_episodes() -> None:
    first, second = raw_env(), raw_env()
    first.reset(seed=11)
    second.reset(seed=11)
    deals = set()
    for episode in range(4):
        play(first, random.Random(episode))
        play(second, random.Random(episode))
        first.reset()
        second.reset()
        assert first.position.tobytes() == second.position.tobytes()
        deals.add(first.position.tobytes())
    assert len(deals) == 4


def test_without_any_seed_chance_deals() -> None:
    first, second = raw_env(), raw_env()
    first.reset()
    second.reset()
    assert first.position.tobytes() != second.position.tobytes()


def test_a_reset_in_the_middle_leaves_nothing_behind() -> None:
    game, fresh = env(), env()
    game.reset(seed=1)
    play(game, random.Random(1), 50)
    game.reset(seed=2)
    fresh.reset(seed=2)
    assert game.unwrapped.position.tobytes() == fresh.unwrapped.position.tobytes()
    assert game.agents == game.possible_agents


def test_after_the_end_a_reset_brings_all_agents_back() -> None:
    game = finished()
    while game.agents:
        game.step(None)
    game.reset(seed=2)
    assert game.agents == game.possible_agents
    assert not any(game.terminations.values())
    assert set(game.rewards.values()) == {0}


def test_it_begins_from_a_position() -> None:
    position = banakil.from_text("turn: seat 1, play\nhand 1: 3c 4c 5c 9h\nhand 0: Kd")
    game = env()
    game.reset(options={"position": position})
    assert game.agent_selection == "player_1"
    game.step(banakil.parse_action("open 3c 4c 5c"))
    assert len(banakil.legal_actions(position)) == 5, "the caller's state is left alone"
    game.reset(seed=3)
    assert game.unwrapped.position.tobytes() == banakil.new(seed=3).tobytes()


# Playing


def test_the_same_agent_moves_several_times_in_a_row() -> None:
    game = env()
    game.reset(options={"position": banakil.from_text("turn: seat 0, play\nhand 0: 3c 4c 5c 6c 9h\nhand 1: Kd")})
    for text in ("open 3c 4c 5c", "add 6c"):
        game.step(banakil.parse_action(text))
        assert game.agent_selection == "player_0"
    game.step(banakil.parse_action("discard 9h"))
    assert game.rewards["player_0"] > 0


def test_agent_iter_asks_whoever_is_to_move() -> None:
    game = env(num_players=3, observation="record")
    game.reset(seed=5)
    rng = random.Random(5)
    for agent in game.agent_iter(200):
        observation, *_ = game.last()
        assert agent == game.agent_selection
        assert banakil.fields(observation["observation"]).to_move[0] == 1
        game.step(choose(rng, np.flatnonzero(observation["action_mask"]).tolist(), 0.5))


def test_numpys_integers_are_actions_too() -> None:
    for kind in (np.int8, np.int32, np.int64, np.uint16, np.array):
        game = env(observation="record")
        game.reset(seed=1)
        game.step(kind(0))
        assert banakil.fields(game.observe("player_0")["observation"]).phase[1] == 1


# Observing


@pytest.mark.parametrize("table", TABLES)
def test_every_agent_sees_its_own_at_any_time(table: str) -> None:
    game = env(**TABLES[table], max_turns=30, observation="record")
    game.reset(seed=3)
    rng = random.Random(3)
    over = False
    while not over:
        play(game, rng, 1)
        over = any(game.terminations.values()) or any(game.truncations.values())
        state = game.unwrapped.position
        for seat, agent in enumerate(game.possible_agents):
            seen, expected = game.observe(agent), banakil.observe(state, seat)
            assert seen["observation"].tobytes() == expected["observation"].tobytes()
            assert seen["action_mask"].tobytes() == expected["action_mask"].tobytes()
            assert seen["action_mask"].any() == (not over and agent == game.agent_selection)
            assert game.observation_space(agent).contains(seen)


def test_observations_are_for_the_user_to_keep() -> None:
    game = env()
    game.reset(seed=1)
    first, *_ = game.last()
    kept = copy.deepcopy(first)
    play(game, random.Random(1), 20)
    assert all(np.array_equal(first[key], kept[key]) for key in first)


def test_after_the_end_all_agents_still_see_and_none_is_to_move() -> None:
    game = finished(num_players=3, observation="record")
    while game.agents:
        for seat, agent in enumerate(game.possible_agents):
            seen = game.observe(agent)
            assert not seen["action_mask"].any()
            assert banakil.fields(seen["observation"]).phase[3] == 1
            assert (
                seen["observation"].tobytes() == banakil.observe(game.unwrapped.position, seat)["observation"].tobytes()
            )
        game.step(None)


def test_a_central_critic_sees_everything() -> None:
    game = env()
    game.reset(seed=1)
    before = game.state()
    assert game.unwrapped.state_space.contains(before)
    assert not np.array_equal(before, _redealt(game).state())


def _redealt(game: Any) -> Any:
    other = raw_env()
    other.reset(options={"position": banakil.redeal_hidden(game.unwrapped.position, 0, seed=9)})
    return other


# The end


@pytest.mark.parametrize("reward", ["margin", "points", "win"])
@pytest.mark.parametrize("seating", SEATINGS)
def test_rewards_come_at_the_end_to_every_agent_and_are_collected_once(seating: str, reward: str) -> None:
    game = env(**SEATINGS[seating], reward=reward)
    game.reset(seed=2)
    rng = random.Random(2)
    while not any(game.terminations.values()):
        assert set(game.rewards.values()) == {0}
        assert set(game.infos[game.agent_selection]) == ({"partner"} if seating == "partners" else set())
        play(game, rng, 1)
    state = game.unwrapped.position
    expected = [engine.reward(state, seat, REWARDS[reward]) for seat in range(len(game.agents))]
    assert list(game.rewards.values()) == expected
    collected = {}
    for agent in game.agent_iter():
        _, collected[agent], terminated, truncated, info = game.last()
        assert (terminated, truncated) == (True, False)
        assert info["points"] == state.points[int(agent[-1])]
        game.step(None)
    assert collected == dict(zip(game.possible_agents, expected, strict=True))
    assert game.agents == []


@pytest.mark.parametrize("reward", ["margin", "points", "win"])
def test_rewards_in_units_are_points_divided_by_the_unit_of_the_game(reward: str) -> None:
    pairs = [env("rummy", num_players=3, reward=reward, reward_scale=scale) for scale in ("points", "unit")]
    for game in pairs:
        game.reset(seed=4)
        while not any(game.terminations.values()):
            game.step(int(game.observe(game.agent_selection)["action_mask"].argmax()))
    by_points, by_unit = (game.rewards for game in pairs)
    unit = 1 if reward == "win" else pairs[0].unwrapped.game.unit
    assert any(by_points.values())
    assert by_unit == {agent: pytest.approx(points / unit) for agent, points in by_points.items()}
    with pytest.raises(ValueError, match=r"^reward_scale must be one of 'points', 'unit', not 'half'$"):
        env("rummy", reward_scale="half")


def test_the_kinds_of_reward() -> None:
    text = "turn: seat 0, play\nhand 0: 9h\nmelds 0: 7d 8d 9d\nhand 1: Kd"  # 20 and 3 to seat 0, -20 to seat 1
    expected = {"margin": (43, -43), "points": (23, -20), "win": (1, -1)}
    for reward, values in expected.items():
        game = env(reward=reward)
        game.reset(options={"position": banakil.from_text(text)})
        game.step(banakil.parse_action("discard 9h"))
        assert tuple(game.rewards.values()) == values


@pytest.mark.parametrize("truncates", [False, True])
def test_running_out_of_turns_ends_the_game_and_is_a_truncation_on_request(truncates: bool) -> None:
    game = finished(max_turns=3, truncate_at_limit=truncates)
    assert set(game.truncations.values()) == {truncates}
    assert set(game.terminations.values()) == {not truncates}
    assert set(game.rewards.values()) == {0}
    assert game.infos["player_0"] == {"points": 0, "score": 0, "ending": "turns", "turns": 3, "rounds": 1}


def test_a_match_is_many_rounds() -> None:
    game = finished(episode="match", seed=4)
    info = game.infos["player_1"]
    assert info["rounds"] > 1
    assert info["ending"].startswith("match")
    assert game.rewards["player_1"] == info["score"] - game.infos["player_0"]["score"]


# What may not be done


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    game = env()
    game.reset(seed=1)
    rng = random.Random(1)
    for _ in range(40):
        play(game, rng, 1)
        before, agent = game.unwrapped.position.tobytes(), game.agent_selection
        for action in rng.sample(sorted(set(range(799)) - set(legal(game, agent))), 20):
            with pytest.raises(IllegalAction):
                game.step(action)
        assert game.unwrapped.position.tobytes() == before
        assert game.agent_selection == agent


def test_the_error_names_the_action_the_phase_and_the_legal_ones() -> None:
    game = env()
    game.reset(seed=1)
    message = r"'discard 3c' \(711\) is not legal: seat 0 is to draw or take; legal are: draw, take 1"
    with pytest.raises(IllegalAction, match=message):
        game.step(banakil.parse_action("discard 3c"))


def test_whoever_wants_it_has_an_illegal_action_end_the_game() -> None:
    game = TerminateIllegalWrapper(env(num_players=3), illegal_reward=-100)
    check_api(game)
    game.reset(seed=1)
    game.step(banakil.parse_action("discard 3c"))
    collected = {}
    for agent in game.agent_iter():
        _, collected[agent], terminated, *_ = game.last()
        assert terminated
        game.step(None)
    assert collected == {"player_0": -100, "player_1": 0, "player_2": 0}
    game.reset(seed=2)
    assert game.env.unwrapped.position.tobytes() == banakil.new(num_players=3, seed=2).tobytes()


def test_calls_before_reset_are_refused() -> None:
    game = env()
    for call in (lambda: game.step(0), lambda: game.observe("player_0"), game.state, game.render, game.agent_iter):
        with pytest.raises(AssertionError, match="reset"):
            call()
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(game, name)
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        game.last()
    with pytest.raises(RuntimeError, match=r"call reset\(\) to deal"):
        raw_env().step(0)


def test_forgetting_to_step_is_noticed() -> None:
    game = env()
    game.reset(seed=1)
    with pytest.raises(AssertionError, match="need to call step"):
        list(game.agent_iter())


def test_a_step_after_everyone_has_left() -> None:
    game = finished()
    while game.agents:
        game.step(None)
    game.step(None)  # a warning in PettingZoo's log, and nothing else
    with pytest.raises(RuntimeError, match=r"no agent is left to step: call reset\(\)"):
        game.unwrapped.step(None)


# Copies

COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda game: pickle.loads(pickle.dumps(game))}


@pytest.mark.parametrize("make", [raw_env, env])
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_in_the_middle_of_a_round_goes_on_the_same(how: str, make: Callable[..., Any]) -> None:
    game = make(num_players=4, rules="jawaker", episode="match", reward="points")
    game.reset(seed=8)
    play(game, random.Random(8), 70)
    before = game.unwrapped.position.tobytes()
    other = COPIES[how](game)
    assert play(other, random.Random(9)) != []
    assert game.unwrapped.position.tobytes() == before, "the copy plays by itself"
    play(game, random.Random(9))
    assert game.unwrapped.position.tobytes() == other.unwrapped.position.tobytes()
    assert game.rewards == other.rewards
    game.reset()
    other.reset()
    assert game.unwrapped.position.tobytes() == other.unwrapped.position.tobytes(), "the next deal is the same too"


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_after_the_end_collects_by_itself(how: str) -> None:
    game = finished()
    other = COPIES[how](game)
    rewards = dict(game.rewards)
    while other.agents:
        other.step(None)
    assert game.agents == game.possible_agents
    assert game.rewards == rewards


def test_a_copy_before_the_first_reset() -> None:
    for how in COPIES.values():
        other = how(env())
        with pytest.raises(AttributeError, match="before reset"):
            _ = other.agents
        other.reset(seed=1)
        assert other.unwrapped.position.tobytes() == banakil.new(seed=1).tobytes()


# Pictures


def test_it_is_drawn_as_text() -> None:
    game = env(render_mode="ansi", num_players=3)
    game.reset(seed=1)
    assert "Seat 0 is to draw or take" in game.render()
    silent = env()
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match='render_mode="ansi"'):
        assert silent.render() is None


def test_an_environment_has_few_enough_attributes_to_be_read_quickly():
    """Python 3.11 looks attributes up the slow way from thirty on."""
    played = raw_env()
    played.reset(seed=1)
    played.last()
    assert played.state_space.contains(played.state())
    assert len(vars(played)) < 30
