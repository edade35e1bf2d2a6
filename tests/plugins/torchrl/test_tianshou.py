"""Does Tianshou train on the environment? Legal actions only, every seat's reward, and into the arena."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from plugin_checks import ROUNDS, check_plays_in_the_arena, check_replay
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.torch_utils import policy_within_training_step

from banakil_env.agents import make_player
from banakil_env.agents.model import Network, Shape
from banakil_env.core.game import IllegalAction
from banakil_env.games import find
from train.plugins import tianshou
from train.plugins.tianshou import HORIZON, make_algorithm, make_env, train

GAME = find("banakil")
SEATS = range(3)


@pytest.fixture(scope="module")
def played() -> tuple[Any, Any, Any]:
    """One round that paid something, explored: the state that it began with, its buffer, its rewards."""
    for seed in range(1, 30):
        position, buffer, batch = explored(seed)
        if batch.rew[-1].any():
            return position, buffer, batch
    raise AssertionError("no round was scored")


def explored(seed: int) -> tuple[Any, Any, Any]:
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - Tianshou explores with it
    envs = DummyVectorEnv([lambda: make_env(**ROUNDS)])
    algorithm = make_algorithm(Network(GAME, Shape((8,)), 1), make_env(**ROUNDS))
    algorithm.get_algorithm("player_0").policy.set_eps_training(0.5)
    buffer = VectorReplayBuffer(HORIZON, 1)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": seed})
    position = envs.workers[0].env.env.env.position
    with policy_within_training_step(algorithm.policy):
        collector.collect(n_episode=1)
    return position, buffer, buffer[buffer.sample_indices(0)]


def test_what_tianshou_played_is_what_was_played(played: tuple[Any, Any, Any]) -> None:
    position, _, batch = played
    decisions: dict[int, list[Any]] = {seat: [] for seat in SEATS}
    for agent, seen, mask, action in zip(batch.obs.agent_id, batch.obs.obs, batch.obs.mask, batch.act):
        decisions[int(agent.removeprefix("player_"))].append(((seen, mask.astype(np.int8)), int(action)))
    assert (batch.rew[:-1] == 0).all()
    assert check_replay(position, decisions, dict(enumerate(batch.rew[-1].tolist())), **ROUNDS) > 30


@pytest.mark.parametrize(("horizon", "reaches_everyone"), [(HORIZON, True), (1, False)])
def test_returns_reach_the_seats_that_did_not_move_last(
    played: tuple[Any, Any, Any], horizon: int, reaches_everyone: bool
) -> None:
    """Over the whole round every decision of a seat is worth what the seat got; over one move only the last is."""
    _, buffer, batch = played
    network = Network(GAME, Shape((8,)), 1)
    torch.nn.init.zeros_(network.policy.weight)  # values near 0, unlike any reward
    algorithm = make_algorithm(network, make_env(**ROUNDS), horizon)
    indices = buffer.sample_indices(0)
    got = algorithm._preprocess_batch(buffer[indices], buffer, indices)
    rewards = np.where(batch.rew[-1] == 0, np.nan, batch.rew[-1])
    worth = [np.isclose(got[f"player_{seat}"].returns.numpy().ravel(), rewards[seat]) for seat in SEATS]
    assert all(one.all() for one in worth) == reaches_everyone
    assert sum(one.sum() for one in worth) == (len(batch) if reaches_everyone else 1)


def test_a_policy_without_the_mask_is_found_out() -> None:
    env = make_env(**ROUNDS)
    seen, _ = env.reset(seed=1)
    with pytest.raises(IllegalAction):
        env.step(seen["mask"].index(False))


def test_training_changes_the_network() -> None:
    network = Network(GAME, Shape((8,)), 1)
    before = torch.cat([tensor.flatten() for tensor in network.state_dict().values()])
    said = list(train(network, iterations=2, tables=2, rounds=2, updates=2, size=32, **ROUNDS))
    after = torch.cat([tensor.flatten() for tensor in network.state_dict().values()])
    assert [one["rounds"] for one in said] == [2, 2]
    assert not torch.equal(before, after)
    assert after.isfinite().all()


def test_the_program_trains_and_its_agent_plays_in_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tianshou.train
    monkeypatch.setattr(tianshou, "train", lambda *given, **options: whole(*given, rounds=2, updates=1, **options))
    tianshou.main(["--iterations", "1", "--out", str(tmp_path)])
    check_plays_in_the_arena(make_player(f"net:{tmp_path}"))
