"""Can a damaged record crash the process? Either it is refused, or it plays on with every index in range."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from banakil_env.games import GAMES

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_record_is_refused_or_plays_on_within_range(
    name: str, long: bool, amount: Callable[[int, int, int], int]
) -> None:
    """`--long`: 60,000 records a game, in compiled code that checks each index; else a few in plain Python."""
    count = amount(40, 100, 60_000)
    folders = [str(TESTS.parent), str(TESTS), str(TESTS / "contract")]
    checks = {"NUMBA_BOUNDSCHECK": "1"} if long else {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        [sys.executable, str(TESTS / "fuzz" / "fuzz_states.py"), name, "1", str(count)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders), **checks},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    refused, played = map(int, run.stdout.split())
    assert refused + played >= count
    assert played > refused / 100, (refused, played)  # or it would prove little
