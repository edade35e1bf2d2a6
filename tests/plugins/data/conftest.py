"""What the tests of recorded data share: a small file of games, and an agent cloned from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared import DEALS, banakil_command

import train  # first, for what it asks of PyTorch's threads  # noqa: F401


@pytest.fixture(scope="session")
def games(tmp_path_factory) -> Path:
    """What `banakil record expert greedy` has written."""
    path = tmp_path_factory.mktemp("data") / "games.parquet"
    done = banakil_command("record", "expert", "greedy", "--deals", DEALS, path)
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture(scope="session")
def agent(games, tmp_path_factory) -> Path:
    """The folder of an agent that has learned from these games."""
    from train.plugins import clone

    folder = tmp_path_factory.mktemp("clone")
    arguments = [games, "--player", "expert", "--batch", 256, "--hidden", 64, "64", "--out", folder]
    assert clone.main([str(argument) for argument in arguments]) == 0
    return folder
