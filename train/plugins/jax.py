"""PPO in JAX, in the style of PureJaxRL: rollouts, advantages and epochs are one compiled computation.

    python -m train.plugins.jax --game gin --steps 5_000_000 --out runs/jax     # then played as `net:runs/jax`

The learner has one seat at each table. A rule-based player has the others, which move inside `JaxTable.step`, so the
next row of a table is the learner's next decision. The network is the multilayer perceptron of `banakil_env.agents`.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from banakil_env.envs.jax import JaxTable, State
from banakil_env.games import find

Params = dict[str, jax.Array]


@dataclass(frozen=True)
class Config:
    """The settings of a run. Rewards are divided by `scale`, so that returns are about 1."""

    game: str = "gin"
    opponents: str = "greedy"
    steps: int = 5_000_000
    tables: int = 256
    rollout: int = 64
    hidden: int = 256
    layers: int = 2
    learning_rate: float = 5e-4
    epochs: int = 2
    minibatches: int = 8
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    max_norm: float = 0.5
    scale: float = 20.0
    seed: int = 0

    @property
    def batch(self) -> int:
        """The number of decisions in a rollout."""
        return self.tables * self.rollout


class Decisions(NamedTuple):
    """The data of each step and table that a rollout stores."""

    seen: jax.Array
    legal: jax.Array
    action: jax.Array
    logprob: jax.Array
    value: jax.Array
    reward: jax.Array
    ended: jax.Array


def initial_params(env: JaxTable, config: Config, key: jax.Array) -> Params:
    """Initial weights: orthogonal, and small in the policy, which is nearly uniform at first.

    Names and shapes are those of the package's networks.
    """
    widths = [env.observation_spec.shape[0], *[config.hidden] * config.layers]
    shapes = {f"layers.{i}": (after, before) for i, (before, after) in enumerate(itertools.pairwise(widths))}
    shapes |= {"policy": (env.num_actions, config.hidden), "value": (1, config.hidden)}
    params = {}
    for (name, shape), own in zip(shapes.items(), jax.random.split(key, len(shapes))):
        gain = {"policy": 0.01, "value": 1.0}.get(name, 2**0.5)
        params[f"{name}.weight"] = jax.nn.initializers.orthogonal(gain)(own, shape)
        params[f"{name}.bias"] = jnp.zeros(shape[0])
    return params


def network(params: Params, seen: jax.Array, legal: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The log-probability of each action (very low for illegal ones), and the expected return."""
    layers = sum(name.startswith("layers") for name in params) // 2
    x = seen
    for i in range(layers):
        x = jax.nn.relu(x @ params[f"layers.{i}.weight"].T + params[f"layers.{i}.bias"])
    logits = x @ params["policy.weight"].T + params["policy.bias"]
    value = x @ params["value.weight"].T + params["value.bias"]
    return jax.nn.log_softmax(jnp.where(legal, logits, -1e9)), value[..., 0]


def advantages(config: Config, played: Decisions, last_value: jax.Array) -> jax.Array:
    """Generalized advantage estimates, without discount, since an episode has one reward, at its end."""

    def back(carry: tuple[jax.Array, jax.Array], one: Decisions) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        following, next_value = carry
        goes_on = 1.0 - one.ended
        surprise = one.reward + goes_on * next_value - one.value
        advantage = surprise + goes_on * config.gae_lambda * following
        return (advantage, one.value), advantage

    _, found = jax.lax.scan(back, (jnp.zeros_like(last_value), last_value), played, reverse=True)
    return found


def loss(params: Params, config: Config, played: Decisions, advantage: jax.Array) -> jax.Array:
    """The loss: PPO's clipped objective, the error of the values, and the entropy bonus."""
    logprobs, value = network(params, played.seen, played.legal)
    chosen = jnp.take_along_axis(logprobs, played.action[:, None], 1)[:, 0]
    ratio = jnp.exp(chosen - played.logprob)
    scaled = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    policy = -jnp.minimum(ratio * scaled, jnp.clip(ratio, 1 - config.clip, 1 + config.clip) * scaled).mean()
    error = jnp.square(value - (played.value + advantage)).mean()
    entropy = -(jnp.exp(logprobs) * jnp.where(played.legal, logprobs, 0)).sum(1).mean()
    return policy + config.value * error - config.entropy * entropy


