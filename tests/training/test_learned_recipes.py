"""Do the recipes of agents that learn by themselves say what `train/ppo.py` takes, and does one command train them?"""

from __future__ import annotations

import json

import pytest

pytest.importorskip("tyro")
pytest.importorskip("torch")

import train  # noqa: F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents.network import load
from banakil_env.games import find
from train.__main__ import main
from train.config import ConfigError, with_
from train.recipes import LEARNED, learned_recipe, recipe_names

SHORT = {"steps": 64, "num_tables": 4, "rollout": 16, "hidden": [8], "deals": 2, "evaluations": 1}


@pytest.mark.parametrize("name", LEARNED)
def test_a_recipe_is_for_the_table_of_its_name(name):
    config = learned_recipe(name)
    table, kind = config.table, config.about["kind"]
    standing = next(one for one in find(table.game).tables if f"{one.name}-{kind}" == name)
    assert table.found.new(**table.options).tobytes() == table.found.new(**standing.options).tobytes()
    assert name in recipe_names()


@pytest.mark.parametrize("name", LEARNED)
def test_nobody_advises_a_learned_agent(name):
    """Rule-based players are there to be measured against and, for an agent that sparred, to be met; nowhere else."""
    config = learned_recipe(name)
    silent = with_(config, {"opponents": [], "against": []})
    assert not any(player in json.dumps(vars(silent), default=str) for player in config.table.found.players)


def test_the_command_trains_one(tmp_path, capsys):
    changes = [f"--set={name}={json.dumps(value)}" for name, value in SHORT.items() if name != "steps"]
    given = ["yaniv-2p-learned", "--steps", "64", "--seed", "5", "--out", str(tmp_path), *changes]
    assert main(given) == 0
    assert "let it play" in capsys.readouterr().out
    about = load(tmp_path).about
    assert (about["config"]["seed"], about["steps"]) == (5, 64)


def test_what_the_command_cannot_do_with_one_is_said(capsys):
    assert main(["yaniv-2p-learned", "--seconds", "60"]) == 1
    assert "ends after a number of decisions (--steps)" in capsys.readouterr().err
    assert main(["yaniv-2p-learned", "--set", "nothing=1"]) == 1
    assert "there is no 'nothing' in a configuration" in capsys.readouterr().err


def test_a_recipe_that_is_not_there():
    with pytest.raises(ConfigError, match=r"no recipe 'nobody-learned' of a learned agent; there are .*yaniv-2p"):
        learned_recipe("nobody-learned")
