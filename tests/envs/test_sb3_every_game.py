"""Is every game played through Stable-Baselines3 as it is played, and does MaskablePPO learn it and sit at a table?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plugin_checks import each_game, short_table

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO

from banakil_env.arena import play_match
from banakil_env.envs.sb3 import TablesVecEnv
from banakil_env.envs.single import SingleEnv


@each_game
def test_what_sb3_plays_is_what_a_single_environment_plays(name: str) -> None:
    """Two tables until each has ended, with the same actions in an environment of its own: the same to the byte."""
    options, rng = short_table(name), np.random.default_rng(1)
    env, singles = TablesVecEnv(2, seed=1, **options), [SingleEnv(**options) for _ in range(2)]
    rows = list(env.reset())
    masks = env.action_masks().copy()
    begun = [single.reset(seed=seed) for single, seed in zip(singles, env.tables.seeds.tolist())]
    playing = {0, 1}
    while playing:
        for number in playing:
            np.testing.assert_array_equal(rows[number], begun[number][0])
            np.testing.assert_array_equal(masks[number], begun[number][1]["action_mask"])
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        seen, rewards, dones, infos = env.step(actions)
        rows, masks = list(seen.copy()), env.action_masks().copy()
        for number in sorted(playing):
            last, reward, terminated, truncated, info = singles[number].step(actions[number])
            assert (reward, terminated or truncated) == (rewards[number], dones[number])
            begun[number] = (last, info)
            if dones[number]:
                np.testing.assert_array_equal(infos[number]["terminal_observation"], last)
                playing.remove(number)


@each_game
def test_maskable_ppo_learns_it_and_sits_at_its_table(name: str, tmp_path: Path) -> None:
    env = TablesVecEnv(2, seed=1, observation="features", **short_table(name))
    settings: dict[str, Any] = {"n_steps": 32, "batch_size": 64, "n_epochs": 1, "seed": 1, "device": "cpu"}
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [8]}, **settings)
    before = torch.cat([weights.detach().flatten().clone() for weights in model.policy.parameters()])
    model.learn(64)
    after = torch.cat([weights.detach().flatten() for weights in model.policy.parameters()])
    assert after.isfinite().all()
    assert not torch.equal(before, after)
    model.save(tmp_path / "model.zip")
    results = play_match([f"sb3:{tmp_path / 'model.zip'}", "greedy"], game=name, deals=1, budget=None)
    assert len(results.deals) == 1
    assert results.failures() == []
