"""The version of the package, and the commit of a checkout."""

from __future__ import annotations

import functools
import importlib.metadata
import subprocess
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]

try:
    VERSION = importlib.metadata.version("banakil-env")
except importlib.metadata.PackageNotFoundError:  # the package runs from a checkout that is not installed
    VERSION = "0+unknown"


def version_of(library: str) -> str | None:
    """The version of an installed library; None if it is not installed."""
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return None


@functools.cache
def commit() -> str | None:
    """The commit of the checkout that the package runs from, followed by `-dirty` if files differ from the commit.

    None: the package is installed without a checkout, or Git cannot be run.
    """
    root = PACKAGE.parent
    if not (root / ".git").exists():
        return None
    ask = [
        "git",
        "--no-optional-locks",
        "-C",
        str(root),
        "describe",
        "--always",
        "--dirty",
        "--abbrev=40",
        "--exclude=*",
    ]
    try:
        answer = subprocess.run(ask, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip() or None
