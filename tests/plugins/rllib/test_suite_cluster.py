"""Is a run of the suite over a Ray cluster the same file as one played here? Two machines, both this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from banakil_env.suite.file import read_run
from banakil_env.suite.run import RunOptions, run_task
from banakil_env.suite.tasks import find_task

pytestmark = pytest.mark.usefixtures("cluster")


def test_a_run_over_a_cluster_is_the_same_file(tmp_path: Path) -> None:
    """Broken off here, and gone on with there."""
    task, here, there = find_task("gin-2p-v1"), tmp_path / "here.zip", tmp_path / "there.zip"

    def stop(match: str, done: int, most: int, text: str) -> None:
        if match == "greedy":
            raise KeyboardInterrupt

    run_task(task, "greedy", here, RunOptions(deals=30, without_zoo=True))
    with pytest.raises(KeyboardInterrupt):
        run_task(task, "greedy", there, RunOptions(deals=30, without_zoo=True, progress=stop))
    run_task(task, "greedy", there, RunOptions(deals=30, without_zoo=True, cluster=True, processes=0))
    one, other = read_run(here), read_run(there)
    assert other.manifest == one.manifest
    assert {match: list(deals) for match, deals in other.lines.items()} == {
        match: list(deals) for match, deals in one.lines.items()
    }
