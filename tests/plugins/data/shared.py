"""What the tests of recorded data have in common."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
DEALS = 300


def banakil_command(*arguments: object, **options) -> subprocess.CompletedProcess:
    """The command `banakil`, as a user calls it."""
    command = [sys.executable, "-m", "banakil_env.cli", *map(str, arguments)]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, **options)
