"""Where do compiled functions keep intermediate results? In small arrays on the stack, for as long as the call lasts.

Compiled functions allocate nothing; an algorithm that needs a table takes one from here. `scratch(1000)` is an array
of 1000 int64, not cleared, gone when the function that asked for it returns: it may be passed down, but not returned or
kept. `scratch_bytes(219)` is an array of int8, such as a mask of actions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array


def _array_on_the_stack(size: Any, item: Any) -> Any:
    """Type and code of an array of `size` items; `size` is a literal number or a global constant."""
    if not isinstance(size, types.IntegerLiteral):
        raise TypingError(f"scratch() takes a literal number or a global constant, and got {size}")
    array_type = types.Array(item, 1, "C")

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        with builder.goto_entry_block():  # once a call, not once a turn of a loop; alloca_once would clear it
            storage = builder.alloca(ir.ArrayType(ir.IntType(item.bitwidth), size.literal_value))
        array = context.make_array(array_type)(context, builder)
        populate_array(
            array,
            data=builder.bitcast(storage, array.data.type),
            shape=[context.get_constant(types.intp, size.literal_value)],
            strides=[context.get_constant(types.intp, item.bitwidth // 8)],
            itemsize=context.get_constant(types.intp, item.bitwidth // 8),
            meminfo=None,
        )
        return array._getvalue()

    return array_type(size), emit


@intrinsic(prefer_literal=True)
def _scratch(typingctx: Any, size: Any) -> Any:
    return _array_on_the_stack(size, types.int64)


@intrinsic(prefer_literal=True)
def _scratch_bytes(typingctx: Any, size: Any) -> Any:
    return _array_on_the_stack(size, types.int8)


def _scratch_in_interpreter(size: int) -> Any:
    return np.empty(size, np.int64)


def _scratch_bytes_in_interpreter(size: int) -> Any:
    return np.empty(size, np.int8)


_OFF = numba.config.DISABLE_JIT
scratch = cast("Callable[[int], Any]", _scratch_in_interpreter if _OFF else _scratch)
scratch_bytes = cast("Callable[[int], Any]", _scratch_bytes_in_interpreter if _OFF else _scratch_bytes)
