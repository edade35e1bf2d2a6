"""Trains an agent with Tianshou: masked Q-learning in self-play, through its own PettingZooEnv.

    python -m train.plugins.tianshou --iterations 20 --out runs/tianshou     # then played as `net:runs/tianshou`

One network plays all seats: its logits are the values of actions, and Tianshou masks the illegal ones. The return of a
decision is computed to the end of the round, over the moves of all seats in between (`HORIZON`). Tianshou keeps one
stream of moves per table, in which a seat that does not move last gets its reward on another seat's move.
docs/plugins/tianshou.md describes the consequences for other algorithms.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.torch_utils import policy_within_training_step
from torch import Tensor, nn

from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import FILE, save_agent
from banakil_env.arena.options import TableOptions
from banakil_env.core.random import seeds_of_rows
from banakil_env.games import DEFAULT_GAME, find

# More moves than in a round of two to four players (400 on average in random play), so that no return is cut off.
HORIZON = 2000


class Values(nn.Module):
    """The network for Tianshou: its logits are the values of actions, and it has no memory."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        """The values of actions: uint8 (n, bytes of the observation) to float32 (n, actions)."""
        return self.network.of_rows(np.asarray(obs))[0], state


def make_env(game: str = DEFAULT_GAME, **options: Any) -> PettingZooEnv:
    """A table as a Tianshou environment."""
    return PettingZooEnv(pettingzoo.make("aec", find(game).id, **{"reward": "win", "observation": "record", **options}))


def make_algorithm(network: Network, env: PettingZooEnv, horizon: int = HORIZON) -> MultiAgentOffPolicyAlgorithm:
    """One learner for every seat of a table; all train `network` in place."""
    policy = DiscreteQLearningPolicy(
        model=Values(network), action_space=env.action_space, eps_training=0.1, eps_inference=0.0
    )
    learner = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=3e-4),
        gamma=1.0,
        n_step_return_horizon=horizon,
        is_double=False,
    )
    return MultiAgentOffPolicyAlgorithm(algorithms=[learner] * len(env.agents), env=env)


def train(
    network: Network,
    *,
    iterations: int,
    tables: int = 8,
    rounds: int = 16,
    updates: int = 16,
    size: int = 512,
    seed: int = 0,
    **options: Any,
) -> Iterator[dict[str, float]]:
    """Train a network in place; yields a report after each iteration.

    Args:
        network: the network.
        iterations: the number of iterations.
        tables: the number of tables that are stepped at the same time.
        rounds: the number of rounds played to their end in each iteration, which learns from these rounds only.
        updates: the number of updates in each iteration.
        size: the number of random decisions in each update.
        seed: the seed.
        options: options of the environment (game, num_players, rules, reward, max_turns, ...).
    """
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - Tianshou explores with the global generator
    envs = DummyVectorEnv([lambda: make_env(**options) for _ in range(tables)])
    envs.seed(seeds_of_rows(seed, range(tables)).tolist())  # by default Tianshou uses seed + i for table i
    algorithm = make_algorithm(network, make_env(**options))
    for _ in range(iterations):
        buffer = VectorReplayBuffer(tables * 2 * HORIZON, tables, ignore_obs_next=True)
        collector = Collector(algorithm, envs, buffer, exploration_noise=True)
        collector.reset(reset_buffer=False)
        with policy_within_training_step(algorithm.policy):
            played = collector.collect(n_episode=rounds)
            losses = [algorithm.update(buffer, size).get_loss_stats_dict() for _ in range(updates)]
        yield {
            "decisions": int(played.n_collected_steps),
            "rounds": int(played.n_collected_episodes),
            "loss": float(np.mean([list(loss.values()) for loss in losses])),
        }


def main(arguments: list[str] | None = None) -> None:
    """Train, and save the agent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=20, help="samples of 16 rounds, and 16 updates on each")
    parser.add_argument("--game", default=DEFAULT_GAME)
    parser.add_argument("--players", type=int, default=2, help="at a table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/tianshou"), help="folder of the agent")
    given = parser.parse_args(arguments)
    network, begun, decisions = Network(find(given.game), Shape(), given.seed), time.monotonic(), 0
    done = train(network, iterations=given.iterations, seed=given.seed, game=given.game, num_players=given.players)
    for iteration, said in enumerate(done, 1):
        decisions += int(said["decisions"])
        print(
            f"{iteration}: {decisions:,} decisions, {time.monotonic() - begun:.0f} s, loss {said['loss']:.4f}",
            flush=True,
        )
    save_agent(given.out / FILE, network, {"trained": "train.plugins.tianshou", "seed": given.seed})
    table = TableOptions(game=given.game, num_players=given.players)
    print(f"written: {given.out / FILE}; {table.match_command(f'net:{given.out}', 'greedy')}")


if __name__ == "__main__":
    main()
