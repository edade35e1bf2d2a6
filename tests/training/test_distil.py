"""Does a network learn what its teacher does, and does it go on from there by itself?"""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

tyro = pytest.importorskip("tyro")
torch = pytest.importorskip("torch")

import train  # noqa: E402, F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents.making import make_network  # noqa: E402
from banakil_env.agents.model import Shape  # noqa: E402
from banakil_env.agents.network import FILE, NetworkPlayer, load, save_agent  # noqa: E402
from banakil_env.arena.generations import newest  # noqa: E402
from banakil_env.arena.options import TableOptions  # noqa: E402
from banakil_env.games import GAMES, find  # noqa: E402
from train import distil  # noqa: E402
from train.__main__ import main  # noqa: E402
from train.config import ConfigError  # noqa: E402
from train.ladder import ZOO  # noqa: E402
from train.recipes import ALONE, alone_recipe, recipe_names  # noqa: E402

SMALL = distil.Config(
    table=TableOptions(game="yaniv", num_players=2),
    teacher="greedy",
    hidden=(16,),
    steps=2000,
    share=1.0,
    kept=1500,
    batch=128,
    rate=1e-2,
    average=0.9,
    num_tables=32,
    rollout=16,
    deals=4,
    evaluations=2,
    bfloat16=False,
)
CONVOLUTION = {"hidden": (16, 16), "channels": 4}


def small(**changes):
    return dataclasses.replace(SMALL, **changes)


def taught(config):
    """A pupil at the end of its run, and how often its likeliest move was the teacher's, update by update."""
    pupil, alike = distil.Pupil(config), []
    while pupil.done < 1:
        pupil.play()
        pupil.update()
        alike.append(pupil.figures["alike"])
    return pupil, alike


@pytest.mark.parametrize("shape", [{}, CONVOLUTION])
def test_it_learns_the_teachers_moves(shape):
    pupil, alike = taught(small(steps=6000, **shape))
    assert alike[-1] > max(0.6, alike[0] + 0.1)
    assert pupil.labels.size == 1500  # the oldest labels have made room


def test_the_same_seed_makes_the_same_network():
    weights = [taught(SMALL)[0].average.state_dict() for _ in range(2)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_at_some_tables_it_meets_others():
    """There the network has one seat; at the others it plays every seat."""
    tables = distil.Pupil(small(num_tables=200)).rollout.tables
    others = tables.controls["players"][np.arange(200), 1 - tables.learners]
    assert set(others) == {-1, find("yaniv").kinds["expert"]}
    assert (distil.Pupil(small(against=())).rollout.tables.controls["players"] == -1).all()


def test_it_begins_as_its_teacher_without_the_advice(tmp_path):
    """At first it plays what the advised network plays that is not told its adviser's move."""
    advised = make_network(find("yaniv"), Shape((16, 16), "expert", 4), seed=1)
    save_agent(tmp_path / FILE, advised, {})
    pupil = distil.Pupil(small(begin=True, teacher=f"ppo:{tmp_path}", **CONVOLUTION))
    tables = pupil.rollout.tables
    unadvised = NetworkPlayer(advised, advised=False), NetworkPlayer(pupil.average.agent())
    moves = [player.act(tables.observations, tables.masks, np.zeros(32, np.uint64)) for player in unadvised]
    np.testing.assert_array_equal(*moves)
    assert pupil.average.agent().shape.advice is None


def test_a_teacher_of_another_shape_is_no_beginning(tmp_path):
    save_agent(tmp_path / FILE, make_network(find("yaniv"), Shape((16, 16), "expert", 4)), {})
    with pytest.raises(ValueError, match=r"needs its shape, Shape\(hidden=\(16, 16\), advice=None, channels=4\)"):
        distil.Pupil(small(begin=True, teacher=f"ppo:{tmp_path}"))
    with pytest.raises(ValueError, match="begin must be false or name another player: greedy is not a network"):
        distil.Pupil(small(begin=True))


def test_it_begins_as_another_agent_than_its_teacher(tmp_path):
    """Such as one that has learned by itself; the shape is that agent's."""
    first = make_network(find("yaniv"), Shape((8,), cards=True, takes=True), seed=1)
    save_agent(tmp_path / FILE, first, {})
    pupil = distil.Pupil(small(begin=f"net:{tmp_path}", teacher="greedy", hidden=(512, 256)))
    assert pupil.average.agent().shape == first.shape
    assert all(torch.equal(first.state_dict()[name], own) for name, own in pupil.average.played.state_dict().items())
    with pytest.raises(ValueError, match="hidden, sets cannot be chosen: the network has the shape of zoo:x"):
        small(begin="zoo:x", sets=True)


def test_the_same_command_goes_on(tmp_path):
    distil.main(small(out=str(tmp_path)))
    longer = distil.main(small(out=str(tmp_path), steps=3000))
    assert longer.steps >= 3000
    assert [point["steps"] for point in json.loads((tmp_path / "curve.json").read_text())][-1] == longer.steps
    agent = load(tmp_path)
    assert agent.network.shape.advice is None
    assert (agent.about["kind"], agent.about["config"]["teacher"]) == ("alone", "greedy")


@pytest.mark.parametrize(
    ("changes", "message"), [({"share": 0.0}, "share must be above 0"), ({"passes": 0}, "1 or more")]
)
def test_settings_that_cannot_be_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        small(**changes)


@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_takes_every_game(game):
    assert tyro.cli(distil.Config, args=["--game", game]).table == TableOptions(game=game)


@pytest.mark.parametrize("name", ALONE)
def test_a_recipe_is_for_the_table_of_its_name_and_its_teacher_is_the_newest_agent(name):
    config = alone_recipe(name)
    standing = next(one for one in find(config.table.game).tables if f"{one.name}-alone" == name)
    assert (
        config.table.found.new(**config.table.options).tobytes()
        == find(config.table.game).new(**standing.options).tobytes()
    )
    assert config.teacher == f"zoo:{newest(ZOO, standing.name).name}"
    assert name in recipe_names()


def test_the_command_trains_one(tmp_path):
    changes = {"num_tables": 4, "rollout": 16, "deals": 2, "evaluations": 1, "kept": 64, "batch": 16}
    changes |= {"teacher": "greedy", "begin": False, "opponents": ["greedy"]}
    given = [f"--set={name}={json.dumps(value)}" for name, value in changes.items()]
    assert main(["yaniv-2p-alone", "--steps", "32", "--seed", "5", "--out", str(tmp_path), *given]) == 0
    about = load(tmp_path).about
    assert (about["config"]["seed"], about["kind"]) == (5, "alone")


def test_a_recipe_that_is_not_there():
    with pytest.raises(ConfigError, match=r"no recipe 'nobody-alone' of an agent that stands alone; there are"):
        alone_recipe("nobody-alone")
