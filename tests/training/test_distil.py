"""Does a network learn what its teacher does, and does it go on from there by itself?"""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

tyro = pytest.importorskip("tyro")
torch = pytest.importorskip("torch")

import train  # noqa: E402, F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents.network import load  # noqa: E402
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
    lessons=2000,
    share=1.0,
    kept=1500,
    lesson_batch=128,
    lesson_rate=1e-2,
    average=0.9,
    num_tables=32,
    rollout=16,
    batch=128,
    steps=4000,
    deals=4,
    evaluations=2,
    bfloat16=False,
)


def small(**changes):
    return dataclasses.replace(SMALL, **changes)


def taught(config):
    """A pupil at the end of its lessons, and how often its likeliest move was the teacher's, update by update."""
    pupil, alike = distil.Pupil(config), []
    while pupil.at_lessons:
        pupil.play()
        pupil.update()
        alike.append(pupil.figures["alike"])
    return pupil, alike


def test_the_lessons_teach_the_teachers_moves():
    pupil, alike = taught(SMALL)
    assert alike[-1] > 0.7 > alike[0]
    assert pupil.steps >= 2000
    assert pupil.labels.size == 1500  # the oldest labels have made room


def test_the_same_seed_makes_the_same_network():
    weights = [taught(SMALL)[0].average.state_dict() for _ in range(2)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_self_play_begins_with_what_was_taught_and_stays_near():
    pupil, _ = taught(SMALL)
    assert pupil.done < 0.1
    for name, weights in pupil.average.state_dict().items():
        assert torch.equal(weights, pupil.network.state_dict()[name])
        assert torch.equal(weights, pupil.reference.state_dict()[name])
    seen = pupil.rollout.look(0)
    logprobs = torch.log_softmax(pupil.network(seen)[0], 1)
    assert float(pupil.penalty(seen, logprobs, torch.tensor(0.0))) == 0
    other = torch.log_softmax(pupil.network(seen)[0] * 3, 1)
    assert float(pupil.penalty(seen, other, torch.tensor(0.0))) > 0


def test_every_other_rollout_is_against_others():
    """At the tables of the opponents the network has one seat, and its rewards are those of that seat."""
    pupil, _ = taught(SMALL)
    alone = []
    for _ in range(2):
        pupil.play()
        alone.append(pupil.rollout.tables.controls["learner"].max() < 0)
        assert np.isfinite(pupil.rollout.advantages).any()
    assert sorted(alone) == [False, True]
    assert len(distil.Pupil(small(against=()))._batches) == 1


def test_the_same_command_goes_on_after_the_lessons(tmp_path):
    distil.main(small(out=str(tmp_path)))
    before = torch.load(tmp_path / distil.TAUGHT, weights_only=True)
    longer = distil.main(small(out=str(tmp_path), steps=5000))
    assert longer.steps >= 5000
    assert all(torch.equal(weights, before[name]) for name, weights in longer.reference.state_dict().items())
    assert [point["steps"] for point in json.loads((tmp_path / "curve.json").read_text())][-1] == longer.steps
    agent = load(tmp_path)
    assert agent.network.shape.advice is None
    assert (agent.about["kind"], agent.about["config"]["teacher"]) == ("alone", "greedy")


@pytest.mark.parametrize(("changes", "message"), [({"share": 0.0}, "share above 0"), ({"passes": 0}, "1 or more")])
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
    changes = {"num_tables": 4, "rollout": 16, "hidden": [8], "deals": 2, "evaluations": 1, "lessons": 32, "kept": 64}
    changes |= {"teacher": "greedy", "lesson_batch": 16, "opponents": ["greedy"]}
    given = [f"--set={name}={json.dumps(value)}" for name, value in changes.items()]
    assert main(["yaniv-2p-alone", "--steps", "128", "--seed", "5", "--out", str(tmp_path), *given]) == 0
    about = load(tmp_path).about
    assert (about["config"]["seed"], about["kind"]) == (5, "alone")


def test_a_recipe_that_is_not_there():
    with pytest.raises(ConfigError, match=r"no recipe 'nobody-alone' of an agent that stands alone; there are"):
        alone_recipe("nobody-alone")
