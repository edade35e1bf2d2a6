"""Lets the threads of native libraries sleep while they wait, so that other programs get the cores."""

from __future__ import annotations

import os


def sleep_while_waiting() -> None:
    """Set OMP_WAIT_POLICY unless it is set; to be called before PyTorch is loaded.

    By default OpenMP threads spin while they wait, which makes every small operation up to fifty times slower as soon
    as another program wants one of the cores. Child processes inherit the setting.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
