"""Is every game played through TorchRL and Tianshou as it is played, and does a network of it learn there?"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from plugin_checks import check_replay, each_game, short_table
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.torch_utils import policy_within_training_step

from banakil_env.agents.model import Network, Shape
from banakil_env.envs.torchrl import TablesEnv
from banakil_env.games import find
from train.plugins import tianshou, torchrl


def weights_of(network: Network) -> Any:
    return torch.cat([tensor.flatten() for tensor in network.state_dict().values()])


@each_game
def test_what_torchrl_plays_is_what_was_played(name: str) -> None:
    torch.manual_seed(1)
    options = short_table(name)
    env = TablesEnv(1, seed=1, **options)
    begun = env.reset()
    state = env.tables.states[0].copy()
    [data] = env.rollout(100_000, tensordict=begun, auto_reset=False)
    assert data["next", "done"][-1]
    decisions: dict[int, list[Any]] = {seat: [] for seat in range(env.tables.num_seats)}
    rows = zip(data["seat"][:, 0], data["observation"].numpy(), data["action_mask"].numpy(), data["action"])
    for seat, observation, mask, action in rows:
        decisions[int(seat)].append(((observation, mask.astype(np.int8)), int(action)))
    rewards = dict(enumerate(data["next", "reward"][-1].tolist()))
    assert check_replay(state, decisions, rewards, scored=False, **options) == len(data)


@each_game
def test_torchrl_trains_a_network_of_it(name: str) -> None:
    network = Network(find(name), Shape((8,)), 1)
    before = weights_of(network)
    said = list(torchrl.train(network, iterations=1, tables=2, steps=32, **short_table(name)))
    assert [one["decisions"] for one in said] == [64]
    assert not torch.equal(weights_of(network), before)
    assert weights_of(network).isfinite().all()


@each_game
def test_what_tianshou_plays_is_what_was_played(name: str) -> None:
    """One round, and an update of the network that plays it."""
    torch.manual_seed(1)
    np.random.seed(1)  # noqa: NPY002 - Tianshou explores with it
    options = short_table(name)
    network = Network(find(name), Shape((8,)), 1)
    before = weights_of(network)
    envs = DummyVectorEnv([lambda: tianshou.make_env(**options)])
    algorithm = tianshou.make_algorithm(network, tianshou.make_env(**options))
    algorithm.get_algorithm("player_0").policy.set_eps_training(0.9)
    buffer = VectorReplayBuffer(tianshou.HORIZON, 1)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": 1})
    position = envs.workers[0].env.env.env.position
    with policy_within_training_step(algorithm.policy):
        collector.collect(n_episode=1)
        algorithm.update(buffer, 16)
    batch = buffer[buffer.sample_indices(0)]
    decisions: dict[int, list[Any]] = {seat: [] for seat in range(int(position.num_players))}
    for agent, seen, mask, action in zip(batch.obs.agent_id, batch.obs.obs, batch.obs.mask, batch.act):
        decisions[int(agent.removeprefix("player_"))].append(((seen, mask.astype(np.int8)), int(action)))
    rewards = dict(enumerate(batch.rew[-1].tolist()))
    assert check_replay(position, decisions, rewards, scored=False, **options) == len(batch)
    assert not torch.equal(weights_of(network), before)
