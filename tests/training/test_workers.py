"""Do several processes play for one learner as the learner would play itself?"""

from __future__ import annotations

import dataclasses
import multiprocessing
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from banakil_env.agents.model import Shape  # noqa: E402
from banakil_env.arena import WorkerError  # noqa: E402
from banakil_env.arena.options import TableOptions  # noqa: E402
from train import begin  # noqa: E402
from train.__main__ import main  # noqa: E402
from train.aggrevate import AggrevateRun  # noqa: E402
from train.config import (  # noqa: E402
    FIRST_HELD_OUT,
    Config,
    ConfigError,
    Evaluation,
    Optimizer,
    Pool,
    Reward,
    Rollouts,
    Trials,
)
from train.curve import Point, Standing  # noqa: E402
from train.workers import Workers, _config_of, _ended, weights_of  # noqa: E402
from train.zoo import Finished, history  # noqa: E402

CONFIG = Config(
    name="small-workers",
    trainer="aggrevate",
    table=TableOptions(game="gin"),
    pool=Pool(("self", "greedy")),
    reward=Reward(unit=1.0),
    network=Shape((8,), advice="expert", channels=4, sets=True),
    rollout=Rollouts(tables=8, steps=16),
    optimizer=Optimizer(batch=64, epochs=1),
    trials=Trials(others=1),
    evaluation=Evaluation(times=0, deals=1),
    steps=512,
    threads=1,
    device="cpu",
    precision="float32",
)


def test_a_learner_learns_the_same_from_a_rollout_that_was_played_for_it(tmp_path):
    """The same weights, seed and tables: one run plays and learns, the other learns from what a third has played."""
    alone, learner, player = (begin.make_run(CONFIG, tmp_path / name) for name in ("alone", "learner", "player"))
    torch.manual_seed(3)
    alone._play()
    torch.manual_seed(3)
    played = player.played_with(weights_of(learner.network))
    learner._take(played)
    assert np.nanmax(np.abs(played.gains)) > 0
    for run in (alone, learner):
        run.update()
    assert all(torch.equal(*pair) for pair in zip(alone.network.parameters(), learner.network.parameters()))


def test_a_second_rollout_of_a_worker_has_other_orders_of_the_stock(tmp_path):
    config = dataclasses.replace(CONFIG, trials=dataclasses.replace(CONFIG.trials, orders=2))
    run = begin.make_run(config, tmp_path)
    drawn = []
    for _ in range(2):
        run.played_with(weights_of(run.network))
        drawn.append(run._orders.copy())
    assert not np.array_equal(*drawn)


def test_a_run_with_workers_comes_to_its_end(tmp_path):
    """In two parts, the second with another number of workers."""
    first = begin.make_run(dataclasses.replace(CONFIG, workers=2, steps=256), tmp_path)
    before = [weights.clone() for weights in first.network.parameters()]
    assert first.train().steps == 256
    assert any(not torch.equal(*pair) for pair in zip(before, first.network.parameters()))
    assert begin.go_on(tmp_path, dataclasses.replace(CONFIG, workers=1)).train().steps == 512
    assert not multiprocessing.active_children()


def test_every_worker_has_deals_of_its_own():
    """Other ones again when the run continues; none are held out."""
    made = [_config_of(CONFIG, number, steps) for number in range(8) for steps in (0, 128, 2**40)]
    assert len({config.seed for config in made}) == len(made)
    assert all(config.seed < FIRST_HELD_OUT for config in made)
    assert {(config.workers, config.threads, config.device) for config in made} == {(0, 1, "cpu")}


def test_workers_compute_as_the_cpu_can():
    on_gpu = dataclasses.replace(CONFIG, precision="bfloat16")
    assert _config_of(on_gpu, 0, 0).precision == "auto"
    assert _config_of(CONFIG, 0, 0).precision == "float32"


WIDE = dataclasses.replace(CONFIG, workers=1, network=dataclasses.replace(CONFIG.network, hidden=(512, 512)))


def test_a_worker_that_cannot_begin_ends_the_run(tmp_path, capfd):
    """The weights are more than a pipe holds, so that the learner still waits to send them."""
    network = begin.make_run(WIDE, tmp_path).network
    missing = dataclasses.replace(WIDE, pool=Pool(("self", f"net:{tmp_path / 'missing'}")))
    with (
        Workers(AggrevateRun, missing, 0) as workers,
        pytest.raises(WorkerError, match=r"a worker of the run has ended.*workers=0"),
    ):
        workers.begin(network)
    assert "missing" in capfd.readouterr().err
    assert not multiprocessing.active_children()


def test_the_command_tells_that_a_worker_has_ended(tmp_path, capsys, monkeypatch):
    def ended(self: Workers, network: object) -> None:
        raise _ended()

    monkeypatch.setattr(Workers, "rollout", ended)
    small = ["--steps", "512", "--set", "rollout.tables=8", "--set", "rollout.steps=8", "--set", "evaluation.times=0"]
    small += ["--set", "evaluation.deals=1", "--set", "workers=1", "--out", str(tmp_path)]
    assert main(["gin-2p", *small]) == 1
    assert "train: a worker of the run has ended" in capsys.readouterr().err


def test_a_worker_ends_with_its_learner(tmp_path):
    run = begin.make_run(CONFIG, tmp_path)
    with Workers(AggrevateRun, dataclasses.replace(CONFIG, workers=1), 0) as workers:
        workers.begin(run.network)
        [connection], [process] = workers._connections, workers._processes
        connection.close()  # as when the learner is killed
        process.join(120)
        assert process.exitcode == 0


def test_the_card_of_an_agent_tells_of_workers():
    config = dataclasses.replace(CONFIG, workers=3)
    point = Point(512, 60.0, (Standing("expert", 1.0, 0.5, 0.6),))
    told = history([Finished(Path("run"), config, [point])])
    assert "three workers played for the learner" in " ".join(told.split())


@pytest.mark.parametrize("trainer", ["fast", "sb3"])
def test_other_trainers_have_no_workers(trainer):
    with pytest.raises(ConfigError, match=f"with '{trainer}' set workers to 0"):
        dataclasses.replace(CONFIG, trainer=trainer, workers=1)
