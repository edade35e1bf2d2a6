"""Trains an agent with Ray RLlib: PPO in self-play, one network for all seats, with illegal actions masked.

    python -m train.plugins.rllib --iterations 50 --out runs/rllib      # then played as `net:runs/rllib`
    python -m train.plugins.rllib --pettingzoo                          # through RLlib's own PettingZooEnv
    python -m train.plugins.rllib --address auto --runners 8 --learners 2    # on a Ray cluster

`config` makes an RLlib configuration like any other. The network is that of this package
(`banakil_env.agents.model.Network`) as an RLModule, so the agent is saved and played without RLlib. See
docs/plugins/rllib.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pettingzoo
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from torch import Tensor

from banakil_env.agents.model import Network, Shape, legal_logits
from banakil_env.agents.network import FILE, save_agent
from banakil_env.arena.options import TableOptions
from banakil_env.core.random import seeds_of_rows
from banakil_env.envs.rllib import TablesEnvRunner, seat_space
from banakil_env.games import DEFAULT_GAME, find

ENV = "rummy"
ALL_SEATS = "all_seats"  # the name of the one module that plays all seats


class MaskedNetwork(TorchRLModule, ValueFunctionAPI):
    """The package's network as an RLModule: logits, with illegal actions far below all others, and values.

    `model_config` has `game`, its name; `hidden`, the widths of the hidden layers; and `seed`, of the initial weights.
    """

    def setup(self) -> None:
        """Create the network."""
        asked = self.model_config
        self.network = Network(find(asked["game"]), Shape(tuple(asked["hidden"])), asked["seed"])

    def _forward(self, batch: Mapping[str, Any], **options: Any) -> dict[str, Tensor]:
        seen = batch[Columns.OBS]
        logits, values = self.network.of_rows(seen["observation"].cpu().numpy())
        # Both heads share the hidden layers, so the values are returned as the embeddings that `compute_values`
        # receives.
        return {
            Columns.ACTION_DIST_INPUTS: legal_logits(logits, seen["action_mask"] != 0),
            Columns.EMBEDDINGS: values,
        }

    def compute_values(self, batch: Mapping[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """The expected return of each row, float32 (n,)."""
        if embeddings is not None:
            return embeddings
        return self.network.of_rows(batch[Columns.OBS]["observation"].cpu().numpy())[1]


class OneTable(PettingZooEnv):
    """RLlib's PettingZooEnv with seeds that no two env runners of a run share.

    RLlib seeds environment i of env runner w with the sum of the seed, w and i.
    """

    def __init__(self, env: Any, runner: int) -> None:
        super().__init__(env)
        self._runner = runner

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Reset the environment with a seed that is mixed from the given seed and the number of the env runner."""
        own = None if seed is None else int(seeds_of_rows(seed, [self._runner])[0])
        return super().reset(seed=own, options=options)


