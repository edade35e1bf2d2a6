"""How often is a user told that a library is built?"""

from __future__ import annotations

from pathlib import Path

import pytest

from banakil_env.core.jit import announce as announcing
from banakil_env.core.jit import settings, telling


@pytest.fixture(autouse=True)
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has built nothing."""
    monkeypatch.setattr(settings, "QUIET", False)
    monkeypatch.setattr(announcing, "_unkept", [])


def test_a_machine_that_keeps_nothing_is_told_once_in_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a container whose file system is read-only."""
    monkeypatch.setattr(announcing, "folder", lambda: None)
    for name in ("first", "second", "first"):
        announcing.announce(name, [])
    [line] = capsys.readouterr().err.splitlines()
    assert "first" in line
    assert "NUMBA_CACHE_DIR" in line


def test_libraries_that_are_kept_are_told_one_by_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(announcing, "folder", lambda: tmp_path)
    for name in ("first", "second"):
        announcing.announce(name, [])
    lines = capsys.readouterr().err.splitlines()
    assert [name in line for name, line in zip(("first", "second"), lines)] == [True, True]
    assert not any("NUMBA_CACHE_DIR" in line for line in lines)


def test_a_program_that_listens_is_told_of_every_library(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(announcing, "folder", lambda: None)
    heard: list[str] = []
    with telling(lambda name, seconds: heard.append(name)):
        for name in ("first", "second"):
            announcing.announce(name, [])
    assert heard == ["first", "second"]
    assert capsys.readouterr().err == ""
