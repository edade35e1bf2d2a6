"""Work arrays of compiled functions, on the stack.

Compiled functions allocate no memory on the heap. An algorithm that needs a table gets an array or a record with named
fields from here. It is not cleared. It exists until the function that requested it returns: it can be passed to other
functions, but not returned or kept. The size must be a literal or a global constant, the dtype of a record a global
constant. In the interpreter the functions return ordinary new arrays and records; `jit/meanings/scratch.py` defines
them for compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.record_type import Cells


def scratch(size: int) -> Any:
    """An uninitialized array of `size` int64, such as `scratch(1000)`."""
    return np.empty(size, np.int64)


def scratch_bytes(size: int) -> Any:
    """An uninitialized array of `size` int8, such as `scratch_bytes(219)` for a mask of actions."""
    return np.empty(size, np.int8).view(Cells)


def scratch_record(dtype: np.dtype[Any]) -> Any:
    """An uninitialized record of a dtype that `record_dtype` made (`core/record_type.py`)."""
    return np.empty(1, dtype)[0]
