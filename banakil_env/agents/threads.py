"""Runs PyTorch in one thread: sums are then added up in a fixed order, and every process gets the same numbers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Compute in one thread within the block, whatever the number of threads of the process (see also `blocks.py`)."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
