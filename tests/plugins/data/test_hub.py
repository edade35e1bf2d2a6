"""Does an agent come back from the Hub's layout as it went, and does the Hub's own library read its card?"""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from huggingface_hub import ModelCard
from safetensors.torch import save_file
from test_players import positions, rows

from banakil_env.agents import PlayerError, hub, make_player
from banakil_env.agents.network import AgentError


@pytest.fixture(scope="module")
def exported(agent, tmp_path_factory):
    """What `python -m banakil_env.agents.hub` has written."""
    path = tmp_path_factory.mktemp("hub") / "cloned"
    assert hub.main([str(agent), str(path), "--against", "random", "--deals", "10"]) == 0
    return path


@pytest.fixture
def folder(exported, tmp_path):
    """The same, for a test that spoils it."""
    return shutil.copytree(exported, tmp_path / "cloned")


def test_it_plays_as_the_agent(agent, folder):
    seen = *rows(positions(200)), np.zeros(200, np.uint64)
    player = make_player(f"hub:{folder}")
    assert player.name == f"hub:{folder}"
    assert player.act(*seen).tolist() == make_player(f"net:{agent}").act(*seen).tolist()


def test_the_folder_holds_what_the_hub_expects(agent, folder):
    assert sorted(file.name for file in folder.iterdir()) == ["README.md", "config.json", "model.safetensors"]
    assert (folder / "model.safetensors").read_bytes() == (agent / "agent.safetensors").read_bytes()
    config = json.loads((folder / "config.json").read_text())
    assert config["shape"]["hidden"] == [64, 64]
    assert config["game"] == "rummy/banakil-v0"


def test_the_card_says_how_it_fares(folder):
    card = ModelCard.load(folder / "README.md")
    assert card.data.library_name == "banakil-env"
    assert card.data.license == "mit"
    assert {"reinforcement-learning", "banakil"} <= set(card.data.tags)
    figures = {result.metric_type: result for result in card.data.eval_results}
    assert set(figures) == {"margin", "win_rate"}
    assert figures["win_rate"].metric_value > 0.5
    assert "against random" in figures["margin"].dataset_name
    assert f"| `random` | {figures['margin'].metric_value} |" in card.text


def test_weights_that_are_not_as_written_are_refused(folder):
    model = folder / "model.safetensors"
    content = bytearray(model.read_bytes())
    content[-100] ^= 1
    model.write_bytes(content)
    with pytest.raises(PlayerError, match="its digest does not match its content"):
        make_player(f"hub:{folder}")


def test_weights_of_something_else_are_refused(folder):
    import torch

    save_file({"x": torch.zeros(3)}, folder / "model.safetensors")
    with pytest.raises(AgentError, match="is of format None"):
        hub.load_folder(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": "banakil-agent-1"}', r"config.json does not match model.safetensors \(.*shape.*\)"),
        ("[]", "config.json does not match model.safetensors"),
        ("{", "config.json is damaged"),
    ],
)
def test_a_configuration_of_something_else_is_refused(folder, text, message):
    (folder / "config.json").write_text(text)
    with pytest.raises(AgentError, match=message):
        hub.load_folder(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_file_that_is_missing_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(AgentError, match=f"there is no .*{name}: a folder of an agent holds"):
        hub.load_folder(folder)


def test_an_agent_that_is_not_there(tmp_path, capsys):
    assert hub.main([str(tmp_path / "nothing"), str(tmp_path / "out")]) == 1
    assert "there is no agent at" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
