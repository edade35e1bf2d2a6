"""Does Stable-Baselines3 get from the batch what it asks of a VecEnv, and learn on it?"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_util import make_vec_env

from banakil_env.envs.forms import Numbers
from banakil_env.envs.sb3 import TablesVecEnv, frozen
from banakil_env.envs.single import SingleEnv
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.render import as_text

banakil = Plain(find("banakil"))

SMALL: dict[str, Any] = {"n_steps": 32, "batch_size": 128, "n_epochs": 1, "seed": 1, "device": "cpu"}


def random_actions(env: TablesVecEnv, rng: np.random.Generator) -> Any:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])


def test_masks_come_from_the_arrays_row_by_row() -> None:
    env = TablesVecEnv(4, seed=1)
    env.reset()
    assert is_masking_supported(env)
    assert (get_action_masks(env) == env.tables.masks).all()
    assert (env.env_method("action_masks", indices=2)[0] == env.tables.masks[2]).all()
    assert not np.shares_memory(env.action_masks(), env.tables.masks)
    bare = TablesVecEnv(4, copy=False)
    assert np.shares_memory(bare.env_method("action_masks", indices=2)[0], bare.tables.masks)
    assert (env.get_attr("action_masks")[1]() == env.tables.masks[1]).all()
    with pytest.raises(AttributeError, match="no method 'fly'"):
        env.env_method("fly")
    with pytest.raises(AttributeError, match="no attribute 'wings'"):
        env.get_attr("wings")


def test_each_table_plays_the_game_of_its_seed() -> None:
    env = TablesVecEnv(3, seed=5)
    seen = env.reset()
    assert env.tables.seeds[0] == 5
    for row, seed in enumerate(env.tables.seeds.tolist()):
        assert (seen[row] == SingleEnv().reset(seed=seed)[0]).all()
    seeds = env.seed(7)
    assert (env.reset()[0] == SingleEnv().reset(seed=7)[0]).all()
    assert env.tables.seeds.tolist() == seeds


@pytest.mark.parametrize("truncates", [False, True])
def test_the_end_of_an_episode_is_told_as_sb3_wants(truncates: bool) -> None:
    env = TablesVecEnv(8, observation="record", num_players=4, max_turns=60, truncate_at_limit=truncates, seed=1)
    env.reset()
    rng = np.random.default_rng(0)
    lengths, at_limit, ended = np.zeros(8, int), 0, 0
    for _ in range(300):
        _, rewards, dones, infos = env.step(random_actions(env, rng))
        lengths += 1
        for row in range(8):
            if not dones[row]:
                assert infos[row] == {}
                assert rewards[row] == 0
                continue
            info = infos[row]
            ended += 1
            assert info["episode"]["l"] == lengths[row]
            assert info["episode"]["r"] == rewards[row]
            final = banakil.fields(info["terminal_observation"])
            assert final["ending"] != 0
            assert info["TimeLimit.truncated"] == (truncates and info["ending"] == "turns")
            at_limit += info["ending"] == "turns"
            lengths[row] = 0
    assert 0 < at_limit < ended


def test_maskable_ppo_trains_and_its_past_joins_the_pool() -> None:
    env = TablesVecEnv(8, max_turns=20, seed=1)
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [16]}, **SMALL)
    model.learn(512)
    assert model.num_timesteps == 512
    assert len(model.ep_info_buffer or ()) > 0
    env.set_opponents(["random", frozen(model)])
    model.learn(512)
    assert (env.tables.controls["players"] < -1).any()


def test_a_model_trained_on_a_single_environment_can_be_saved(tmp_path: Any) -> None:
    model = MaskablePPO("MlpPolicy", SingleEnv(), policy_kwargs={"net_arch": [8]}, **SMALL)
    model.learn(32)
    model.save(tmp_path / "model.zip")
    again = MaskablePPO.load(tmp_path / "model.zip", device="cpu")
    seen, info = SingleEnv().reset(seed=1)
    action, _ = again.predict(seen, action_masks=info["action_mask"])
    assert info["action_mask"][int(action)]


@pytest.mark.parametrize(
    ("form", "policy"), [("features", "MlpPolicy"), ("dict", "MultiInputPolicy"), ("cards", "MultiInputPolicy")]
)
def test_every_form_trains_and_plays_frozen(form: str, policy: str, tmp_path: Any) -> None:
    env = TablesVecEnv(4, observation=form, max_turns=20, seed=1)
    seen = env.reset()
    kept = copy.deepcopy(seen)
    env.step(random_actions(env, np.random.default_rng(0)))
    for name in seen if isinstance(seen, dict) else ():
        assert (seen[name] == kept[name]).all()
    model = MaskablePPO(policy, env, policy_kwargs={"net_arch": [8]}, **SMALL)
    model.learn(128)
    model.save(tmp_path / "model.zip")
    env.set_opponents(frozen(MaskablePPO.load(tmp_path / "model.zip", device="cpu")))
    model.learn(128)
    assert (env.tables.controls["players"] < -1).any()


def test_it_draws_its_first_table_as_the_learner_sees_it() -> None:
    env = TablesVecEnv(2, render_mode="ansi", render_seat="agent", seat=1, seed=4)
    env.reset()
    text = env.render()
    assert text == as_text(env.tables.game, env.tables.states[0], 1) != as_text(env.tables.game, env.tables.states[0])
    with pytest.raises(ValueError, match="make the environment with render_mode='rgb_array'; it has 'ansi'"):
        env.render("rgb_array")
    silent = TablesVecEnv(2, seed=4)
    silent.reset()
    assert silent.render() is None


def test_its_pictures_are_what_a_video_recorder_takes() -> None:
    pytest.importorskip("resvg_py")
    env = TablesVecEnv(2, render_mode="rgb_array", seed=4)
    env.reset()
    first, other = env.get_images()
    assert first.shape == (840, 1120, 3)
    assert first.dtype == np.uint8
    assert (env.render() == first).all()
    assert (first != other).any()


def test_sb3s_own_make_vec_env() -> None:
    env = make_vec_env("rummy/Banakil-v0", 2, seed=1, env_kwargs={"observation": "features"})
    seen = env.reset()
    assert seen.shape == (2, find("banakil").features.width)
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [8]}, **SMALL)
    model.learn(64)
    picture = env.render()  # SB3 asks for pixels by itself, and puts the tables side by side
    assert picture is not None
    assert picture.shape[2] == 3


# Models from before ---------------------------------------------------------------------------------------------------


def unbounded(width: int) -> Any:
    """The space of features as it was before columns had bounds."""
    return Numbers(-np.inf, np.inf, (width,), np.float32)


def test_a_model_of_features_without_bounds_loads_and_learns_on(tmp_path: Any) -> None:
    env = TablesVecEnv(4, game="yaniv", seed=1)
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [8]}, **SMALL)
    model.observation_space = model.policy.observation_space = unbounded(env.tables.game.features.width)
    model.save(tmp_path / "old.zip")
    again = MaskablePPO.load(tmp_path / "old.zip", env=TablesVecEnv(4, game="yaniv", seed=2), device="cpu")
    again.learn(64)
    env.set_opponents(frozen(MaskablePPO.load(tmp_path / "old.zip", device="cpu"), game="yaniv"))
    env.reset()
    env.step(env.tables.random_actions().copy())


def test_a_model_of_records_needs_the_form_that_the_error_names(tmp_path: Any) -> None:
    """As it was saved when records were the default: with a space that has no name of a form."""
    old = TablesVecEnv(4, game="yaniv", observation="record", seed=1)
    del old.observation_space.form
    model = MaskablePPO("MlpPolicy", old, policy_kwargs={"net_arch": [8]}, **SMALL)
    model.save(tmp_path / "old.zip")
    with pytest.raises(ValueError, match=r"observation='record'.* != .*observation='features'") as refused:
        MaskablePPO.load(tmp_path / "old.zip", env=TablesVecEnv(4, game="yaniv"), device="cpu")
    assert "\n" not in str(refused.value)
    env = TablesVecEnv(4, game="yaniv", observation="bytes", seed=2)
    MaskablePPO.load(tmp_path / "old.zip", env=env, device="cpu").learn(64)
    learner = TablesVecEnv(4, game="yaniv", opponents=frozen(MaskablePPO.load(tmp_path / "old.zip"), game="yaniv"))
    learner.reset()
    learner.step(learner.tables.random_actions().copy())
