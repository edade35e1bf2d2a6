"""Do the programs of the pages about data, the Hub and ONNX run?"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from page_examples import PLUGINS, run_examples


def test_the_programs_about_data_run(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With recorded games of the tests."""
    for file in games.parent.glob(f"{games.name}*"):
        shutil.copy(file, tmp_path)
    assert run_examples(PLUGINS / "data.md", tmp_path, monkeypatch) == 2


def test_the_program_about_onnx_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_examples(PLUGINS / "hub.md", tmp_path, monkeypatch) == 1
