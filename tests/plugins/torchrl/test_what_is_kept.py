"""Is what TorchRL and Tianshou get from the environments their own? It is kept over many steps, and compared."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from kept_things import Kept
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.torch_utils import policy_within_training_step

from banakil_env.agents.model import Network, Shape
from banakil_env.envs.torchrl import TablesEnv
from banakil_env.games import find
from train.plugins.tianshou import HORIZON, make_algorithm, make_env

TABLE: dict[str, Any] = {"game": "rummy", "rules": "denexa max_turns=12"}


@pytest.mark.parametrize("opponents", [None, "random"])
def test_tensors_of_torchrl_stay_as_they_were(opponents: str | None) -> None:
    torch.manual_seed(1)
    env, kept = TablesEnv(4, opponents=opponents, seed=1, **TABLE), Kept()
    seen, ended = env.reset(), 0
    for _ in range(150):
        before = env.rand_action(seen)
        stepped, seen = env.step_and_maybe_reset(before)
        # TorchRL adds keys to the dictionaries of tensors; the tensors are the same.
        kept.keep(stepped.clone(recurse=False), seen.clone(recurse=False), env.action_spec.mask)
        ended += int(stepped["next", "done"].sum())
    assert ended > 5
    kept.check(150)


def test_a_rollout_of_torchrl_is_what_was_stepped() -> None:
    torch.manual_seed(1)
    env = TablesEnv(4, seed=1, **TABLE)
    data, kept = env.rollout(60, break_when_any_done=False), Kept()
    for step in range(60):
        kept.keep(data[:, step])
    env.rollout(60, break_when_any_done=False)
    kept.check(60)


def test_what_tianshous_environment_returns_stays_as_it_was() -> None:
    env, kept = make_env(**TABLE), Kept()
    seen, info = env.reset(seed=1)
    ended = 0
    for _ in range(200):
        kept.keep(seen, info)
        action = next(action for action in reversed(range(len(seen["mask"]))) if seen["mask"][action])
        seen, rewards, terminated, truncated, info = env.step(action)
        kept.keep(seen, rewards, info)
        if terminated or truncated:
            ended += 1
            seen, info = env.reset()
    assert ended > 1
    kept.check(200)


def test_what_tianshou_collected_stays_as_it_was() -> None:
    torch.manual_seed(1)
    envs = DummyVectorEnv([lambda: make_env(**TABLE)] * 2)
    algorithm = make_algorithm(Network(find("rummy"), Shape((8,)), 1), make_env(**TABLE))
    buffer, kept = VectorReplayBuffer(2 * HORIZON, 2), Kept()
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": 1})
    with policy_within_training_step(algorithm.policy):
        for _ in range(3):
            collector.collect(n_episode=2)
            batch = buffer[buffer.sample_indices(0)]
            kept.keep(batch.obs.obs, batch.obs.mask, batch.rew, batch.act)
    kept.check(3)
