"""Does a model that Stable-Baselines3 saved sit at the table, whatever it was trained on?"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO

from banakil_env.agents import PlayerError, make_player
from banakil_env.arena import play_match
from banakil_env.envs.sb3 import TablesVecEnv, frozen
from banakil_env.envs.vector import Tables
from banakil_env.games import find

GAME = "gin"

EXTRACTOR = '''
import torch
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


class First(BaseFeaturesExtractor):
    """The first columns only."""

    def __init__(self, observation_space, count):
        super().__init__(observation_space, count)

    def forward(self, seen):
        return torch.tanh(seen[:, : self.features_dim])
'''


def saved(folder: Path, algorithm: Any, form: str = "features", game: str = GAME, **more: Any) -> tuple[Any, str]:
    """A model, untrained, and its player's name."""
    policy = "MultiInputPolicy" if form == "dict" else "MlpPolicy"
    model = algorithm(policy, TablesVecEnv(1, game=game, observation=form), seed=1, device="cpu", **more)
    model.save(folder / "model.zip")
    return model, f"sb3:{folder / 'model.zip'}"


def rows(count: int = 70) -> tuple[Any, Any]:
    """Observations and masks of as many tables."""
    tables = Tables(count, game=GAME)
    tables.reset(seed=3)
    for _ in range(5):
        tables.step(tables.random_actions())
    return tables.observations.copy(), tables.masks.copy()


@pytest.mark.parametrize("form", ["record", "dict", "features"])
def test_it_plays_as_the_model_does_whichever_form_that_has_learned_on(form: str, tmp_path: Path) -> None:
    model, name = saved(tmp_path, MaskablePPO, form, n_steps=8, batch_size=8)
    observations, masks = rows()
    own = make_player(name, GAME).act(observations, masks, np.zeros(len(masks), np.uint64))
    assert (own == frozen(model, deterministic=True, game=GAME)(observations, masks)).all()


@pytest.mark.parametrize("algorithm", [PPO, A2C])
def test_a_model_without_masks_plays_the_likeliest_legal_action(algorithm: Any, tmp_path: Path) -> None:
    _, name = saved(tmp_path, algorithm, n_steps=8)
    player = make_player(name, GAME)
    observations, masks = rows()
    actions = player.act(observations, masks, np.zeros(len(masks), np.uint64))
    assert masks[np.arange(len(masks)), actions].all()
    told = player.explain(observations[0], masks[0], 0)  # type: ignore[attr-defined]
    assert told.action == actions[0]
    assert sorted(told.probabilities) == np.flatnonzero(masks[0]).tolist()
    assert sum(told.probabilities.values()) == pytest.approx(1)
    assert told.action == max(told.probabilities, key=told.probabilities.__getitem__)


def test_a_row_gets_the_same_action_whatever_is_beside_it(tmp_path: Path) -> None:
    _, name = saved(tmp_path, MaskablePPO, n_steps=8, batch_size=8)
    observations, masks = rows()
    player, dice = make_player(name, GAME), np.zeros(len(masks), np.uint64)
    one_by_one = [player.act(observations[i : i + 1], masks[i : i + 1], dice[:1])[0] for i in range(len(masks))]
    assert player.act(observations, masks, dice).tolist() == one_by_one


def test_an_extractor_of_ones_own_is_found_in_the_folder_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_extractor.py").write_text(EXTRACTOR)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    import own_extractor  # type: ignore[import-not-found]

    own = {"features_extractor_class": own_extractor.First, "features_extractor_kwargs": {"count": 7}}
    _, name = saved(tmp_path, MaskablePPO, n_steps=8, batch_size=8, policy_kwargs=own)
    monkeypatch.delitem(sys.modules, "own_extractor")
    results = play_match([name, "greedy"], deals=2, game=GAME, processes=2)
    assert results.failures() == []
    assert len(results.deals) == 2


def test_a_file_that_cannot_be_played_is_refused_with_the_reason(tmp_path: Path) -> None:
    text, empty = tmp_path / "text.zip", tmp_path / "empty.zip"
    text.write_text("no archive")
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("data", "{}")
    _, of_rummy = saved(tmp_path, PPO, game="rummy", n_steps=8)
    for name, message in (
        ("sb3:", "name the file"),
        (f"sb3:{tmp_path / 'none.zip'}", "there is no file"),
        (f"sb3:{text}", "is not a file of Stable-Baselines3"),
        (f"sb3:{empty}", "cannot be loaded"),
        (of_rummy, "does not play rummy/gin-v0: its observations are those of rummy as features$"),
    ):
        with pytest.raises(PlayerError, match=message):
            make_player(name, find(GAME))
    _, of_dqn = saved(tmp_path, DQN, buffer_size=10)
    with pytest.raises(PlayerError, match="MaskablePPO, PPO and A2C can be played"):
        make_player(of_dqn, GAME)


def test_a_frozen_model_of_another_game_says_how_to_name_it(tmp_path: Path) -> None:
    model, _ = saved(tmp_path, MaskablePPO, n_steps=8, batch_size=8)
    with pytest.raises(
        ValueError,
        match=r"does not play banakil: its observations are those of gin as features; name its game: frozen\(",
    ):
        frozen(model)
