"""Are the settings of `train/ablations.toml` those of `train/ppo.py`, and is each run done once and kept?"""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

pytest.importorskip("tyro")
torch = pytest.importorskip("torch")

import train  # noqa: E402, F401 - first, for what it asks of PyTorch's threads
from banakil_env.arena.options import TableOptions  # noqa: E402
from train import ablated, ablations, ppo  # noqa: E402
from train.config import ConfigError  # noqa: E402
from train.recipes import learned_recipe  # noqa: E402

SAID = ablations.read_settings()
SMALL = {"steps": 64, "num_tables": 4, "rollout": 16, "hidden": [8]}
YANIV = ablated.Config(
    TableOptions(game="yaniv", num_players=2), hidden=(16,), num_tables=32, rollout=16, batch=128, bfloat16=False
)


@pytest.mark.parametrize("setting", [name for name in SAID["settings"] if name != "now"])
def test_a_setting_changes_the_defaults(setting):
    now, other = (ablations.configuration("rummy-2p", name, 0, {}) for name in ("now", setting))
    assert now != other


@pytest.mark.parametrize("table", SAID["tables"])
def test_the_setting_now_is_a_short_run_of_the_recipe(table):
    recipe, now = learned_recipe(f"{table}-learned"), ablations.configuration(table, "now", 0, {})
    apart = {"steps", "out", "evaluations", "deals", "less", "magnet", "past"}
    ours, theirs = dataclasses.asdict(now), dataclasses.asdict(recipe)
    assert [name for name in ours if name not in apart and ours[name] != theirs[name]] == []


def test_the_setting_learned_is_the_recipe():
    config = ablations.configuration("gin-2p", "learned", 3, {})
    recipe = learned_recipe("gin-2p-learned")
    assert (config.seed, config.steps, config.shape) == (3, recipe.steps, recipe.shape)


def test_a_run_is_done_once(tmp_path, monkeypatch, capsys):
    file = tmp_path / "results.json"
    monkeypatch.setattr(ablations, "SETTINGS", tmp_path / "settings.toml")
    common = "\n".join(f"{name} = {json.dumps(value)}" for name, value in SMALL.items())
    ablations.SETTINGS.write_text(f"[tables.yaniv-2p]\n{common}\n[settings.now]\n[settings.one]\nepochs = 2\n")
    given = ["yaniv-2p", "--seeds", "0", "1", "--deals", "2", "--results", str(file)]
    assert ablations.main(given) == 0
    results = ablations.read(file)
    assert [(one["setting"], one["seed"]) for one in results] == [("now", 0), ("now", 1), ("one", 0), ("one", 1)]
    assert [one["curve"][-1]["steps"] for one in results] == [64] * 4
    assert {one["opponent"] for one in results[0]["curve"][-1]["standings"]} == {"greedy", "expert"}
    capsys.readouterr()
    assert ablations.main(given) == 0
    assert capsys.readouterr().out.count("is there already") == 4
    assert ablations.read(file) == results
    assert ablations.main([*given, "--steps", "128"]) == 0
    assert len(ablations.read(file)) == 8


def test_an_unknown_setting_is_refused(capsys):
    with pytest.raises(SystemExit):
        ablations.main(["gin-2p", "nothing"])
    assert "there is no setting nothing; there are now, " in capsys.readouterr().err


def test_a_table_without_settings_has_its_recipe_alone(capsys):
    with pytest.raises(SystemExit):
        ablations.main(["mille-2p", "now"])
    assert "mille-2p is not in ablations.toml: its only setting is learned" in capsys.readouterr().err


def test_a_setting_that_the_game_cannot_have_is_left_out(tmp_path, capsys):
    """Yaniv has no columns of offered cards."""
    given = ["yaniv-2p", "without-offers", "--deals", "2", "--results", str(tmp_path / "results.json")]
    assert ablations.main(given) == 0
    assert "less must name parts that the network would have, not offers" in capsys.readouterr().err
    assert ablations.read(tmp_path / "results.json") == []


# The ideas that are measured ------------------------------------------------------------------------------------------


def test_without_ideas_it_is_the_learner_of_the_file():
    assert type(ablated.learner_of(YANIV)) is ppo.Learner


def test_a_network_can_lack_one_part():
    assert (YANIV.shape.cards, YANIV.shape.takes) == (True, True)
    assert dataclasses.replace(YANIV, less=("takes",)).shape == dataclasses.replace(YANIV.shape, takes=False)


def test_a_magnet_draws_the_policy_to_its_average():
    """A strong one keeps the policy near the moving average of its weights; without it the two come apart."""

    def distance(magnet):
        learner = ablated.Magnet(dataclasses.replace(YANIV, magnet=magnet, average=0.999, rate=1e-2))
        for _ in range(4):
            learner.play()
            learner.update()
        seen = learner.rollout.seen(np.arange(256))
        with torch.no_grad():
            policy, reference = (torch.log_softmax(net(seen)[0], 1) for net in (learner.network, learner.average))
        return float((policy.exp() * (policy - reference)).sum(1).mean())

    assert distance(100.0) < 0.2 * distance(0.0)


def test_earlier_versions_sit_at_some_seats_and_are_exchanged(monkeypatch):
    monkeypatch.setattr(ablated, "SNAPSHOT_EVERY", 1)
    learner = ablated.learner_of(dataclasses.replace(YANIV, past=True))
    seated = set()
    for _ in range(3):
        learner.play()
        seated |= set(np.unique(learner.rollout.tables.controls["players"]).tolist())
        learner.update()
    assert len(learner.versions) == 4
    assert len(seated) == 2  # the learner itself, and the earlier version


def test_two_ideas_at_once_are_refused():
    with pytest.raises(ValueError, match="magnet and past are measured one at a time"):
        dataclasses.replace(YANIV, magnet=0.1, past=True)
    with pytest.raises(ConfigError, match="less"):
        ablations.configuration("yaniv-2p", "without-offers", 0, {})
