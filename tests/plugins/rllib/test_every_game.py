"""Is every game played through RLlib as it is played, and does a network of it learn there?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import ray
from plugin_checks import check_replay, each_game, short_table

from banakil_env.envs.rllib import TablesEnvRunner
from banakil_env.games import find
from train.plugins.rllib import config, network_of

SMALL: dict[str, Any] = {"tables": 2, "steps": 32, "hidden": (8,), "seed": 1}


@pytest.fixture(scope="module", autouse=True)
def processes() -> Iterator[None]:
    """Ray in this process alone."""
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    yield
    ray.shutdown()


@each_game
def test_samples_are_the_rounds_that_were_played(name: str) -> None:
    """The first round at a table, put together from many samples, is played again at a PettingZoo table.

    The seed is one of which every seat decides something in the first round of every game: others have no samples.
    """
    options = short_table(name)
    env = TablesEnvRunner(config=config(**{**SMALL, "tables": 1, "seed": 2}, **options))
    env._deal()
    env._needs_initial_reset = False
    begun = env.tables.states[0].copy()
    decisions: dict[int, list[Any]] = defaultdict(list)
    rewards: dict[int, float] = {}
    while len(rewards) < env.tables.seats_at[0]:
        for chunk in env.sample():
            seat = chunk.get_infos(0)["seat"]
            if seat not in rewards:
                seen = chunk.get_observations()
                decisions[seat] += zip(zip(seen["observation"], seen["action_mask"]), chunk.get_actions().tolist())
                if chunk.is_done:
                    rewards[seat] = chunk.get_return()
    assert check_replay(begun, decisions, rewards, scored=False, **options)


@each_game
def test_a_network_of_it_learns(name: str) -> None:
    algorithm = config(**SMALL, **short_table(name)).build_algo()
    before = network_of(algorithm).state_dict()
    algorithm.train()
    trained = network_of(algorithm)
    algorithm.stop()
    assert trained.game is find(name)
    assert any(not np.array_equal(before[key], values) for key, values in trained.state_dict().items())
