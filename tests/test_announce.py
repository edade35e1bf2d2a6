"""How often is a user told that something is compiled?"""

from __future__ import annotations

from pathlib import Path

import pytest

from banakil_env.core.jit import announce as announcing
from banakil_env.core.jit import telling


def first() -> None:
    """Stands for a compiled function."""


def second() -> None:
    """Another one."""


@pytest.fixture(autouse=True)
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has compiled nothing."""
    monkeypatch.setenv("BANAKIL_QUIET", "0")
    monkeypatch.setattr(announcing, "_unkept", [])


def test_a_machine_that_keeps_nothing_is_told_once_in_all(capsys: pytest.CaptureFixture[str]) -> None:
    """In a container whose file system is read-only."""
    for function in (first, second, first):
        announcing.announce(function, [function], None)
    [line] = capsys.readouterr().err.splitlines()
    assert "first" in line
    assert "NUMBA_CACHE_DIR" in line


def test_entries_that_are_kept_are_told_one_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for function in (first, second):
        announcing.announce(function, [function], tmp_path)
    lines = capsys.readouterr().err.splitlines()
    assert [name in line for name, line in zip(("first", "second"), lines)] == [True, True]
    assert not any("NUMBA_CACHE_DIR" in line for line in lines)


def test_a_program_that_listens_is_told_of_every_entry(capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[str] = []
    with telling(lambda name, seconds: heard.append(name)):
        for function in (first, second):
            announcing.announce(function, [function], None)
    assert len(heard) == 2
    assert capsys.readouterr().err == ""
