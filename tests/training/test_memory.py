"""Do the policies of `train/memory.py` read the events, and does each of them learn in a short run?"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch

from train import memory

FILE = Path(memory.__file__)
SMALL = memory.Config(game="gin", num_tables=8, rollout=16, batch=64, width=16, memory_width=8, history=12, steps=256)


@pytest.mark.parametrize("kind", memory.MEMORIES)
def test_a_short_run_changes_every_weight_that_it_uses(kind):
    config = dataclasses.replace(SMALL, memory=kind)
    before = {name: weights.clone() for name, weights in memory.Learner(config).policy.state_dict().items()}
    learner = memory.main(config)
    assert learner.steps == 256
    for name, weights in learner.policy.state_dict().items():
        assert torch.isfinite(weights).all()
        assert not torch.equal(weights, before[name]), name


@pytest.mark.parametrize("kind", ["gru", "transformer"])
def test_a_policy_depends_on_the_events_and_on_their_order(kind):
    learner = memory.Learner(dataclasses.replace(SMALL, memory=kind))
    for _ in range(6):
        learner.tables.step(learner.tables.random_actions())
    seen = learner.look()
    with torch.no_grad():
        value = learner.policy(seen)[1]
        backwards = learner.policy(seen._replace(history=seen.history.flip(1)))[1]
        nothing = learner.policy(seen._replace(history=torch.zeros_like(seen.history)))[1]
        learner.policy.events.place.normal_() if kind == "transformer" else None
        placed, turned = (learner.policy(each)[1] for each in (seen, seen._replace(history=seen.history.flip(1))))
    assert not torch.allclose(value, nothing)
    assert not torch.allclose(placed, turned)
    assert torch.isfinite(backwards).all()


def test_the_file_is_short():
    assert len(FILE.read_text(encoding="utf-8").splitlines()) <= 250
