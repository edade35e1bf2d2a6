"""Trains an agent with TorchRL: masked PPO from TorchRL's parts: collector, GAE, ClipPPOLoss, MaskedCategorical.

    python -m train.plugins.torchrl --iterations 50 --out runs/torchrl      # then played as `net:runs/torchrl`
    python -m train.plugins.torchrl --pettingzoo                            # through TorchRL's own PettingZooWrapper

On the batch engine a learner has one seat at each table and plays against past selves, which are replaced every few
iterations. Through PettingZooWrapper the seats are one group that the network plays together, and it learns only from
the decisions of the seat to move. The network is that of this package, so the agent plays without TorchRL. See
docs/plugins/torchrl.md.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pettingzoo
import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.collectors import Collector
from torchrl.envs import EnvBase
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import FILE, save_agent
from banakil_env.arena.options import TableOptions
from banakil_env.core.random import seeds_of_rows
from banakil_env.envs.torchrl import TablesEnv
from banakil_env.games import DEFAULT_GAME, find
from train.pool import frozen

GROUP = "seats"  # the name of the group of all seats of a PettingZoo table


class Head(nn.Module):
    """The logits (which=0) or the value (which=1) of a network, for batches of any shape."""

    def __init__(self, network: Network, which: int) -> None:
        super().__init__()
        self.network, self.which = network, which

    def forward(self, observations: Tensor) -> Tensor:
        """The output: uint8 (..., bytes of the observation) to float32 (..., actions) or (..., 1)."""
        found: Tensor = self.network.of_rows(observations.flatten(0, -2).cpu().numpy())[self.which]
        return found.reshape(*observations.shape[:-1], -1)


class Learner:
    """A network with TorchRL's wrappers, under the names that its environment uses.

    Args:
        network: the network, trained in place.
        group: the name of the group of seats in the environment; None if the environment has no groups.
    """

    def __init__(self, network: Network, group: str | None = None) -> None:
        def key(*path: str) -> Any:
            return path[-1] if group is None else (group, *path)

        self._group = group
        seen = key("observation", "observation") if group else "observation"
        self.policy = ProbabilisticActor(
            TensorDictModule(Head(network, 0), in_keys=[seen], out_keys=[key("logits")]),
            in_keys={"logits": key("logits"), "mask": key("action_mask")},
            out_keys=[key("action")],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
            log_prob_key=key("action_log_prob"),
        )
        self.value = TensorDictModule(Head(network, 1), in_keys=[seen], out_keys=[key("state_value")])
        # Without vmap, since a compiled function writes the features and cannot take batched tensors.
        self.advantage = GAE(gamma=1.0, lmbda=0.95, value_network=self.value, deactivate_vmap=True)
        names = {"done": "done", "terminated": "terminated", "reward": "reward", "value": "state_value"}
        names |= {"advantage": "advantage", "value_target": "value_target"}
        self.advantage.set_keys(**{name: key(path) for name, path in names.items()})

    def decisions(self, data: TensorDictBase) -> TensorDictBase:
        """The decisions in a collector's data, as rows to learn from: each with its advantage."""
        with torch.no_grad():
            self.advantage(data)
        if self._group is None:
            return data.exclude("next", "collector").reshape(-1)
        part = data[self._group].exclude("logits")
        part["observation"] = part["observation", "observation"]
        return part.reshape(-1)[data[self._group, "mask"].reshape(-1)]


def learn(
    network: Network, rows: TensorDictBase, optimizer: torch.optim.Optimizer, epochs: int = 4, size: int = 2048
) -> dict[str, float]:
    """Update the network by PPO on some decisions; returns the last losses."""
    own = Learner(network)
    objective = ClipPPOLoss(
        own.policy,
        own.value,
        clip_epsilon=0.2,
        entropy_coeff=0.01,
        critic_coeff=0.5,
        normalize_advantage=True,
        functional=False,
    )
    for _ in range(epochs):
        for chosen in torch.randperm(len(rows)).split(size):
            losses = objective(rows[chosen])
            loss = losses["loss_objective"] + losses["loss_entropy"] + losses["loss_critic"]
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    return {name: float(losses[name].detach().mean()) for name in ("loss_objective", "loss_critic", "entropy")}


