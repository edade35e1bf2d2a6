"""Whose cards does a picture show, who is one's partner, and what says an environment that does not exist?"""

from __future__ import annotations

import copy
import itertools
from typing import Any

import gymnasium
import pettingzoo
import pytest
from contract_cases import each_game, each_of_few
from contract_play import Case, few_cases_of, gymnasium_id, make_aec, make_single

from banakil_env.envs.aec import raw_env
from banakil_env.envs.arguments import partners_of
from banakil_env.envs.single import BatchEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.render import as_text


@each_game
def test_a_picture_may_be_of_one_seat(name: str) -> None:
    game = find(name)
    env = make_aec(name, render_mode="ansi", render_seat=1)
    env.reset(seed=3)
    position = env.unwrapped.position
    assert env.render() == as_text(game, position, 1) != as_text(game, position)
    single = make_single(name, render_mode="ansi", render_seat=1)
    single.reset(seed=3)
    assert single.render() == as_text(game, single.tables.states[0], 1)
    many = BatchEnv(2, game=name, render_mode="ansi", render_seat=1)
    many.reset(seed=3)
    assert many.render() == tuple(as_text(game, state, 1) for state in many.tables.states)


@each_game
def test_a_picture_may_be_of_the_agent_whose_turn_it_is(name: str) -> None:
    game = find(name)
    env = make_aec(name, render_mode="ansi", render_seat="agent")
    env.reset(seed=3)
    viewed = set()
    while env.agents and len(viewed) < 2:
        seat = env.possible_agents.index(env.agent_selection)
        assert env.render() == as_text(game, env.unwrapped.position, seat)
        viewed.add(seat)
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
    assert len(viewed) == 2
    single = make_single(name, render_mode="ansi", render_seat="agent")
    learners = set()
    for seed in range(4):
        _, info = single.reset(seed=seed)
        assert single.render() == as_text(game, single.tables.states[0], info["seat"])
        learners.add(info["seat"])
    assert len(learners) > 1


def test_a_picture_of_a_seat_hides_the_other_hands() -> None:
    game, env = find("rummy"), raw_env("rummy", render_mode="ansi", render_seat=0)
    env.reset(seed=2)
    [own, other] = game.scene(env.position, None).seats
    for card in itertools.chain(*(other.hand or ())):
        assert card in as_text(game, env.position)
        assert card not in env.render()
    assert all(card in env.render() for card in itertools.chain(*(own.hand or ())))
    for how in (copy.copy, copy.deepcopy):
        assert how(env).render() == env.render()


@pytest.mark.parametrize("seat", [-1, 2, "learner", True, 0.5])
def test_a_seat_that_does_not_exist_cannot_look_on(seat: Any) -> None:
    for make in (
        raw_env,
        lambda game, **how: make_single(game, **how),
        lambda game, **how: BatchEnv(2, game=game, **how),
    ):
        with pytest.raises(ValueError, match="there is no seat"):
            make("rummy", render_mode="ansi", render_seat=seat)


@each_of_few
def test_infos_say_who_is_ones_partner(case: Case) -> None:
    env = raw_env(case.name, **case.options)
    env.reset(seed=1)
    partners = partners_of(case.game, env.position)
    if not partners:
        assert env.infos == {agent: {} for agent in env.possible_agents}
    for seat, agent in enumerate(env.possible_agents[: len(partners)]):
        assert env.infos[agent]["partner"] == env.possible_agents[partners[seat]] != agent
        assert partners[partners[seat]] == seat
    single = make_single(case.name, **case.options)
    _, info = single.reset(seed=1)
    assert info.get("partner") == (partners[info["seat"]] if partners else None)


def test_partners_are_told_to_the_end() -> None:
    [case] = [case for case in few_cases_of("canasta") if case.num_players == 4][:1]
    env = raw_env("canasta", **case.options)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert [env.infos[agent]["partner"] for agent in env.agents] == ["player_2", "player_3", "player_0", "player_1"]
    assert {"points", "ending"} < env.infos["player_0"].keys()
    tables = Tables(1, game="canasta", autoreset="Disabled", **case.options)
    tables.reset(seed=1)
    while tables.seats[0] >= 0:
        tables.step(tables.random_actions())
    assert [tables.result(0, seat)["partner"] for seat in range(4)] == [2, 3, 0, 1]


@each_game
def test_a_parallel_environment_says_why_there_is_none(name: str) -> None:
    with pytest.raises(NotImplementedError, match="one seat moves at a time") as error:
        pettingzoo.make("parallel", find(name).id)
    for way in (f'pettingzoo.make("aec", "{find(name).id}")', f'gymnasium.make("{gymnasium_id(name)}")', "Tables"):
        assert way in str(error.value)
    assert gymnasium_id(name) in gymnasium.registry


def test_the_number_of_seats_is_a_number() -> None:
    tables = Tables([{"num_players": 2}, {"num_players": 4}], game="rummy")
    assert tables.num_seats == 4
    assert tables.seats_at.tolist() == [2, 4]
    assert isinstance(Tables(3, game="rummy").num_seats, int)
