"""How does PyTorch give the same numbers in every process? With one thread: products then add up in one order."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """One thread within the block, whatever threads the process has (see also `blocks.py`)."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