def config(
    *,
    pettingzoo_env: bool = False,
    tables: int = 64,
    steps: int = 128,
    runners: int = 0,
    learners: int = 0,
    hidden: tuple[int, ...] = (256, 256),
    seed: int = 0,
    game: str = DEFAULT_GAME,
    **options: Any,
) -> PPOConfig:
    """An RLlib configuration for PPO in self-play, which can be changed like any other.

    Args:
        pettingzoo_env: use RLlib's PettingZooEnv and its own env runner instead of the batch engine.
        tables: the number of tables of each env runner.
        steps: the number of decisions at each table in a sample.
        runners: the number of env runners as Ray actors; 0: in this process.
        learners: the number of learners as Ray actors; 0: in this process.
        hidden: the widths of the network's hidden layers.
        seed: the seed of the network and of the deals.
        game: the game.
        options: options of the environment (num_players, partners, rules, reward, max_turns, ...).
    """
    found, options = find(game), {"reward": "win", **options}
    if not pettingzoo_env:
        options["game"] = game
    spec = RLModuleSpec(module_class=MaskedNetwork, model_config={"game": game, "hidden": hidden, "seed": seed})
    batch = tables * steps * max(1, runners) // max(1, learners)
    chosen = (
        PPOConfig()
        # RLlib's check plays illegal actions, for which the environment raises an error.
        .environment(ENV, env_config=options, disable_env_checking=True)
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=tables, rollout_fragment_length=steps)
        .learners(num_learners=learners)
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=min(2048, batch),
            num_epochs=4,
            lr=3e-4,
            gamma=1.0,  # the only reward comes at the end
            lambda_=0.95,
            clip_param=0.2,
            entropy_coeff=0.01,
            use_kl_loss=False,
            grad_clip=0.5,
        )
        # RLlib adds the numbers of env runners and environments to the seed, so the seeds of two runs must be far
        # apart.
        .debugging(seed=int(seeds_of_rows(seed, [1])[0]) % 2**31, log_level="ERROR")
    )
    if pettingzoo_env:
        name = found.id  # Ray pickles the function, and compiled games cannot be pickled
        options = {"observation": "record"}  # the input of the network
        register_env(ENV, lambda given: OneTable(pettingzoo.make("aec", name, **options, **given), given.worker_index))
        return chosen.multi_agent(
            policies={ALL_SEATS}, policy_mapping_fn=lambda agent, episode, **_: ALL_SEATS
        ).rl_module(rl_module_spec=spec)
    return (
        chosen.environment(observation_space=seat_space(game), action_space=spaces.Discrete(found.num_actions))
        .env_runners(env_runner_cls=TablesEnvRunner)
        .rl_module(rl_module_spec=spec)
    )


def network_of(algorithm: Algorithm) -> Network:
    """A copy of the network that an algorithm has trained, for `NetworkPlayer` and `save_agent`."""
    [(name, learned)] = algorithm.learner_group.get_weights().items()
    trained = algorithm.get_module(name).network
    network = Network(trained.game, trained.shape)
    network.load_state_dict({key.removeprefix("network."): torch.as_tensor(values) for key, values in learned.items()})
    return network.eval()


def main(arguments: list[str] | None = None) -> None:
    """Train, and save the agent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=50, help="samples and updates")
    parser.add_argument("--game", default=DEFAULT_GAME)
    parser.add_argument("--players", type=int, default=2, help="at a table")
    parser.add_argument("--pettingzoo", action="store_true", help="through RLlib's PettingZooEnv")
    parser.add_argument("--tables", type=int, default=64, help="of each env runner")
    parser.add_argument("--runners", type=int, default=0, help="env runners as actors; 0: in this process")
    parser.add_argument("--learners", type=int, default=0, help="learners as actors; 0: in this process")
    parser.add_argument("--address", help="of a Ray cluster that is running; auto: the one this machine belongs to")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/rllib"), help="folder of the agent")
    given = parser.parse_args(arguments)
    ray.init(address=given.address, log_to_driver=False)
    algorithm = config(
        pettingzoo_env=given.pettingzoo,
        tables=given.tables,
        runners=given.runners,
        learners=given.learners,
        seed=given.seed,
        game=given.game,
        num_players=given.players,
    ).build_algo()
    for iteration in range(1, given.iterations + 1):
        result = algorithm.train()
        done = result["env_runners"]
        print(
            f"{iteration}: {result['num_env_steps_sampled_lifetime']:,.0f} decisions, {result['time_total_s']:.0f} s, "
            f"{done['num_episodes_lifetime']:,.0f} rounds of {done.get('episode_len_mean', float('nan')):.0f}",
            flush=True,
        )
    save_agent(given.out / FILE, network_of(algorithm), {"trained": "train.plugins.rllib", "seed": given.seed})
    algorithm.stop()
    table = TableOptions(game=given.game, num_players=given.players)
    print(f"written: {given.out / FILE}; {table.match_command(f'net:{given.out}', 'greedy')}")


if __name__ == "__main__":
    main()
