"""Measures other libraries on these environments: random legal play through each library's interface.

No network is called: the time is spent in the environment and in the library. For a library that is not
installed, the table shows the command that installs it; `make test-plugins` leaves virtual environments that have them
(.venv-rllib and so on).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pettingzoo

from banakil_env.bench.measure import Task, Work, clocked, rates
from banakil_env.core.game import Game
from banakil_env.core.install import install_line
from banakil_env.core.openmp import sleep_while_waiting
from banakil_env.games import find, to_pickle

SECTION = "plugins"


def tasks(game: Game) -> tuple[list[Task], list[str]]:
    """The rows of the installed libraries, and for each other library the command that installs it."""
    sleep_while_waiting()  # must run before a library loads PyTorch
    found: list[Task] = []
    missing = []
    for module, extra, make in LIBRARIES:
        if importlib.util.find_spec(module) is None:
            missing.append(f"{extra} is not installed here: {install_line(extra)} (docs/plugins/)")
        else:
            found += make(game)
    return found, missing


def _task(name: str, work: str, make: Callable[[], Work]) -> Task:
    return Task(SECTION, name, work, "/s", rates(make))


def _aec(game: Game) -> Any:
    # The form of observations in the batches of these rows.
    return pettingzoo.make("aec", game.id, observation="record")


# Ray RLlib ----------------------------------------------------------------------------------------------------------


def _rllib(game: Game) -> list[Task]:
    work = (
        "a sample of an env runner in this process, moves by a module without a network, episodes ready to learn from"
    )
    found = [
        _task(
            "RLlib PettingZooEnv, 1 table", "step() with a legal move, and what it returns", partial(_rllib_env, game)
        )
    ]
    found.append(_task("RLlib PettingZooEnv and env runner, 16 tables", work, partial(_rllib_runner, game, False, 16)))
    return found + [
        _task(f"RLlib TablesEnvRunner, {tables} tables", work, partial(_rllib_runner, game, True, tables))
        for tables in (16, 256)
    ]


def _rllib_env(game: Game) -> Work:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    env, rng = PettingZooEnv(_aec(game)), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)

    def work() -> int:
        nonlocal seen
        for _ in range(200):
            [(agent, one)] = seen.items()
            seen, _, ended, cut, _ = env.step({agent: int(rng.choice(np.flatnonzero(one["action_mask"])))})
            if ended["__all__"] or cut["__all__"]:
                seen, _ = env.reset()
        return 200

    return clocked(work)


def _rllib_runner(game: Game, batched: bool, tables: int) -> Work:
    from gymnasium import spaces
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.tune.registry import register_env

    from banakil_env.envs.rllib import TablesEnvRunner, seat_space

    class Uniform(TorchRLModule):  # type: ignore[misc]  # Any, where Ray is not installed
        def _forward(self, batch: Any, **_: Any) -> dict[str, Any]:
            legal = batch[Columns.OBS]["action_mask"]
            return {Columns.ACTION_DIST_INPUTS: (legal.float() - 1) * 1e8}

    steps = 32
    config = (
        PPOConfig()
        .environment(
            "banakil-bench",
            disable_env_checking=True,
            observation_space=seat_space(game) if batched else None,
            action_space=spaces.Discrete(game.num_actions) if batched else None,
        )
        .env_runners(num_env_runners=0, num_envs_per_env_runner=tables, rollout_fragment_length=steps)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=Uniform))
        .debugging(seed=1)
    )
    if batched:
        runner = TablesEnvRunner(config=config)
    else:
        name = to_pickle(game)  # Ray pickles the function
        register_env("banakil-bench", lambda _: PettingZooEnv(_aec(find(name))))
        config.multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **_: "all")
        runner = MultiAgentEnvRunner(config=config)

    def work() -> int:
        runner.sample(num_timesteps=tables * steps)
        return tables * steps

    return clocked(work)


# TorchRL ------------------------------------------------------------------------------------------------------------


def _torchrl(game: Game) -> list[Task]:
    work = "rollout() without a policy: a random move by the action spec's mask, and the tensordict of it"
    found = [_task("TorchRL PettingZooWrapper, 1 table", work, partial(_torchrl_wrapper, game))]
    return found + [
        _task(
            f"TorchRL TablesEnv, {tables} table{'s' if tables > 1 else ''}",
            work,
            partial(_torchrl_tables, game, tables),
        )
        for tables in (1, 256)
    ]


def _torchrl_wrapper(game: Game) -> Work:
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    env = _aec(game)
    return _rollouts(PettingZooWrapper(env, use_mask=True, group_map={"seats": env.possible_agents}), 1)


def _torchrl_tables(game: Game, tables: int) -> Work:
    from banakil_env.envs.torchrl import TablesEnv

    return _rollouts(TablesEnv(tables, seed=1, game=game.name), tables)


def _rollouts(env: Any, tables: int, steps: int = 32) -> Work:
    state = env.reset()

    def work() -> int:
        nonlocal state
        done = env.rollout(steps, tensordict=state, auto_reset=False, break_when_any_done=False)
        state = env.step_mdp(done[..., -1])
        state = env.maybe_reset(state)
        return steps * tables

    return clocked(work)


# Tianshou -----------------------------------------------------------------------------------------------------------


def _tianshou(game: Game) -> list[Task]:
    work = "step() with a legal move, and what it returns"
    return [_task("Tianshou PettingZooEnv, 1 table", work, lambda: clocked(partial(next, _tianshou_steps(game))))]


def _tianshou_steps(game: Game, count: int = 200) -> Iterator[int]:
    from tianshou.env import PettingZooEnv

    env, rng = PettingZooEnv(_aec(game)), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    while True:
        for _ in range(count):
            seen, _, ended, cut, _ = env.step(int(rng.choice(np.flatnonzero(seen["mask"]))))
            if ended or cut:
                seen, _ = env.reset()
        yield count


# OpenSpiel ----------------------------------------------------------------------------------------------------------


def _openspiel(game: Game) -> list[Task]:
    work = "random play from the deal on: chance outcomes or legal actions listed, and apply_action() of one"
    presets = list(game.rules.presets)
    return [
        _task(f"OpenSpiel python_{game.name}, {rules}", work, partial(_openspiel_play, game.name, rules))
        for rules in (presets[0], presets[-1])
    ]


def _openspiel_play(name: str, rules: str) -> Work:
    import pyspiel

    from banakil_env.envs import openspiel  # noqa: F401 - registers the game

    game, rng = pyspiel.load_game(f"python_{name}", {"rules": rules}), np.random.default_rng(1)
    state = game.new_initial_state()

    def work() -> int:
        nonlocal state
        for _ in range(200):
            if state.is_terminal():
                state = game.new_initial_state()
            if state.is_chance_node():
                faces, chances = zip(*state.chance_outcomes())
                state.apply_action(int(rng.choice(faces, p=chances)))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
        return 200

    return clocked(work)


# The module of the library, the extra that installs it, and its rows.
LIBRARIES: tuple[tuple[str, str, Callable[[Game], list[Task]]], ...] = (
    ("ray", "rllib", _rllib),
    ("torchrl", "torchrl", _torchrl),
    ("tianshou", "tianshou", _tianshou),
    ("pyspiel", "openspiel", _openspiel),
)
