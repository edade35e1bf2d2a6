"""Calls an entry of a library from Python, through a function that checks every argument.

`_caller.c` does this in a tenth of a microsecond per argument. This module is the same in Python, for an installation
without a C compiler. `_caller.c` describes the words that an entry takes, and the arguments of `function`.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

function_in_c: Callable[..., Any] | None
try:
    from banakil_env.core.jit._caller import function

    function_in_c = function
except ImportError:
    function_in_c = None

_LOWEST = {"i": -(2**63), "u": 0}


def function_in_python(
    address: int,
    name: str,
    params: Sequence[tuple[Any, ...]],
    sizes: int,
    result: bool,
    releases: bool,
    held: Sequence[Any],
) -> Callable[..., Any]:
    """A function that checks its arguments and calls the entry at `address`.

    `_caller.c` describes the arguments of `function`, which are the same.
    """
    entry = (ctypes.CFUNCTYPE if releases else ctypes.PYFUNCTYPE)(ctypes.c_int32, ctypes.c_void_p)(address)
    open_params = [i for i, given in enumerate(held) if given is None]
    words = np.zeros(1 + len(params) + sizes, np.uint64)
    words[1 + len(params) :] = np.uint64(2**64 - 1)
    for i, given in enumerate(held):
        if given is not None:
            words[1 + i] = _word(name, params[i], given, words[1 + len(params) :])

    def call(*args: Any) -> Any:
        if len(args) != len(open_params):
            raise TypeError(f"{name}() takes {len(open_params)} arguments, but {len(args)} were given")
        filled = words.copy()
        args = tuple(_widened(params[i], given) for i, given in zip(open_params, args))
        for i, given in zip(open_params, args):
            filled[1 + i] = _word(name, params[i], given, filled[1 + len(params) :])
        for i, given in zip(open_params, args):
            _check_below(name, params[i], given, filled[1 + len(params) :])
        if entry(filled.ctypes.data):
            raise IndexError(f"{name}() has left the bounds of an array; NUMBA_DISABLE_JIT=1 shows where")
        return int(filled[:1].view(np.int64)[0]) if result else None

    call.held = held  # type: ignore[attr-defined]  # keeps the arrays alive
    return call


def _widened(param: tuple[Any, ...], given: Any) -> Any:
    """Convert an argument of a call to the parameter's dtype if it has the narrower dtype that is also accepted."""
    if param[1] == "a" and param[-1] is not None and getattr(given, "dtype", None) == param[-1]:
        return given.astype(param[2])
    return given


def _word(entry: str, param: tuple[Any, ...], given: Any, sizes: Any) -> Any:
    """An argument as 64 bits: a number, or the address of an array that agrees with its declaration."""
    name, kind, *declared = param
    if kind != "a":
        try:
            number = operator.index(given)
        except TypeError:
            raise TypeError(f"{entry}(): {name} must be a whole number, and was {given!r:.200}") from None
        if not _LOWEST[kind] <= number < _LOWEST[kind] + 2**64:
            raise OverflowError(f"{entry}(): {name} must be a number of 64 bits, and was {number:.3g}")
        return np.uint64(number % 2**64)
    dtype, itemsize, alignment, written, _, dims, _ = declared
    if not isinstance(given, np.ndarray) or given.dtype != dtype:
        was = getattr(given, "dtype", type(given))
        raise TypeError(f"{entry}(): {name} must be an array of {dtype!r:.200}, and was {was!r:.200}")
    if not given.flags.c_contiguous or (written and not given.flags.writeable):
        raise TypeError(f"{entry}(): {name} must be a contiguous{', writable' if written else ''} array")
    if given.ndim != len(dims) or given.itemsize != itemsize or given.ctypes.data % alignment:
        raise TypeError(f"{entry}(): {name} must be an aligned array of {len(dims)} dimensions")
    for axis, (dim, size) in enumerate(zip(dims, given.shape)):
        if dim < 0 and sizes[-1 - dim] == np.uint64(2**64 - 1):
            sizes[-1 - dim] = size
        wanted = int(sizes[-1 - dim]) if dim < 0 else dim
        if size != wanted:
            raise ValueError(f"{entry}(): the size of {name} along axis {axis} must be {wanted}, and was {size}")
    return np.uint64(given.ctypes.data)


def _check_below(entry: str, param: tuple[Any, ...], given: Any, sizes: Any) -> None:
    """Raise IndexError if an array of row numbers has a number that is not the number of a row."""
    name, kind, *declared = param
    if kind == "a" and declared[4] >= 0:
        below = int(sizes[declared[4]])
        wrong = given[(given < 0) | (given >= below)]
        if len(wrong):
            raise IndexError(f"{entry}(): {name} must be numbers from 0 to {below - 1}, and has {wrong[0]}")


call_of: Callable[..., Callable[..., Any]] = function_in_c or function_in_python
