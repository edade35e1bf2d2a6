"""Runs entries on a GPU: kernels whose threads share the rows (`ptx.py`)."""

from __future__ import annotations

from collections.abc import Sequence

from banakil_env.core.jit.library import Entry


def gpu_kernels(entries: Sequence[Entry], chip: str = "") -> bytes:
    """Entries of one library as kernels; needs Numba.

    Args:
        chip: a kind of GPU, such as "sm_90", for the text of PTX; "": an object file for this processor.
    """
    from banakil_env.core.targets.ptx import object_of, ptx_of  # late: without Numba everything else can be imported

    return ptx_of(entries, chip) if chip else object_of(entries)
