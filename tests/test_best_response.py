"""Does a learner that plays one agent alone find what that agent does wrong, and does it say by how much?"""

from __future__ import annotations

import json

import numpy as np
import pytest

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import AgentError, load, save_agent
from banakil_env.games import find
from train import begin, best_response
from train.__main__ import main
from train.config import ConfigError, Pool, from_json, with_
from train.pool import PastSelves, opponent
from train.recipes import recipe

torch = pytest.importorskip("torch")

GAME = find("banakil")

SMALL = with_(
    recipe("demo"),
    {
        "rollout.tables": 64,
        "rollout.steps": 32,
        "optimizer.batch": 512,
        "optimizer.learning_rate": 2e-3,
        "evaluation.times": 0,
        "evaluation.deals": 2,
        "imitation.decisions": 8_192,
        "threads": 1,
        "seconds": None,
        "steps": 10_240,
    },
)


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    """The file of an agent that has learned nothing."""
    path = tmp_path_factory.mktemp("agent") / "agent.safetensors"
    save_agent(path, Network(GAME, Shape((32,)), 3), {})
    return path


def test_a_weak_agent_is_exploited(agent, tmp_path):
    config = best_response.configuration(f"net:{agent}", SMALL, "recipe", {})
    said = best_response.respond(config, tmp_path, deals=12)
    over = said["response_over_agent"]
    assert over["margin"] - over["half_width_99"] > 10
    assert said["agent_over_expert"]["margin"] < -10
    assert json.loads((tmp_path / "best_response.json").read_text()) == said
    assert from_json((tmp_path / "config.json").read_text()) == config
    assert load(tmp_path).network.shape == Shape((32,))


def test_it_begins_with_the_agent_itself(agent, tmp_path):
    """At its start it is level with itself, to the last point."""
    config = best_response.configuration(f"net:{agent}", SMALL, "agent", {"steps": 1})
    run = begin.make_run(config, tmp_path)
    begun = load(agent).network.state_dict()
    assert all(torch.equal(begun[name], tensor) for name, tensor in run.network.state_dict().items())
    progress = run.train()
    first = progress.points[0].standings[0]
    assert (first.opponent, first.margin, first.win) == (f"net:{agent}", 0, 0.5)


def test_it_learns_as_the_recipe_has_it(agent):
    base = recipe("banakil-4p")
    config = best_response.configuration(f"net:{agent}", base, "agent", {})
    assert (config.trainer, config.ppo, config.trials) == (base.trainer, base.ppo, base.trials)
    assert (config.begin_from, config.pool.players) == (str(agent), (f"net:{agent}",))
    assert best_response.configuration(f"net:{agent}", base, "recipe", {}).begin_from == base.begin_from


def test_a_trained_player_of_the_pool_is_asked_once_for_many_tables(agent):
    pool = PastSelves(Pool((f"net:{agent}", "greedy", "self", f"net:{agent}", "past")), 0, GAME)
    first, second, third = pool.others
    assert first is third
    assert second == "greedy"
    rng = np.random.default_rng(1)
    masks = (rng.random((70, 799)) < 0.02).astype(np.int8)
    masks[:, 0] = 1
    actions = first(np.zeros((70, 1000), np.uint8), masks)
    assert masks[np.arange(70), actions].all()
    assert opponent("expert", GAME) == "expert"


def test_what_cannot_be_exploited_is_refused(capsys, tmp_path):
    assert best_response.main(["expert", "--out", str(tmp_path / "out")]) == 1
    assert "is trained against a network, net:PATH; not against 'expert'" in capsys.readouterr().err
    with pytest.raises(AgentError, match="there is no agent at"):
        best_response.configuration(f"net:{tmp_path}/none", SMALL, "agent", {})
    with pytest.raises(ConfigError, match="there is no 'human:x'"):
        with_(SMALL, {"pool.players": ["human:x"]})
    assert main(["demo", "--set", 'pool.players=["net:nothing"]', "--out", str(tmp_path / "out")]) == 1
    assert "there is no agent at nothing" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
