"""Evaluate a network in blocks of a fixed number of rows.

A matrix product of fixed size adds up in a fixed order, so a row gets the same action whatever the other rows are.
Nothing here needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK = 64


def blocks(rows: int) -> Iterator[slice]:
    """The rows in blocks; the last can be shorter."""
    return (slice(first, min(first + BLOCK, rows)) for first in range(0, rows, BLOCK))


def filled(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A block, filled up with zeros."""
    return rows if len(rows) == BLOCK else np.pad(rows, ((0, BLOCK - len(rows)), *[(0, 0)] * (rows.ndim - 1)))
