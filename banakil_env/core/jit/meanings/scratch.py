"""Replacements in compiled code for the functions of `core/scratch.py`: they reserve memory on the caller's stack.

These are not overloads: an overload is a separate function, whose stack memory is freed when it returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np.arrayobj import populate_array

from banakil_env.core.scratch import scratch, scratch_bytes, scratch_record


def _as_typed(function: Any, result_of: Callable[[Any], Any], taken: str) -> None:
    """Register the type of `function`, which takes one argument, with Numba.

    Args:
        function: the function.
        result_of: returns the type of the result for a type of the argument; None for an invalid argument.
        taken: the valid arguments in words, for the error message.
    """

    class Typing(AbstractTemplate):
        key = function
        prefer_literal = True

        def generic(self, args: Any, kws: Any) -> Any:
            """The signature for these types of arguments."""
            result = result_of(args[0]) if len(args) == 1 and not kws else None
            if result is None:
                raise TypingError(f"{function.__name__}() takes {taken}, not {args}")
            return signature(result, *args)

    infer_global(function, typing_key=function)(Typing)


def _on_the_stack(builder: Any, kind: Any) -> Any:
    """Reserve stack memory for a value of an LLVM type."""
    with builder.goto_entry_block():  # once per call, not per loop iteration; alloca_once would clear it
        return builder.alloca(kind)


def _take_array(function: Any, item: Any) -> None:
    """Let compiled calls of `function` return an array on the stack, with items of a type."""
    array_type = types.Array(item, 1, "C")

    def result_of(size: Any) -> Any:
        return array_type if isinstance(size, types.IntegerLiteral) else None

    _as_typed(function, result_of, "a literal number or a global constant")

    @lower_builtin(function, types.IntegerLiteral)
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = signature.args[0].literal_value
        storage = _on_the_stack(builder, ir.ArrayType(ir.IntType(item.bitwidth), size))
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


def _record_of(dtype: Any) -> Any:
    return dtype.dtype if isinstance(dtype, types.DType) and isinstance(dtype.dtype, types.Record) else None


_take_array(scratch, types.int64)
_take_array(scratch_bytes, types.int8)
_as_typed(scratch_record, _record_of, "the dtype of a record, a global constant")


@lower_builtin(scratch_record, types.DType)
def _emit_record(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    record = signature.return_type
    storage = _on_the_stack(builder, context.get_data_type(record))
    storage.align = 8
    return builder.bitcast(storage, context.get_value_type(record))
