"""Do the programs of the page of OpenSpiel run?"""

from __future__ import annotations

from pathlib import Path

import pytest
from page_examples import PLUGINS, run_examples


def test_the_programs_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_examples(PLUGINS / "openspiel.md", tmp_path, monkeypatch) == 2
