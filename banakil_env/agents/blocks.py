"""How many rows is a network asked about at once? Always as many, whatever is asked.

Matrix products of one size add up in one order, so that a row gets the same action whatever is beside it. Nothing here
needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK = 64


def blocks(rows: int) -> Iterator[slice]:
    """The rows in blocks; the last may be shorter."""
    return (slice(first, min(first + BLOCK, rows)) for first in range(0, rows, BLOCK))


def filled(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A block, filled up with zeros."""
    return rows if len(rows) == BLOCK else np.pad(rows, ((0, BLOCK - len(rows)), *[(0, 0)] * (rows.ndim - 1)))
