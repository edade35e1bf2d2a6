"""Are the settings of `train/ablations.toml` those of `train/ppo.py`, and is each run done once and kept?"""

from __future__ import annotations

import json
import tomllib

import pytest

pytest.importorskip("tyro")
pytest.importorskip("torch")

import train  # noqa: F401 - first, for what it asks of PyTorch's threads
from banakil_env.arena.options import TableOptions
from train import ablations, ppo
from train.config import with_

SAID = tomllib.loads(ablations.SETTINGS.read_text(encoding="utf-8"))
SMALL = {"steps": 64, "num_tables": 4, "rollout": 16, "hidden": [8]}


@pytest.mark.parametrize("setting", SAID["settings"])
def test_a_setting_changes_the_defaults(setting):
    basis = with_(ppo.Config(TableOptions(game="rummy")), SAID["games"]["rummy"])
    assert (with_(basis, SAID["settings"][setting]) == basis) == (setting == "defaults")


def test_the_setting_now_is_what_the_file_does_without_options():
    basis = with_(ppo.Config(TableOptions(game="rummy")), SAID["games"]["rummy"] | SAID["settings"]["now"])
    assert basis == ppo.Config(TableOptions(game="rummy"), steps=basis.steps)


def test_a_run_is_done_once(tmp_path, monkeypatch, capsys):
    file = tmp_path / "results.json"
    monkeypatch.setattr(ablations, "SETTINGS", tmp_path / "settings.toml")
    games = "\n".join(f"{name} = {json.dumps(value)}" for name, value in SMALL.items())
    ablations.SETTINGS.write_text(f"[games.yaniv]\n{games}\n[settings.defaults]\n[settings.one]\nepochs = 2\n")
    given = ["yaniv", "--seeds", "0", "1", "--evaluations", "1", "--deals", "2", "--results", str(file)]
    assert ablations.main(given) == 0
    results = ablations.read(file)
    assert [(one["setting"], one["seed"]) for one in results] == [
        ("defaults", 0),
        ("defaults", 1),
        ("one", 0),
        ("one", 1),
    ]
    assert [one["curve"][-1]["steps"] for one in results] == [64] * 4
    assert {one["opponent"] for one in results[0]["curve"][-1]["standings"]} == {"greedy", "expert"}
    capsys.readouterr()
    assert ablations.main(given) == 0
    assert capsys.readouterr().out == ""
    assert ablations.read(file) == results


def test_an_unknown_setting_is_refused(capsys):
    with pytest.raises(SystemExit):
        ablations.main(["gin", "nothing"])
    assert "there is no setting nothing; there are defaults, " in capsys.readouterr().err


def test_a_setting_that_the_game_cannot_have_is_left_out(tmp_path, capsys):
    """Yaniv has no columns of what a discard leaves."""
    given = ["yaniv", "rests", "--steps", "64", "--deals", "2", "--results", str(tmp_path / "results.json")]
    assert ablations.main(given) == 0
    assert "yaniv rests is left out: configuration: rests must be false" in capsys.readouterr().err
    assert ablations.read(tmp_path / "results.json") == []
