"""Is one seed one game, whichever way it is played? AEC, Gymnasium, batch, copies in mid-game, another process.

The player is the same everywhere: its action depends on nothing but the bytes that it sees (`contract_play.policy`).
"""

from __future__ import annotations

import copy
import functools
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from contract_cases import each_game, each_of_few
from contract_play import (
    EPISODES,
    Case,
    cases_of,
    few_cases_of,
    gymnasium_id,
    lines_of_play,
    make_aec,
    make_single,
    plain_play,
    policy,
    presets_of,
)
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

from banakil_env.core.fields import read_numbers
from banakil_env.core.game import REWARDS
from banakil_env.core.kernels import kernels_of
from banakil_env.core.views import full_states
from banakil_env.envs.forms import in_form
from banakil_env.envs.tables import arrays
from banakil_env.envs.vector import Tables
from banakil_env.games import find

MOVES = 120
TESTS = Path(__file__).resolve().parent

# What api_test says of every environment with masks that is not on its own lists, and of the masks after the end.
KNOWN_WARNINGS = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros",
)

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda each: pickle.loads(pickle.dumps(each)),
}


def aec(case: Case, **options: Any) -> Any:
    """The PettingZoo environment of a table."""
    return make_aec(case.name, **{"observation": "record", **case.options, **options})


def single(case: Case, **options: Any) -> Any:
    """The Gymnasium environment of a table, with `policy` in the other seats."""
    usual = {"opponents": policy_of_one, "seat": 0, "observation": "record"}
    return make_single(case.name, **{**usual, **case.options, **options})


def batch(case: Case, rows: int = 3, **options: Any) -> Tables:
    """A batch of a table, every seat served."""
    return Tables(rows, game=case.name, **{"autoreset": "Disabled", **case.options, **options})


def over(env: Any) -> bool:
    """Whether the episode of a PettingZoo environment has ended."""
    return any(env.terminations.values()) or any(env.truncations.values())


def policy_of_one(seen: dict[str, Any]) -> int:
    return policy(seen["observation"], seen["action_mask"])


# The registries -----------------------------------------------------------------------------------------------------


@each_game
def test_both_registries_know_the_game_by_its_name(name: str) -> None:
    env = make_aec(name)
    assert find(name).id == f"rummy/{name}-v{find(name).version}"
    assert str(env) == f"{name}_v{find(name).version}"
    assert not env.metadata["is_parallelizable"]
    assert make_single(name).tables.game is find(name)
    assert gymnasium.make_vec(gymnasium_id(name), num_envs=2).unwrapped.tables.game is find(name)


