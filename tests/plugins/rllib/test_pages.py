"""Do the programs of the page of RLlib run?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import ray
from page_examples import PLUGINS, run_examples


@pytest.fixture(autouse=True)
def without_a_cluster() -> Iterator[None]:
    """Ray is started by the programs, and stopped behind them."""
    yield
    ray.shutdown()


def test_the_programs_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_examples(PLUGINS / "rllib.md", tmp_path, monkeypatch) == 3
