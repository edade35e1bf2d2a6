"""The decorators that mark a function to be compiled, and functions that bind a loop to one game.

This module compiles nothing and does not import Numba. A `Compiled` function is plain Python until its machine code is
made: as a part of an entry in a library (`library.py`), or when Python calls it (`dispatch.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

from banakil_env.core.jit.reach import fingerprint
from banakil_env.core.jit.settings import DISABLED

F = TypeVar("F", bound=Callable[..., Any])

# Allows sums of floating-point numbers to be added up in any order, so that they can be vectorized.
REORDERED = {"fastmath": ("reassoc", "contract", "nsz")}


class Compiled:
    """A function that compiled code calls, and that Numba compiles when Python calls it.

    Attributes:
        py_func: the function as plain Python.
        targetoptions: the options for Numba; Numba itself reads `inline` here.
    """

    __qualname__: str

    def __init__(self, function: Callable[..., Any], **targetoptions: Any) -> None:
        functools.update_wrapper(self, function)
        self.py_func = cast(FunctionType, function)
        self.targetoptions = targetoptions

    def __call__(self, *args: Any) -> Any:
        return self.dispatcher(*args)

    def __reduce__(self) -> str:
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<compiled {self.__module__}.{self.__qualname__}>"

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's dispatcher, for calls from Python; without Numba the plain function, with the same results."""
        try:
            from banakil_env.core.jit.dispatch import dispatcher_of
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] not in ("numba", "llvmlite"):
                raise
            return self.py_func
        return dispatcher_of(self)

    @functools.cached_property
    def part(self) -> Any:
        """Numba's dispatcher of the lowered function, for calls from compiled code."""
        from banakil_env.core.jit.dispatch import part_of

        return part_of(self)

    @property
    def _numba_type_(self) -> Any:
        """The type of the function in Numba."""
        return self.part._numba_type_


def compiled(function: F) -> F:
    """Mark a function to be compiled for each set of argument types. It runs without the GIL."""
    return _compiled(function)


def fused(function: F) -> F:
    """Like `compiled`, but always compiled into its callers: for functions that run in every step of a game.

    Callers become larger, but work that two such functions share is done once.
    """
    return _compiled(function, forceinline=True)


def reordered(function: F) -> F:
    """Like `compiled`, but sums of floating-point numbers can be added in any order, which allows vectorization."""
    return _compiled(function, **REORDERED)


def inlined(function: F) -> F:
    """Copy the body of a function into every compiled caller; for functions of a line or two.

    This saves a separate compilation (about 0.1 s each), which is most of the time of the package's first start.
    """
    return _compiled(function, inline="always")


def _compiled(function: F, **targetoptions: Any) -> F:
    return function if DISABLED else cast(F, Compiled(function, **targetoptions))


def interpreted(function: F) -> F:
    """A compiled function as plain Python: for reading a few numbers, when compiling would take longer."""
    return cast(F, getattr(function, "py_func", function))


def options_of(function: Any) -> dict[str, Any]:
    """The options with which a function is compiled; {} for plain Python."""
    return dict(getattr(function, "targetoptions", {}))


def bind(function: F, name: str, **names: Any) -> F:
    """Compile a copy of a function under `name`, with its global `names` bound to the given values.

    So one generic loop, an ordinary undecorated function, serves every game at full speed. Other globals keep their
    current values. The binding does not reach functions that the loop calls: bind those first, and pass them.

    Raises:
        TypeError: `function` is not a plain function, or does not use one of the global names.
    """
    return cast(F, compiled(bound(function, name, names)))


def bind_inlined(function: F, name: str, **names: Any) -> F:
    """Like `bind`, and inlined into every compiled caller (`inlined`); for a part of a loop."""
    return cast(F, inlined(bound(function, name, names)))


def bound(function: Any, name: str, names: dict[str, Any]) -> FunctionType:
    """A copy of `function` whose global `names` are bound to the given values.

    Raises:
        TypeError: see `bind`.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"bind() takes a plain Python function, but got {function!r}; remove its decorator")
    unknown = sorted(set(names) - set(function.__code__.co_names))
    if unknown:
        raise TypeError(
            f"{function.__qualname__}() has no global {', '.join(unknown)} to bind; "
            f"it uses {', '.join(function.__code__.co_names)}"
        )
    made = FunctionType(
        function.__code__,
        function.__globals__ | names,
        name,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__annotations__ = function.__annotations__
    made.__doc__ = function.__doc__
    made.__module__ = function.__module__
    # Symbols in the machine code are made from the qualified name. The fingerprint distinguishes two bindings with the
    # same name, even if one of them was compiled by another process.
    made.__qualname__ = f"{name}_{fingerprint(names)}"
    return made


def type_of_hook(hook: Any) -> Any:
    """The type of a hook (`core/hooks.py`) in Numba."""
    from banakil_env.core.jit.meanings.hooks import HookType

    return HookType(hook)
