"""Runs compiled code as plain Python, with some of its functions replaced.

Compiled functions call each other directly, so replacing a global name has no effect on them. `Interpreter` copies a
function and all functions that it calls, as plain Python. In the copies, replaced functions are exchanged.

    >>> draw = Interpreter({shuffle: no_shuffle})(engine.start_episode)
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

from banakil_env.core.hooks import Hook
from banakil_env.core.jit import interpreted

PACKAGE = __name__.partition(".")[0]


class Interpreter:
    """Copies compiled functions as plain Python.

    Args:
        replaced: for each function to exchange, the function to call in its place.
    """

    def __init__(self, replaced: Mapping[Any, Any]) -> None:
        # Keys are identities, since compiled functions define equality differently. The function itself is kept, so
        # that no other object gets its identity.
        self._made = {id(function): (function, other) for function, other in replaced.items()}

    def __call__(self, function: Any) -> Any:
        """The copy of a function; any other object is returned unchanged."""
        if id(function) not in self._made:
            self._make(function)
        return self._made[id(function)][1]

    def _make(self, function: Any) -> None:
        source = interpreted(function)
        if isinstance(function, Hook):
            self._made[id(function)] = function, self._hook(function)
        elif isinstance(function, ModuleType) and function.__name__.startswith(PACKAGE):
            self._made[id(function)] = function, _Module(self, function)
        elif not isinstance(source, FunctionType) or not source.__module__.startswith(PACKAGE):
            self._made[id(function)] = function, function
        else:
            names: dict[str, Any] = {"__builtins__": builtins, "__name__": source.__module__}
            copy = FunctionType(source.__code__, names, source.__name__, source.__defaults__, source.__closure__)
            copy.__kwdefaults__ = source.__kwdefaults__
            self._made[id(function)] = function, copy  # before the globals: functions can call each other recursively
            for name in _names_in(source.__code__):
                if name in source.__globals__:
                    names[name] = self(source.__globals__[name])

    def _hook(self, hook: Hook[..., Any]) -> Any:
        """The function that calls the copy of the hook's implementation for the dtype of its first argument."""
        meanings: dict[Any, Any] = {}

        def call(record: Any, *others: Any, **named: Any) -> Any:
            if record.dtype not in meanings:
                meanings[record.dtype] = self(hook.meaning(record.dtype))
            return meanings[record.dtype](record, *others, **named)

        return call


class _Module:
    """A module of the package whose attributes are replaced by their copies."""

    def __init__(self, interpreter: Interpreter, module: ModuleType) -> None:
        self._interpreter, self._module = interpreter, module

    def __getattr__(self, name: str) -> Any:
        found = self._interpreter(getattr(self._module, name))
        setattr(self, name, found)
        return found


def _names_in(code: CodeType) -> Iterator[str]:
    """The global names that a function uses, including those used in its inner functions."""
    yield from code.co_names
    inner: Iterable[CodeType] = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    for each in inner:
        yield from _names_in(each)
