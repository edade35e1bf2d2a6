"""Makes from a function a dispatcher for calls from Python, and a part for calls from compiled code.

This is the only module in the project that calls Numba's `njit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba

from banakil_env.core.jit import meanings, symbols  # noqa: F401  # what Numba has to know before it compiles
from banakil_env.core.jit.lowering import KNOWN
from banakil_env.core.jit.parts import PartCache
from banakil_env.core.jit.whole_numbers import WholeNumberCompiler, pass_whole_numbers

if TYPE_CHECKING:
    from banakil_env.core.jit.decorators import Compiled

if KNOWN:
    from banakil_env.core.jit.lowering import PartCompiler, in_few_seconds

# Reference counting is off: machine code would change a count atomically for each row of an array. So an allocation is
# a compile error.
HOW = {"nogil": True, "error_model": "numpy", "_nrt": False}


def dispatcher_of(function: Compiled) -> Any:
    """The dispatcher for calls from Python; each process that uses it compiles it, from parts stored on disk."""
    dispatcher = numba.njit(**HOW, **_options(function), pipeline_class=WholeNumberCompiler)(function.py_func)
    pass_whole_numbers(dispatcher)
    if KNOWN:
        compile_slowly = dispatcher.compile

        def compile_for(signature: Any) -> Any:
            with in_few_seconds():
                return compile_slowly(signature)

        dispatcher.compile = compile_for
    return dispatcher


def part_of(function: Compiled) -> Any:
    """The part for calls from compiled code, which is only lowered and is stored on disk.

    It is the dispatcher instead if the function is inlined, or if this version of Numba is not known to `lowering.py`.
    """
    if not KNOWN or "inline" in function.targetoptions:
        return function.dispatcher
    options = {"pipeline_class": PartCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part = numba.njit(**HOW, **_options(function), **options)(function.py_func)
    pass_whole_numbers(part)
    part._cache = PartCache(function)
    return part


def _options(function: Compiled) -> dict[str, Any]:
    """The options for Numba, with sets where Numba expects sets."""
    return {name: set(value) if isinstance(value, tuple) else value for name, value in function.targetoptions.items()}
