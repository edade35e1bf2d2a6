"""Do runs of neighbouring seeds learn from other deals? In every trainer, over all of its tables."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from first_views import check_seeds, views

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.agents.model import Shape
from banakil_env.arena.seeds import FIRST_HELD_OUT
from train import begin
from train.config import Config, Evaluation, Optimizer, Pool, Reward, Rollouts

TABLES = 24

CONFIG = Config(
    "small",
    "fast",
    pool=Pool(("self", "past", "greedy"), every=256, size=2),
    network=Shape((8,)),
    reward=Reward(unit=1.0),
    rollout=Rollouts(tables=TABLES, steps=8),
    optimizer=Optimizer(batch=64, epochs=1),
    evaluation=Evaluation(times=0, deals=1),
    steps=512,
    threads=1,
    device="cpu",
    precision="float32",
)
SB3 = dataclasses.replace(CONFIG, trainer="sb3", pool=Pool(("greedy", "past"), every=256, size=2))


@pytest.mark.parametrize("config", [CONFIG, SB3], ids=lambda config: config.trainer)
def test_a_run_has_deals_of_its_own(config: Config, tmp_path: Path) -> None:
    """Tables at which the network plays every seat, and those with one learner's seat, together."""

    def seeds(seed: int) -> set[bytes]:
        run = begin.make_run(dataclasses.replace(config, seed=seed), tmp_path / "run")
        if config.trainer == "sb3":
            run.env.reset()
        dealt = np.concatenate([tables.seeds for tables in run.tables])
        assert (dealt < FIRST_HELD_OUT).all()
        return views(dealt[:, None])

    check_seeds(seeds, TABLES)
