"""How are sets of cards counted and walked through, and records emptied? What the machine does in a few instructions.

Sets are nonnegative `int64` masks. Plain Python when the compiler is off, one machine instruction each when it is on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

# Compiled code computes in int64. What is read from a narrow field is made that first: Numba compiles a function anew
# for every width of its arguments, and the interpreter would compute in eight bits.
wide = cast("Callable[[Any], int]", np.int64)


def popcount(mask: int) -> int:
    """How many bits are set."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """The index of the lowest set bit; `mask` must not be 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask: int) -> int:
    """The index of the highest set bit; `mask` must not be 0."""
    return int(mask).bit_length() - 1


def clear_record(record: Any) -> None:
    """Set every byte of a record to zero, in one sweep over its memory."""
    np.asarray(record).reshape(1).view(np.uint8)[:] = 0


@intrinsic
def _popcount(typingctx: Any, mask: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), emit


@intrinsic
def _lowest(typingctx: Any, mask: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), emit


@intrinsic
def _leading_zeros(typingctx: Any, mask: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], cgutils.true_bit)

    return types.int64(types.int64), emit


@overload(popcount, strict=False)
def _overload_popcount(mask: Any) -> Any:
    return lambda mask: _popcount(mask)


@overload(lowest, strict=False)
def _overload_lowest(mask: Any) -> Any:
    return lambda mask: _lowest(mask)


@overload(highest, strict=False)
def _overload_highest(mask: Any) -> Any:
    return lambda mask: 63 - _leading_zeros(mask)


@intrinsic
def _clear_record(typingctx: Any, record: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.memset(builder, args[0], context.get_constant(types.intp, record.size), 0)
        return context.get_dummy_value()

    return types.none(record), emit


@overload(clear_record, strict=False)
def _overload_clear_record(record: Any) -> Any:
    return lambda record: _clear_record(record)