def past_self(network: Network, seed: int) -> Callable[..., npt.NDArray[np.int64]]:
    """A copy of the current network, as an opponent."""
    return frozen(copy.deepcopy(network).eval().requires_grad_(False), seed)


def make_env(
    tables: int, seed: int, opponents: Any, pettingzoo_env: bool, game: str = DEFAULT_GAME, **options: Any
) -> EnvBase:
    """The environment: the batch engine with `opponents` at other seats, or one table through PettingZooWrapper."""
    options = {"reward": "win", **options}
    if not pettingzoo_env:
        return TablesEnv(tables, opponents=opponents, seed=seed, game=game, **options)
    env = pettingzoo.make("aec", find(game).id, observation="record", **options)
    return PettingZooWrapper(env, use_mask=True, group_map={GROUP: env.possible_agents}, seed=seed)


def train(
    network: Network,
    *,
    iterations: int,
    tables: int = 64,
    steps: int = 128,
    pettingzoo_env: bool = False,
    replace_every: int = 5,
    seed: int = 0,
    **options: Any,
) -> Iterator[dict[str, float]]:
    """Train a network in place; yields a report after each iteration.

    Args:
        network: the network.
        iterations: the number of iterations.
        tables: the number of tables; through PettingZoo always one.
        steps: the number of decisions at each table in an iteration.
        pettingzoo_env: use TorchRL's PettingZooWrapper instead of the batch engine.
        replace_every: the number of iterations after which the current network becomes the opponent.
        seed: the seed.
        options: options of the environment (game, num_players, rules, reward, max_turns, ...).
    """
    torch.manual_seed(seed)
    env = make_env(tables, seed, past_self(network, seed), pettingzoo_env, **options)
    learner = Learner(network, GROUP if pettingzoo_env else None)
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-4, eps=1e-5)
    batch = (1 if pettingzoo_env else tables) * steps
    collector = Collector(env, learner.policy, frames_per_batch=batch, total_frames=batch * iterations)
    for iteration, data in enumerate(collector, 1):
        rows = learner.decisions(data)
        ended = data["next", "done"].squeeze(-1)
        yield {"decisions": len(rows), "rounds": int(ended.sum()), **learn(network, rows, optimizer)}
        if not pettingzoo_env and iteration % replace_every == 0:
            env.set_opponents(past_self(network, int(seeds_of_rows(seed, [iteration])[0])))
    collector.shutdown()


def main(arguments: list[str] | None = None) -> None:
    """Train, and save the agent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=50, help="samples and updates")
    parser.add_argument("--game", default=DEFAULT_GAME)
    parser.add_argument("--players", type=int, default=2, help="at a table")
    parser.add_argument("--pettingzoo", action="store_true", help="through TorchRL's PettingZooWrapper, one table")
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/torchrl"), help="folder of the agent")
    given = parser.parse_args(arguments)
    network, begun, decisions = Network(find(given.game), Shape(), given.seed), time.monotonic(), 0
    done = train(
        network,
        iterations=given.iterations,
        tables=given.tables,
        pettingzoo_env=given.pettingzoo,
        seed=given.seed,
        game=given.game,
        num_players=given.players,
    )
    for iteration, said in enumerate(done, 1):
        decisions += int(said["decisions"])
        print(
            f"{iteration}: {decisions:,} decisions, {time.monotonic() - begun:.0f} s, {said['rounds']} rounds, "
            f"entropy {said['entropy']:.2f}",
            flush=True,
        )
    save_agent(given.out / FILE, network, {"trained": "train.plugins.torchrl", "seed": given.seed})
    table = TableOptions(game=given.game, num_players=given.players)
    print(f"written: {given.out / FILE}; {table.match_command(f'net:{given.out}', 'greedy')}")


if __name__ == "__main__":
    main()
