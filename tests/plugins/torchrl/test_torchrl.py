"""Does TorchRL train on the environment? Specs that hold, legal actions only, every seat's reward, into the arena."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import pytest
import torch
from plugin_checks import ROUNDS, check_plays_in_the_arena, check_replay, short_table
from tensordict.nn import TensorDictModule
from torchrl.envs import ParallelEnv, SerialEnv, TransformedEnv
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from banakil_env.agents import make_player
from banakil_env.agents.model import Network, Shape
from banakil_env.envs.torchrl import TablesActionMask, TablesEnv
from banakil_env.envs.vector import IllegalActions
from banakil_env.games import find
from train.plugins import torchrl
from train.plugins.torchrl import GROUP, Learner, train

GAME = find("banakil")


@pytest.mark.parametrize("options", [{}, {"num_players": 4}, {"opponents": "random"}], ids=["two", "four", "learner"])
def test_the_specs_hold(options: dict[str, Any]) -> None:
    check_env_specs(TablesEnv(3, seed=1, **options))


def test_what_torchrl_plays_is_what_was_played() -> None:
    """A rollout of masked random actions, played again at a PettingZoo table: all seats' rewards at the end."""
    torch.manual_seed(1)
    env = TablesEnv(3, seed=1, **ROUNDS)
    begun = env.reset()
    states = env.tables.states.copy()
    data = env.rollout(500, tensordict=begun, auto_reset=False, break_when_any_done=False)
    for row in range(3):
        played = data[row]
        [*_, last] = played["next", "done"].nonzero()[0][:1].tolist()
        seats = played["seat"][: last + 1, 0]
        decisions = {seat: rows_of(played[: last + 1][seats == seat]) for seat in range(3)}
        rewards = dict(enumerate(played["next", "reward"][last].tolist()))
        assert played["next", "reward"][:last].abs().sum() == 0
        assert check_replay(states[row], decisions, rewards, **ROUNDS) == last + 1
        # The next round has begun in the step after.
        assert not played["done"][last + 1]
        assert played["action_mask"][last + 1].any()


def rows_of(data: Any) -> list[Any]:
    seen = zip(data["observation"].numpy(), data["action_mask"].numpy().astype(np.int8))
    return list(zip(seen, data["action"].tolist()))


def test_every_seat_is_rewarded_through_pettingzoo() -> None:
    torch.manual_seed(1)
    env = PettingZooWrapper(
        pettingzoo.make("aec", "rummy/banakil-v0", observation="record", **ROUNDS),
        use_mask=True,
        group_map={GROUP: [f"player_{seat}" for seat in range(3)]},
        seed=1,
    )
    begun = env.reset()
    position = env._env.env.position
    data = env.rollout(1000, tensordict=begun, auto_reset=False)
    part = data[GROUP]
    assert data["next", "done"].sum() == 1
    assert (part["mask"].sum(1) == 1).all()  # one seat moves at a time
    decisions: dict[int, list[Any]] = {}
    for seat in range(3):
        rows = part[:, seat][part["mask"][:, seat]]
        seen = zip(rows["observation", "observation"].numpy(), rows["action_mask"].numpy().astype(np.int8))
        decisions[seat] = list(zip(seen, rows["action"].tolist()))
    rewards = dict(enumerate(data["next", GROUP, "reward"][-1, :, 0].tolist()))
    assert check_replay(position, decisions, rewards, **ROUNDS) == len(data)


def test_an_illegal_action_is_refused() -> None:
    env = TablesEnv(2, seed=1)
    seen = env.reset()
    seen["action"] = (~seen["action_mask"]).int().argmax(1)
    with pytest.raises(IllegalActions):
        env.step(seen)


@pytest.mark.parametrize("batched", [SerialEnv, ParallelEnv])
def test_several_batches_step_under_torchrls_own_vectors(batched: type[Any]) -> None:
    """Random actions by the transform TablesActionMask are legal, over the ends of rounds too."""
    torch.manual_seed(1)
    env = TransformedEnv(
        batched(2, partial(TablesEnv, 3, opponents="random", **short_table("yaniv"))), TablesActionMask()
    )
    data = env.rollout(80, break_when_any_done=False)
    over = data["next", "done"]
    assert data.batch_size == (2, 3, 80)
    assert over.flatten(1).any(1).all()
    assert (data["next", "seat"][over] == -1).all()
    assert data["next", "action_mask"][over.squeeze(-1)].all()
    chosen = data["action_mask"].gather(-1, data["action"][..., None])
    assert chosen.all()
    env.close()


def test_without_the_transform_the_error_says_how_to_mask() -> None:
    torch.manual_seed(1)
    with pytest.raises(IllegalActions, match=r"TransformedEnv\(SerialEnv\(\.\.\.\), .*TablesActionMask\(\)\)"):
        SerialEnv(2, partial(TablesEnv, 3, opponents="random", game="gin")).rollout(20)


def test_a_policy_without_the_mask_is_found_out() -> None:
    env, network = TablesEnv(4, seed=1), Network(GAME, Shape((8,)), 1)
    env.rollout(20, Learner(network).policy)  # with it, nothing happens
    with pytest.raises(IllegalActions):
        env.rollout(
            20, TensorDictModule(lambda seen: network.of_rows(seen.numpy())[0].argmax(1), ["observation"], ["action"])
        )


@pytest.mark.parametrize("pettingzoo_env", [False, True])
def test_both_ways_learn(pettingzoo_env: bool) -> None:
    network = Network(GAME, Shape((16,)), 1)
    before = torch.cat([tensor.flatten() for tensor in network.state_dict().values()])
    said = list(train(network, iterations=2, tables=4, steps=64, pettingzoo_env=pettingzoo_env, replace_every=1))
    after = torch.cat([tensor.flatten() for tensor in network.state_dict().values()])
    assert [one["decisions"] for one in said] == [64 if pettingzoo_env else 256] * 2
    assert not torch.equal(before, after)
    assert after.isfinite().all()


def test_the_program_trains_and_its_agent_plays_in_the_arena(tmp_path: Path) -> None:
    torchrl.main(["--iterations", "1", "--tables", "2", "--out", str(tmp_path)])
    check_plays_in_the_arena(make_player(f"net:{tmp_path}"))
