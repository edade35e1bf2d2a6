"""Do the programs of the pages of TorchRL and Tianshou run?"""

from __future__ import annotations

from pathlib import Path

import pytest
from page_examples import PLUGINS, run_examples


@pytest.mark.parametrize(("page", "count"), [("torchrl.md", 3), ("tianshou.md", 1)])
def test_the_programs_of_a_page_run(page: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_examples(PLUGINS / page, tmp_path, monkeypatch) == count
