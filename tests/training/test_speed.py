"""Does each part of the time of `train/ppo.py` count once?"""

from __future__ import annotations

import time

import pytest

pytest.importorskip("tyro")
pytest.importorskip("torch")

import torch

import train  # noqa: F401 - first, for what it asks of PyTorch's threads
from banakil_env.arena.options import TableOptions
from train import ppo, speed

SMALL = {"num_tables": 32, "rollout": 16, "hidden": (16,), "batch": 128}


def test_the_parts_are_the_whole():
    config = ppo.Config(TableOptions(game="yaniv", num_players=2), **SMALL)
    backward, begun = torch.Tensor.backward, time.process_time()
    parts = speed.measure(config, rounds=4)
    spent = time.process_time() - begun
    assert torch.Tensor.backward is backward
    assert parts.keys() == speed.PARTS.keys()
    assert min(parts.values()) > 0
    assert sum(parts.values()) * 4 * 32 * 16 / 1e6 <= spent


def test_time_within_another_part_counts_once():
    watch = speed.Watch()

    def spend(seconds):
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    inner = watch.timed("step", spend)
    watch.timed("sample", lambda: (spend(0.02), inner(0.06)))()
    assert watch.seconds["step"] == pytest.approx(0.06, abs=0.01)
    assert watch.seconds["sample"] == pytest.approx(0.02, abs=0.01)


def test_the_command_prints_a_line_for_each_table(capsys):
    given = ["yaniv-2p", "mille-2p", "--rounds", "1", "--set", "num_tables=16", "rollout=8", "hidden=[8]"]
    assert speed.main(given) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| `yaniv-2p`", "| `mille-2p`"]
    assert len({line.count("|") for line in lines}) == 1
