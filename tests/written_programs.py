"""Programs of the contract in docs/write-the-rules.md, and tests of them on machines that can isolate and that cannot.

A test that runs a stranger's program is marked with `isolated`. On a machine that cannot isolate, the same test checks
that the program is refused with the reason, before anything of it is run.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from banakil_env.games import find
from banakil_env.written import CannotIsolate, Program, Score, main_table, recorded, score, table_of
from banakil_env.written.compare import SHARES
from banakil_env.written.program import check_isolation

GOOD = """
def setup(table): pass
def legal_moves(position): return []
def apply(position, move): return position
def is_over(position, move): return False
def scores(position, move): return [0, 0]
"""


def can_isolate() -> bool:
    """Whether this machine can isolate a program."""
    try:
        check_isolation()
    except CannotIsolate:
        return False
    return True


def isolated(test: Callable[..., None]) -> Callable[..., None]:
    """A test of isolated programs; where none can be isolated, it must end in a refusal."""

    @functools.wraps(test)
    def checked(*arguments: Any, **named: Any) -> None:
        if can_isolate():
            test(*arguments, **named)
        else:
            with pytest.raises(CannotIsolate, match="Nothing was run"):
                test(*arguments, **named)

    return checked


def table(game: str) -> dict[str, Any]:
    """What a program is told of the main table of a game."""
    return table_of(find(game), main_table(find(game)))


def means(found: Score) -> dict[str, float]:
    """The three shares."""
    return {share: found.share(share).mean for share in SHARES}


def scored(tmp_path: Path, source: str, *, rounds: int = 1, most: int = 5, **options: Any) -> Score:
    """What comes of a program of Rummy that is given as text; without `seconds`, no call is too slow."""
    options = {"seconds": 60.0} | options
    with Program(written(tmp_path, source), table("rummy"), **options) as program:
        return score(program, recorded("rummy")[:rounds], most=most)


def written(tmp_path: Path, source: str) -> Path:
    """The file of a program."""
    file = tmp_path / "program.py"
    file.write_text(source, encoding="utf-8")
    return file


def answering(body: str) -> str:
    """A program whose `legal_moves` has this body, one statement a line."""
    return GOOD.replace("return []", "\n    " + body.replace("\n", "\n    "), 1)
