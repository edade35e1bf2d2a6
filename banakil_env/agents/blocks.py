"""Splits rows into blocks of a fixed number, in which networks are evaluated.

A matrix product of fixed size adds up in a fixed order, so the action of a row does not depend on the other rows. This
module does not need PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK = 64


def blocks(rows: int) -> Iterator[slice]:
    """Slices that split this number of rows into blocks; the last block can be shorter."""
    return (slice(first, min(first + BLOCK, rows)) for first in range(0, rows, BLOCK))


def filled(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The rows of a block, padded with rows of zeros to BLOCK rows."""
    return rows if len(rows) == BLOCK else np.pad(rows, ((0, BLOCK - len(rows)), *[(0, 0)] * (rows.ndim - 1)))
