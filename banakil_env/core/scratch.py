"""Intermediate results of compiled functions: small arrays on the stack, for as long as the call lasts.

Compiled functions allocate nothing; an algorithm that needs a table takes one from here: an array, or a record with
named fields. It is not cleared, and is gone when the function that requested it returns: it can be passed down, but not
returned or kept. The size is a literal number or a global constant, the dtype of a record a global constant. In the
interpreter it is an ordinary new array or record; `jit/meanings/scratch.py` is what compiled code does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.record_type import Cells


def scratch(size: int) -> Any:
    """An array of `size` int64, such as `scratch(1000)`."""
    return np.empty(size, np.int64)


def scratch_bytes(size: int) -> Any:
    """An array of `size` int8, such as `scratch_bytes(219)` for a mask of actions."""
    return np.empty(size, np.int8).view(Cells)


def scratch_record(dtype: np.dtype[Any]) -> Any:
    """A record of a dtype made by `record_dtype` (`core/record_type.py`)."""
    return np.empty(1, dtype)[0]