def make_train(config: Config) -> tuple[Any, Any]:
    """Make two functions: `begin(key)` returns a new run; `update(run)` plays a rollout and learns from it.

    `update` returns the run and its mean reward per episode.
    """
    env = JaxTable(config.game, opponents=config.opponents, observation="features")
    updates = config.steps // config.batch * config.epochs * config.minibatches
    optimizer = optax.chain(
        optax.clip_by_global_norm(config.max_norm),
        optax.adam(optax.linear_schedule(config.learning_rate, 0.0, max(updates, 1)), eps=1e-5),
    )

    def begin(key: jax.Array) -> tuple[Params, Any, State, jax.Array]:
        key, of_params, of_tables = jax.random.split(key, 3)
        params = initial_params(env, config, of_params)
        states = jax.vmap(env.init)(jax.random.split(of_tables, config.tables))
        return params, optimizer.init(params), states, key

    def update(run: tuple[Params, Any, State, jax.Array]) -> tuple[Any, dict[str, jax.Array]]:
        params, optimizer_state, states, key = run

        def decide(carry: tuple[State, jax.Array], _: None) -> tuple[tuple[State, jax.Array], Decisions]:
            before, key = carry
            key, own = jax.random.split(key)
            logprobs, value = network(params, before.observation, before.legal_action_mask)
            action = jax.random.categorical(own, logprobs)
            chosen = jnp.take_along_axis(logprobs, action[:, None], 1)[:, 0]
            after = jax.vmap(env.step)(before, action)
            ended = (after.terminated | after.truncated).astype(jnp.float32)
            seen = before.observation, before.legal_action_mask
            return (after, key), Decisions(*seen, action, chosen, value, after.payoff / config.scale, ended)

        (states, key), played = jax.lax.scan(decide, (states, key), None, config.rollout)
        _, last_value = network(params, states.observation, states.legal_action_mask)
        advantage = advantages(config, played, last_value)
        flat = jax.tree.map(lambda x: x.reshape(config.batch, *x.shape[2:]), (played, advantage))

        def learn(carry: tuple[Params, Any], rows: jax.Array) -> tuple[tuple[Params, Any], jax.Array]:
            params, optimizer_state = carry
            some, their_advantage = jax.tree.map(lambda x: x[rows], flat)
            found, gradients = jax.value_and_grad(loss)(params, config, some, their_advantage)
            changes, optimizer_state = optimizer.update(gradients, optimizer_state, params)
            return (optax.apply_updates(params, changes), optimizer_state), found

        key, own = jax.random.split(key)
        orders = jax.vmap(lambda key: jax.random.permutation(key, config.batch))(jax.random.split(own, config.epochs))
        rows = orders.reshape(config.epochs * config.minibatches, -1)
        (params, optimizer_state), losses = jax.lax.scan(learn, (params, optimizer_state), rows)
        episodes = played.ended.sum()
        said = {
            "episodes": episodes,
            "reward": (played.reward * played.ended).sum() * config.scale / jnp.maximum(episodes, 1),
            "loss": losses.mean(),
        }
        return (params, optimizer_state, states, key), said

    return jax.jit(begin), jax.jit(update, donate_argnums=0)


def train(config: Config) -> Iterator[tuple[Params, dict[str, float]]]:
    """Train, and yield the weights and the figures after every update."""
    begin, update = make_train(config)
    run = begin(jax.random.key(config.seed))
    for number in range(1, config.steps // config.batch + 1):
        start = time.perf_counter()
        run, said = update(run)
        figures = {"decisions": float(number * config.batch), **{name: float(value) for name, value in said.items()}}
        figures["decisions_a_second"] = config.batch / (time.perf_counter() - start)
        yield jax.tree.map(jnp.copy, run[0]), figures


def save(params: Params, config: Config, folder: Path) -> None:
    """Write the weights as an agent of the package, which is played as `net:FOLDER`."""
    import torch

    from banakil_env.agents.making import make_network, network_with
    from banakil_env.agents.model import Shape
    from banakil_env.agents.network import FILE, save_agent

    game, shape = find(config.game), Shape(hidden=(config.hidden,) * config.layers)
    first = make_network(game, shape).state_dict()
    # Zeros, so that no values of cards in the pile are added.
    weights = {name: torch.zeros_like(tensor) for name, tensor in first.items()}
    weights |= {name: torch.from_numpy(np.array(value)) for name, value in params.items()}
    folder.mkdir(parents=True, exist_ok=True)
    save_agent(folder / FILE, network_with(game, shape, weights), {"trained by": "train.plugins.jax"})


def main(words: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="PPO in JAX, against a compiled player.")
    defaults = Config()
    for name in ("game", "opponents", "steps", "tables", "rollout", "hidden", "learning_rate", "scale", "seed"):
        kind = type(getattr(defaults, name))
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=getattr(defaults, name))
    parser.add_argument("--out", type=Path, required=True, help="the folder of the agent")
    wanted = vars(parser.parse_args(words))
    out = wanted.pop("out")
    config = Config(**wanted)
    if config.steps < config.batch:
        parser.error(f"--steps must be {config.batch} or more: one rollout of {config.rollout} steps at every table")
    last: Params = {}
    for last, said in train(config):  # noqa: B007 - the weights of the last update are saved
        print(", ".join(f"{name} {value:,.2f}" for name, value in said.items()), flush=True)
    save(last, config, out)


if __name__ == "__main__":
    main()
