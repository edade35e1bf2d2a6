"""How is a function compiled? The decorators, and loops that are bound to one game.

The one module in the project that calls Numba's `njit`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

import numba

from banakil_env.core.jit.cache import EntryCache
from banakil_env.core.jit.lowering import split
from banakil_env.core.jit.meanings.hooks import HookType
from banakil_env.core.jit.parts import PartCache
from banakil_env.core.jit.symbols import fingerprint

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile `function` on its first call with each set of argument types, without the GIL, kept on disk."""
    return _compile(function)


def fused(function: F) -> F:
    """Like `compiled`, but always compiled into its callers: for functions that run in every step of a game.

    Callers grow, but work that two such functions share is done once.
    """
    return _compile(function, forceinline=True)


def reordered(function: F) -> F:
    """Like `compiled`, and sums of floating-point numbers may be added up in any order, so that they are vectorised."""
    return _compile(function, fastmath={"reassoc", "contract", "nsz"})


def _compile(function: F, **how: Any) -> F:
    if numba.config.DISABLE_JIT:
        return function

    def compile_with(**options: Any) -> Any:
        # Without reference counts, which machine code would change atomically for each row of an array. An allocation
        # is then an error of the compiler.
        return numba.njit(nogil=True, error_model="numpy", _nrt=False, **how, **options)(function)

    source = cast(FunctionType, function)
    if split is None:
        dispatcher = compile_with()
    else:
        dispatcher = split(compile_with)
        dispatcher.part._cache = PartCache(source)
    dispatcher._cache = EntryCache(source)
    return cast(F, dispatcher)


def inlined(function: F) -> F:
    """Copy the body of `function` into every compiled caller, for those of a line or two.

    A separate compilation (about 0.1 s each) is saved; these make up most of the first start of the package.
    """
    return cast(F, numba.njit(inline="always", nogil=True, error_model="numpy")(function))


def interpreted(function: F) -> F:
    """A compiled function as plain Python: for reading a number or two, where compiling would cost more."""
    return cast(F, getattr(function, "py_func", function))


def bind(function: F, name: str, **names: Any) -> F:
    """Compile `function` under `name`, with its global `names` bound to the given values.

    One generic loop, an ordinary undecorated function, thus serves every game at full speed. Other globals keep their
    present values. Functions that the loop calls are not bound with it: bind those first, and pass them.

    Raises:
        TypeError: `function` is not a plain function, or uses no global of one of the names.
    """
    return cast(F, compiled(_bound(function, name, names)))


def bind_inlined(function: F, name: str, **names: Any) -> F:
    """Like `bind` for a piece of a loop: bound, and copied into every compiled function that calls it (`inlined`)."""
    return cast(F, inlined(_bound(function, name, names)))


def _bound(function: Any, name: str, names: dict[str, Any]) -> FunctionType:
    """A copy of `function` whose global `names` are bound to the given values."""
    if not isinstance(function, FunctionType):
        raise TypeError(f"bind() takes a plain Python function, and got {function!r}; leave out its decorator")
    unknown = sorted(set(names) - set(function.__code__.co_names))
    if unknown:
        raise TypeError(
            f"{function.__qualname__}() has no global {', '.join(unknown)} to bind; "
            f"it uses {', '.join(function.__code__.co_names)}"
        )
    bound = FunctionType(
        function.__code__,
        function.__globals__ | names,
        name,
        function.__defaults__,
        function.__closure__,
    )
    bound.__kwdefaults__ = function.__kwdefaults__
    bound.__annotations__ = function.__annotations__
    bound.__doc__ = function.__doc__
    bound.__module__ = function.__module__
    # Symbols in the machine code are made from the qualified name. The fingerprint keeps two bindings of the same name
    # apart, also where one was compiled by a process that never saw the other.
    bound.__qualname__ = f"{name}_{fingerprint(names)}"
    return bound


def type_of_hook(hook: Any) -> Any:
    """What Numba takes a hook for (`core/hooks.py`)."""
    return HookType(hook)