@each_of_few
def test_the_api_test_of_pettingzoo(case: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in KNOWN_WARNINGS:
            warnings.filterwarnings("ignore", message)
        api_test(aec(case), num_cycles=80)


@each_game
def test_agents_leave_after_the_end_as_pettingzoo_lets_them(name: str) -> None:
    env = make_aec(name).unwrapped
    env.reset(seed=3)
    while not over(env):
        seen = env.last()[0]
        env.step(policy(seen["observation"], seen["action_mask"]))
    other = copy.copy(env)
    kept = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos", "agent_selection")
    results = [{k: v for k, v in info.items() if k != "partner"} for info in env.infos.values()]
    assert results == env.game.results(env.position)
    for _ in env.possible_agents:
        env.step(None)
        other._was_dead_step(None)
        assert [getattr(env, each) for each in kept] == [getattr(other, each) for each in kept]
    assert not env.agents


@each_game
def test_numbers_of_a_state_are_read_as_numpy_reads_them(name: str) -> None:
    env = make_aec(name).unwrapped
    env.reset(seed=4)
    state = env.position
    numbers = tuple(each for each in state.dtype.names if state.dtype[each].base.kind in "iu" and state[each].ndim < 2)
    for names in (numbers, numbers[::-1], numbers[1::3]):
        assert read_numbers(state, names) == [
            tuple(state[each].tolist()) if state[each].ndim else int(state[each]) for each in names
        ]


@each_of_few
def test_the_seed_test_of_pettingzoo(case: Case) -> None:
    seed_test(lambda: aec(case), num_cycles=60)


@each_of_few
def test_gymnasiums_own_checker_is_content(case: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The mode "human" opens a window, which needs a screen: the pictures have tests of their own.
        check_env(single(case, opponents="random", seat="rotating", render_mode="ansi"), skip_render_check=True)


# One seed, one game -------------------------------------------------------------------------------------------------


@each_of_few
def test_the_aec_environment_plays_the_plain_game(case: Case) -> None:
    env = aec(case)
    env.reset(seed=case.seed)
    for state, seat, observation, mask, action in plain_play(case, case.seed, MOVES):
        assert env.unwrapped.position.tobytes() == state
        assert env.agent_selection == f"player_{seat}"
        seen, *_ = env.last()
        assert seen["observation"].tobytes() == observation
        assert seen["action_mask"].tobytes() == mask
        env.step(action)


@each_of_few
def test_the_rewards_of_the_aec_environment_are_those_of_the_game(case: Case) -> None:
    """A whole episode; the reward comes once, at its end, to every agent, and so does the result."""
    for reward, kind in REWARDS.items():
        env = aec(case, reward=reward)
        env.reset(seed=case.seed)
        before = env.unwrapped.position
        while not over(env):
            assert not any(env.rewards.values())
            before = env.unwrapped.position
            seen = env.observe(env.agent_selection)
            env.step(policy_of_one(seen))
        assert not case.plain.is_over(before)
        state, expected = env.unwrapped.position, np.zeros(case.game.max_seats)
        kernels_of(case.game).end_one(state.reshape(1), kind, expected)
        collected = {}
        for agent in env.agent_iter():
            _, collected[agent], terminated, truncated, info = env.last()
            assert (terminated, truncated) == (True, False)
            info.pop("partner", None)
            assert info == case.game.result(state, int(agent.removeprefix("player_")))
            env.step(None)
        assert list(collected.values()) == expected[: case.num_players].tolist()
        assert env.agents == []
        if case.episode == "match":  # one kind of reward will do where an episode is long
            break


@each_of_few
def test_the_gymnasium_environment_plays_the_plain_game(case: Case) -> None:
    """The learner in every seat by turns; what it sees, and the state, whenever it is to move."""
    for learner in range(case.num_players):
        game = iter(plain_play(case, case.seed, MOVES))
        env = single(case, seat=learner)
        seen, info = env.reset(seed=case.seed)
        for state, seat, observation, mask, action in game:
            if seat != learner:
                continue
            assert env.tables.states.tobytes() == state
            assert (seen.tobytes(), info["action_mask"].tobytes(), info["seat"]) == (observation, mask, learner)
            seen, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                break


@each_of_few
def test_the_batch_plays_the_plain_game(case: Case) -> None:
    tables = batch(case)
    tables.reset(seed=case.seed)
    for state, seat, observation, mask, action in plain_play(case, int(tables.seeds[2]), MOVES):
        assert tables.states[2].tobytes() == state
        assert tables.seats[2] == seat
        assert (tables.observations[2].tobytes(), tables.masks[2].tobytes()) == (observation, mask)
        actions = np.array([policy(*seen) if seen[1].any() else 0 for seen in zip(tables.observations, tables.masks)])
        assert actions[2] == action
        tables.illegal = "report"
        tables.step(actions)


@each_of_few
def test_the_full_states_of_a_batch_are_those_of_its_tables(case: Case) -> None:
    tables = batch(case)
    tables.reset(seed=case.seed)
    tables.step([policy(*seen) for seen in zip(tables.observations, tables.masks)])
    full = tables.full_states()
    for row, state in enumerate(tables.states):
        alone = full_states(case.game, state.reshape(1).copy(), np.array([max(tables.seats[row], 0)]))
        assert full[row].tobytes() == alone.tobytes()
        if tables.seats[row] >= 0:  # some rounds end with the first action
            assert full[row, : tables.observations.shape[1]].tobytes() == tables.observations[row].tobytes()


@each_game
def test_every_array_of_a_batch_as_a_dict_can_be_handed_to_pytorch(name: str) -> None:
    tables = Tables(3, game=name, observation="dict")
    tables.reset(seed=1)
    tables.step(tables.random_actions())
    for field, array in tables.seen.items():
        assert array.strides[0] % array.itemsize == 0, field
        assert (array == in_form(tables.game, "dict", tables.observations)[field]).all()


@each_game
def test_a_batch_is_its_tables_one_by_one_with_any_number_of_threads(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every table of the game in one batch and alone: equal states, observations and rewards for some episodes."""
    monkeypatch.setattr(arrays, "ROWS_PER_THREAD", 4)
    cases = cases_of(name)
    batches = [Tables([case.options for case in cases], game=name, threads=threads) for threads in (1, 2, 5)]
    for tables in batches:
        tables.reset(seed=100)
    alone = [Tables(1, game=name, **case.options) for case in cases]
    for tables, seed in zip(alone, batches[0].seeds.tolist()):
        tables.reset(seed=seed)
    names = ("states", "observations", "masks", "seats", "rewards", "terminations", "truncations", "final_states")
    for step in range(150):
        for each in names:
            joined = b"".join(getattr(tables, each).tobytes() for tables in alone)
            assert all(getattr(tables, each).tobytes() == joined for tables in batches), f"{each} in step {step}"
        actions = np.array([policy(*seen) for seen in zip(batches[0].observations, batches[0].masks)])
        for tables in batches:
            tables.step(actions)
        for tables, action in zip(alone, actions):
            tables.step([action])


PROGRAM = """
import sys
from contract_play import lines_of_play
print(*lines_of_play(sys.argv[1], int(sys.argv[2])), sep="\\n")
"""


def in_another_process(name: str, moves: int, program: str = PROGRAM, **settings: str) -> list[str]:
    """The same play in a process of its own, a line a move; or another program of a game and a number of moves."""
    path = os.pathsep.join([str(TESTS.parents[1]), str(TESTS)])
    environment = {**os.environ, "PYTHONPATH": path, **settings}
    command = [sys.executable, "-c", program, name, str(moves)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@each_game
def test_another_process_plays_the_same_game(name: str) -> None:
    here = lines_of_play(name, MOVES)
    assert len(here) > MOVES
    assert in_another_process(name, MOVES, PYTHONHASHSEED="1") == here


INTERPRETED = """
import sys
from contract_play import layouts_of_play, lines_of_play
name, moves = sys.argv[1], int(sys.argv[2])
print(*lines_of_play(name, moves), "", *layouts_of_play(name, moves), sep="\\n")
"""


def moves_compared(long: bool) -> int:
    return 2_000 if long else 30


@functools.cache
def by_the_interpreter(name: str, long: bool) -> tuple[list[str], list[str]]:
    """What plain Python plays, and what it writes in the common layout, a line a move; in one process."""
    found = in_another_process(name, moves_compared(long), program=INTERPRETED, NUMBA_DISABLE_JIT="1")
    end = found.index("")
    return found[:end], found[end + 1 :]


@each_game
def test_the_interpreter_plays_as_the_compiler_does(name: str, long: bool) -> None:
    """State by state and observation by observation: in the interpreter, narrow fields could overflow."""
    assert by_the_interpreter(name, long)[0] == lines_of_play(name, moves_compared(long))


# Copies in mid-game -------------------------------------------------------------------------------------------------


def aec_steps(env: Any, moves: int) -> Iterator[Any]:
    """Play on; what is to be seen at every move."""
    for _ in range(moves):
        if over(env):
            return
        seen, *rest = env.last()
        yield env.agent_selection, seen["observation"].tobytes(), seen["action_mask"].tobytes(), rest
        env.step(policy_of_one(seen))


def single_steps(env: Any, moves: int) -> Iterator[Any]:
    """The same of a learner."""
    for _ in range(moves):
        if not env.action_masks().any():
            return
        seen, reward, *ended, info = env.step(policy(env.tables.observations[0], env.tables.masks[0]))
        yield seen.tobytes(), reward, ended, info["action_mask"].tobytes(), info["seat"]


def table_steps(tables: Tables, moves: int) -> Iterator[Any]:
    """The same of a batch."""
    for _ in range(moves):
        tables.step(np.array([policy(*seen) for seen in zip(tables.observations, tables.masks)]))
        yield [getattr(tables, name).tobytes() for name in (*tables.buffer_specs(), "states")]


@pytest.mark.parametrize("how", COPIES)
@each_of_few
def test_a_copy_of_the_aec_environment_plays_on_alike(case: Case, how: str) -> None:
    for env in (aec(case), aec(case).unwrapped):
        env.reset(seed=case.seed)
        list(aec_steps(env, 30))
        before = env.unwrapped.position.tobytes()
        twin = COPIES[how](env)
        played = list(aec_steps(twin, 60))
        assert env.unwrapped.position.tobytes() == before, "the copy plays by itself"
        assert list(aec_steps(env, 60)) == played
        assert twin.unwrapped.position.tobytes() == env.unwrapped.position.tobytes()


@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
@each_of_few
def test_a_copy_of_the_gymnasium_environment_plays_on_alike(case: Case, how: str) -> None:
    env = single(case, opponents="random")
    env.reset(seed=case.seed)
    list(single_steps(env, 10))
    before = env.tables.states.tobytes()
    twin = COPIES[how](env)
    played = list(single_steps(twin, 30))
    assert env.tables.states.tobytes() == before, "the copy plays by itself"
    assert list(single_steps(env, 30)) == played


@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
@each_of_few
def test_a_copy_of_a_batch_plays_on_alike(case: Case, how: str) -> None:
    tables = batch(case, autoreset=AutoresetMode.SAME_STEP)
    tables.reset(seed=case.seed)
    list(table_steps(tables, 20))
    before = tables.states.tobytes()
    twin = COPIES[how](tables)
    played = list(table_steps(twin, 60))
    assert tables.states.tobytes() == before, "the copy plays by itself"
    assert list(table_steps(tables, 60)) == played


@each_of_few
def test_a_snapshot_of_a_batch_brings_it_back(case: Case) -> None:
    tables = batch(case, autoreset=AutoresetMode.SAME_STEP)
    tables.reset(seed=case.seed)
    list(table_steps(tables, 20))
    kept = tables.snapshot()
    played = list(table_steps(tables, 40))
    tables.restore(kept)
    assert list(table_steps(tables, 40)) == played


@each_of_few
def test_an_environment_begins_again_from_its_position(case: Case) -> None:
    env, other = aec(case), aec(case)
    env.reset(seed=case.seed)
    list(aec_steps(env, 25))
    if not over(env):
        other.reset(options={"position": env.unwrapped.position})
        assert list(aec_steps(other, 40)) == list(aec_steps(env, 40))


@each_of_few
def test_one_seed_determines_the_whole_sequence_of_episodes(case: Case) -> None:
    first, second = aec(case), aec(case)
    first.reset(seed=11)
    second.reset(seed=11)
    deals = set()
    for _ in range(3):
        assert list(aec_steps(first, 20)) == list(aec_steps(second, 20))
        first.reset()
        second.reset()
        assert first.unwrapped.position.tobytes() == second.unwrapped.position.tobytes()
        deals.add(first.unwrapped.position.tobytes())
    assert len(deals) == 3


@each_game
def test_few_tables_stand_for_all(name: str) -> None:
    """Every preset, number of players and episode is in one of the few."""
    few = few_cases_of(name)
    assert {case.num_players for case in few} == set(find(name).seats)
    assert {case.rules for case in few} == set(presets_of(find(name)))
    assert {case.episode for case in few} == set(EPISODES)
