"""What does compiled code do in place of the functions of `core/scratch.py`? It takes memory of the caller's stack.

These are no overloads: an overload is a function by itself, and its stack is gone when it returns.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np.arrayobj import populate_array

from banakil_env.core.scratch import scratch, scratch_bytes


def _take_from_the_stack(function: Any, item: Any) -> None:
    """Make `function` an array on the stack, with items of a type."""
    array_type = types.Array(item, 1, "C")

    class Typing(AbstractTemplate):
        key = function
        prefer_literal = True

        def generic(self, args: Any, kws: Any) -> Any:
            """See Numba."""
            if len(args) != 1 or kws or not isinstance(args[0], types.IntegerLiteral):
                raise TypingError(f"scratch() takes a literal number or a global constant, and got {args}")
            return signature(array_type, *args)

    infer_global(function, typing_key=function)(Typing)

    @lower_builtin(function, types.IntegerLiteral)
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = signature.args[0].literal_value
        with builder.goto_entry_block():  # once a call, not once a turn of a loop; alloca_once would clear it
            storage = builder.alloca(ir.ArrayType(ir.IntType(item.bitwidth), size))
        array = context.make_array(array_type)(context, builder)
        populate_array(
            array,
            data=builder.bitcast(storage, array.data.type),
            shape=[context.get_constant(types.intp, size)],
            strides=[context.get_constant(types.intp, item.bitwidth // 8)],
            itemsize=context.get_constant(types.intp, item.bitwidth // 8),
            meminfo=None,
        )
        return array._getvalue()


_take_from_the_stack(scratch, types.int64)
_take_from_the_stack(scratch_bytes, types.int8)
