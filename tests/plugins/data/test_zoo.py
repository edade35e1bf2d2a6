"""Does a folder of the zoo hold the agent of the best run, smaller, and a card that tells of all of them?"""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from huggingface_hub import ModelCard
from test_players import positions, rows

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.agents import make_player
from banakil_env.agents.model import Shape
from train import begin, zoo
from train.config import Config, Evaluation, Imitation, Optimizer, Pool, Reward, Rollouts
from train.curve import Point, Standing

TINY = Config(
    "tiny",
    pool=Pool(("self", "greedy")),
    network=Shape((32,)),
    reward=Reward(unit=1.0),
    rollout=Rollouts(tables=16, steps=32),
    optimizer=Optimizer(batch=128, epochs=1),
    imitation=Imitation("greedy", decisions=1024),
    evaluation=Evaluation(times=1, deals=4, opponents=("random", "greedy")),
    steps=2048,
    threads=1,
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The folders of two small runs."""
    root = tmp_path_factory.mktemp("runs")
    for seed in range(2):
        begin.make_run(dataclasses.replace(TINY, seed=seed), root / str(seed)).train()
    return [root / "0", root / "1"]


@pytest.fixture(scope="module")
def folder(runs, tmp_path_factory):
    """What `python -m train.zoo` has made of them."""
    path = tmp_path_factory.mktemp("zoo") / "tiny-2p"
    assert zoo.main([*map(str, runs), "--out", str(path), "--deals", "6", "--note", "It *rained*."]) == 0
    return path


def test_it_plays_by_both_names(folder):
    seen = *rows(positions(100)), np.zeros(100, np.uint64)
    players = [make_player(f"{kind}:{folder}") for kind in ("ppo", "hub")]
    assert players[0].act(*seen).tolist() == players[1].act(*seen).tolist()


def test_the_agent_is_that_of_the_best_run_in_half_the_bytes(folder, runs):
    best = max((zoo.read(run) for run in runs), key=lambda run: run.strength)
    assert json.loads((folder / "config.json").read_text())["about"]["config"]["seed"] == best.config.seed
    size = (folder / "model.safetensors").stat().st_size
    assert size < 0.6 * (best.folder / "agent.safetensors").stat().st_size
    seen = *rows(positions(300)), np.zeros(300, np.uint64)
    same = make_player(f"net:{folder}").act(*seen) == make_player(f"net:{best.folder}").act(*seen)
    assert same.mean() > 0.98


def test_the_card_tells_of_every_player_and_every_run(folder):
    card = ModelCard.load(folder / "README.md")
    names = {result.dataset_name.split("against ")[1] for result in card.data.eval_results}
    assert names == {"random", "greedy", "expert"}
    assert "2,048" in card.text
    assert "seed 0" in card.text
    assert "seed 1" in card.text
    assert "\n\nIt *rained*.\n\n| run |" in card.text
    assert "![Learning curves](curve.png)" in card.text
    assert (folder / "curve.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("advice", "begin_from", "said"),
    [
        (None, None, "No game of people is in it. Standings"),
        ("expert", None, "learned when not to follow, so that it began as strong as that player. Standings"),
        ("expert", "zoo/x", "learned when not to follow. It began with the weights of `zoo/x`. Standings"),
        (None, "zoo/x", "No game of people is in it. It began with the weights of `zoo/x`. Standings"),
    ],
)
def test_the_card_tells_what_it_began_with(runs, advice, begin_from, said):
    run = zoo.read(runs[0])
    config = dataclasses.replace(run.config, network=Shape((32,), advice=advice), begin_from=begin_from)
    assert said in " ".join(zoo.history([dataclasses.replace(run, config=config)]).split())


def test_runs_of_two_recipes_are_refused(runs, tmp_path, capsys):
    other = tmp_path / "other"
    begin.make_run(dataclasses.replace(TINY, seed=5, steps=512, imitation=Imitation()), other).train()
    assert zoo.main([str(runs[0]), str(other), "--out", str(tmp_path / "out")]) == 1
    assert "differ in more than their seeds" in capsys.readouterr().err
    assert zoo.main([str(runs[0]), str(runs[0]), "--out", str(tmp_path / "out")]) == 1
    assert "two runs have the same seed" in capsys.readouterr().err
    assert zoo.main([str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "holds no finished run" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("margins", "since"), [([-5, 1, 5, 6], 20), ([-5, 5, 1, 6], 30), ([5, 5, 5, 0], None), ([5], 0)]
)
def test_a_player_is_beaten_from_when_it_stays_beaten(margins, since):
    points = [Point(i, 10.0 * i, (Standing("greedy", margin, 2.0, 0.5),)) for i, margin in enumerate(margins)]
    assert zoo.beaten_after(points, 0) == since
