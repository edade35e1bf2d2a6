"""Compiles library functions to kernels for a GPU, whose threads share the rows (`ptx.py`)."""

from __future__ import annotations

from collections.abc import Sequence

from banakil_env.core.jit.library import Entry


def gpu_kernels(entries: Sequence[Entry], chip: str = "") -> bytes:
    """Compile functions of one library to kernels. Needs Numba.

    Args:
        entries: the functions.
        chip: a kind of GPU, such as "sm_90", for PTX text; "": an object file for this processor.
    """
    from banakil_env.core.targets.ptx import object_of, ptx_of  # here, so that the module can be imported without Numba

    return ptx_of(entries, chip) if chip else object_of(entries)
