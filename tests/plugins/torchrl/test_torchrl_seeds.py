"""Do runs of neighbouring seeds share deals under TorchRL and Tianshou? And are their episodes terminated at limits?"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from first_views import GIN, check_seeds, views
from plugin_checks import short_table
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from torchrl.envs import SerialEnv, TransformedEnv

from banakil_env.agents.model import Network, Shape
from banakil_env.envs.torchrl import TablesActionMask, TablesEnv
from banakil_env.games import find
from train.plugins import tianshou, torchrl

ROWS, STEPS = 16, 60


def first_of_rollout(env: Any, rows: int) -> set[bytes]:
    """The first view of every episode of a rollout of random actions."""
    torch.manual_seed(0)
    data = env.rollout(STEPS, break_when_any_done=False)
    seen, done = data["observation"].reshape(rows, STEPS, -1), data["next", "done"].reshape(rows, STEPS)
    return views(seen[:, 0]) | views(seen[:, 1:].reshape(-1, seen.shape[2]), done[:, :-1].reshape(-1).numpy())


@pytest.mark.parametrize("opponents", [None, "greedy"])
def test_torchrl(opponents: str | None) -> None:
    seat: dict[str, Any] = {"opponents": opponents, "seat": 0} if opponents else {}
    check_seeds(lambda seed: first_of_rollout(TablesEnv(ROWS, seed=seed, **seat, **GIN), ROWS), ROWS + 8)


def test_torchrl_by_set_seed_of_several_batches() -> None:
    def first_views(seed: int) -> set[bytes]:
        env = TransformedEnv(
            SerialEnv(2, partial(TablesEnv, ROWS, opponents="greedy", seat=0, **GIN)), TablesActionMask()
        )
        env.set_seed(seed)
        return first_of_rollout(env, 2 * ROWS)

    check_seeds(first_views, 2 * ROWS + 16)


def test_the_trainer_with_torchrl(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_views(seed: int) -> set[bytes]:
        made: list[TablesEnv] = []
        monkeypatch.setattr(torchrl, "TablesEnv", lambda *args, **how: made.append(TablesEnv(*args, **how)) or made[0])
        list(torchrl.train(Network(find("gin"), Shape((8,)), 1), iterations=1, tables=ROWS, steps=8, seed=seed, **GIN))
        return {str(seed).encode() for seed in made[0].tables.seeds.tolist()}

    check_seeds(first_views, ROWS)


def test_the_trainer_with_tianshou(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_views(seed: int) -> set[bytes]:
        found = set[bytes]()

        class Listening(Collector):  # type: ignore[misc]
            def collect(self, **how: Any) -> Any:
                played = super().collect(**how)
                for part in self.buffer.buffers:
                    starts = np.concatenate([[0], np.flatnonzero(part.done[: len(part)])[:-1] + 1]) if len(part) else []
                    found.update(views(part.obs.obs[np.asarray(starts, int)]))
                return played

        monkeypatch.setattr(tianshou, "Collector", Listening)
        network = Network(find("gin"), Shape((8,)), 1)
        list(tianshou.train(network, iterations=2, tables=4, rounds=8, updates=1, size=32, seed=seed, **GIN))
        return found

    check_seeds(first_views, 16)


@pytest.mark.parametrize("truncates", [False, True])
def test_a_limit_terminates_under_torchrl(truncates: bool) -> None:
    torch.manual_seed(1)
    env = TablesEnv(8, opponents="random", truncate_at_limit=truncates, seed=1, **short_table("rummy"))
    after = env.rollout(100, break_when_any_done=False)["next"]
    assert after["done"].sum() > 8
    assert after["truncated"].any() == truncates
    assert (after["done"] == after["terminated"] | after["truncated"]).all()


@pytest.mark.parametrize("truncates", [False, True])
def test_a_limit_terminates_under_tianshou(truncates: bool) -> None:
    options = {**short_table("rummy"), "truncate_at_limit": truncates}
    envs = DummyVectorEnv([lambda: tianshou.make_env(**options)])
    algorithm = tianshou.make_algorithm(Network(find("rummy"), Shape((8,)), 1), tianshou.make_env(**options))
    buffer = VectorReplayBuffer(tianshou.HORIZON, 1)
    collector = Collector(algorithm, envs, buffer)
    collector.reset(gym_reset_kwargs={"seed": 1})
    collector.collect(n_episode=4)
    assert buffer.done.sum() == 4
    assert buffer.truncated.any() == truncates
    assert buffer.terminated.sum() == (0 if truncates else 4)
