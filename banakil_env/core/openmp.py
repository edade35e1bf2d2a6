"""How do the threads of native libraries share the cores with other programs? They sleep while they wait."""

from __future__ import annotations

import os


def sleep_while_waiting() -> None:
    """To be called before PyTorch is loaded; what OMP_WAIT_POLICY says already stands.

    Threads of OpenMP spin while they wait, by default, which makes every small operation up to fifty times slower as
    soon as another program wants one of the cores. Processes started from here inherit it.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
