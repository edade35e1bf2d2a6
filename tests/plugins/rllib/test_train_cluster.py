"""Does the one-file PPO learn from rollouts of a Ray cluster, and does it go on when an actor is lost?"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import ray

import train  # noqa: F401 - first, for what it asks of PyTorch's threads
from banakil_env.arena.options import TableOptions
from train import ppo
from train.__main__ import main
from train.cluster import ClusterLearner

SMALL = ppo.Config(
    table=TableOptions(game="yaniv", num_players=2),
    hidden=(32,),
    num_tables=64,
    rollout=32,
    batch=512,
    steps=65_536,
    evaluations=1,
    deals=40,
    rate=1e-2,
    opponents=("greedy",),
    bfloat16=False,
)


pytestmark = pytest.mark.usefixtures("cluster")


def rounds(learner: ClusterLearner, count: int) -> None:
    for _ in range(count):
        learner.play()
        learner.update()


@pytest.fixture
def learner() -> Iterator[ClusterLearner]:
    learner = ClusterLearner(SMALL, 2)
    yield learner
    for actor in learner.actors:
        ray.kill(actor)


def test_it_learns_from_the_rollouts_of_all_actors(learner: ClusterLearner) -> None:
    before = learner.evaluate()["standings"][0]["margin"]
    rounds(learner, 16)
    assert learner.steps == 16 * 2 * 64 * 32
    assert learner.evaluate()["standings"][0]["margin"] > before + 5
    assert learner.lost == 0


def test_actors_play_other_deals(learner: ClusterLearner) -> None:
    learner.play()
    first, second = (played["moves"][0] for played in learner._played)  # what is legal after the deal
    assert not np.array_equal(first[:, :8], second[:, :8])


def test_a_run_that_goes_on_plays_other_deals(tmp_path: Path) -> None:
    small = dataclasses.replace(SMALL, num_tables=8, rollout=8, deals=2, steps=64, out=str(tmp_path))
    begun = ClusterLearner(small, 1)
    ppo.main(begun)
    again = ClusterLearner(dataclasses.replace(small, steps=128), 1)
    ppo.main(again)
    assert again.steps == 128
    before, after = (learner._played[0]["moves"][0][:, :8] for learner in (begun, again))
    assert not np.array_equal(before, after)
    for actor in (*begun.actors, *again.actors):
        ray.kill(actor)


def test_a_killed_actor_is_replaced_and_the_learner_goes_on(learner: ClusterLearner) -> None:
    rounds(learner, 1)
    killed = learner.actors[0]
    ray.kill(killed)
    rounds(learner, 2)
    assert learner.lost == 1
    assert learner.actors[0] is not killed
    assert len(learner._played) == 2
    assert learner.steps == (2 + 1 + 2) * 64 * 32  # the killed actor cost one rollout


def test_it_is_an_option_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["num_tables=8", "rollout=8", "deals=2", "evaluations=1", "hidden=[8]"]
    given = ["yaniv-2p-learned", "--ray", "2", "--steps", "128", "--out", str(tmp_path)]
    assert main([*given, *(f"--set={one}" for one in small)]) == 0
    assert (tmp_path / "agent.safetensors").is_file()
    assert "128 decisions" in capsys.readouterr().out


def test_too_few_actors_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["yaniv-2p-learned", "--ray", "0", "--out", str(tmp_path)]) == 1
    assert "--ray must be 1 or more actors, not 0" in capsys.readouterr().err
