"""Settings for compiling from environment variables: Numba's variables, read without Numba, and one of this package.

| variable | meaning |
|---|---|
| `NUMBA_DISABLE_JIT=1` | run plain Python, for breakpoints and `print()` |
| `NUMBA_BOUNDSCHECK=1` | compiled code checks every index |
| `NUMBA_DEBUGINFO=1` | compiled code contains data for a debugger |
| `NUMBA_CACHE_DIR` | folder for compiled code |
| `BANAKIL_QUIET=1` | compilation is not announced |
"""

from __future__ import annotations

import os


def _is_set(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


DISABLED = _is_set("NUMBA_DISABLE_JIT")
BOUNDSCHECK = _is_set("NUMBA_BOUNDSCHECK")
DEBUGINFO = _is_set("NUMBA_DEBUGINFO")
CACHE_DIR = os.path.abspath(os.environ["NUMBA_CACHE_DIR"]) if os.environ.get("NUMBA_CACHE_DIR") else ""
QUIET = _is_set("BANAKIL_QUIET")
