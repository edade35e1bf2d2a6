"""Makes the threads of native libraries sleep while they wait, so that other programs can use the cores."""

from __future__ import annotations

import os


def sleep_while_waiting() -> None:
    """Set OMP_WAIT_POLICY to PASSIVE unless it is set. Must be called before PyTorch is imported.

    By default OpenMP threads spin while they wait. Then every small operation is up to fifty times slower as soon as
    another program uses one of the cores. Child processes inherit the setting.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
