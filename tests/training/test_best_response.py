"""Does a learner that plays one player alone find what that player does wrong, and does it say by how much?"""

from __future__ import annotations

import dataclasses
import json

import pytest

tyro = pytest.importorskip("tyro")
torch = pytest.importorskip("torch")

import train  # noqa: E402, F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents.making import make_network  # noqa: E402
from banakil_env.agents.model import Shape  # noqa: E402
from banakil_env.agents.network import FILE, load, save_agent  # noqa: E402
from banakil_env.arena.options import TableOptions  # noqa: E402
from banakil_env.games import find  # noqa: E402
from train import best_response  # noqa: E402

TABLE = TableOptions(game="yaniv", num_players=2)


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    """The name of an agent that has learned nothing."""
    folder = tmp_path_factory.mktemp("agent")
    save_agent(folder / FILE, make_network(find("yaniv"), Shape((16,), cards=True, takes=True), seed=3), {})
    return f"net:{folder}"


def small(player, out, **changes):
    config = best_response.Config(
        table=TABLE,
        player=player,
        out=str(out),
        num_tables=64,
        rollout=32,
        batch=512,
        steps=2048,
        evaluations=1,
        deals=4,
        matches=8,
        hidden=(16,),
        bfloat16=False,
    )
    return dataclasses.replace(config, **changes)


def test_a_weak_agent_is_exploited(agent, tmp_path):
    said = best_response.respond(small(agent, tmp_path, steps=40_960, rate=1e-2, matches=40))
    over = said["response_over_player"]
    assert over["margin"] - over["half_width_99"] > 3
    assert said["player_over_expert"]["margin"] < -10
    assert json.loads((tmp_path / "best_response.json").read_text()) == said
    assert load(tmp_path).about["player"] == agent


def test_it_begins_with_the_agent_itself(agent, tmp_path):
    """At its start it is level with itself, to the last point."""
    learner = best_response.Response(small(agent, tmp_path))
    begun = load(agent.removeprefix("net:")).network.state_dict()
    assert all(torch.equal(begun[name], tensor) for name, tensor in learner.average.state_dict().items())
    learner.config = dataclasses.replace(learner.config, opponents=(agent,))
    [first] = learner.evaluate()["standings"]
    assert (first["opponent"], first["margin"], first["win"]) == (agent, 0, 0.5)


def test_the_player_has_all_seats_of_the_other_side():
    """Between partners the learner plays both seats of its own side."""
    four = dataclasses.replace(small("expert", ""), table=TableOptions(game="canasta", num_players=4), begin=None)
    assert four.seating["opponents"] == ("expert", "caller", "expert")
    three = dataclasses.replace(small("greedy", ""), table=TableOptions(game="yaniv", num_players=3), begin=None)
    assert three.seating["opponents"] == ("greedy", "greedy")


def test_a_rule_based_player_is_answered_from_random_weights_or_from_an_agent(agent, tmp_path):
    assert best_response.Response(small("expert", tmp_path)).config.first is None
    assert small("expert", tmp_path, begin=agent).shape == Shape((16,), cards=True, takes=True)


def test_the_command_says_how_far_the_player_is_exploited(agent, tmp_path, capsys):
    given = [agent, "--game", "yaniv", "--num-players", "2", "--num-tables", "8", "--rollout", "8", "--steps", "64"]
    given += ["--evaluations", "1", "--deals", "2", "--matches", "2", "--out", str(tmp_path)]
    best_response.main(tyro.cli(best_response.Config, args=given))
    assert "response over player: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"begin": "greedy"}, "begin must be a network of plain layers without an adviser, not 'greedy'"),
        ({"matches": 1}, "matches must be 2 or more, not 1"),
    ],
)
def test_what_cannot_be_done_is_refused(changes, message, agent, tmp_path):
    with pytest.raises(ValueError, match=message):
        best_response.Response(small(agent, tmp_path, **changes))


def test_a_player_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no player 'nobody'"):
        best_response.Response(small("nobody", tmp_path))
