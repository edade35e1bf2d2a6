"""Runs an engine in plain Python, with some of its functions replaced.

Compiled functions call each other directly; replacing a global name changes nothing in them. `Interpreter` makes copies
of a function and of all that it calls, as plain Python, in which each replaced function means its replacement.

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
    """Copies of compiled functions as plain Python.

    Args:
        replaced: what a function means in the copies.
    """

    def __init__(self, replaced: Mapping[Any, Any]) -> None:
        # By identity: functions of the compiler are compared by other things. The function is kept, so that no other
        # object gets its identity.
        self._made = {id(function): (function, other) for function, other in replaced.items()}

    def __call__(self, function: Any) -> Any:
        """The copy of a function; anything else is itself."""
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
            self._made[id(function)] = function, copy  # before its globals: functions can call each other in a circle
            for name in _names_in(source.__code__):
                if name in source.__globals__:
                    names[name] = self(source.__globals__[name])

    def _hook(self, hook: Hook[..., Any]) -> Any:
        """The meaning of the hook for the record that it is given."""
        meanings: dict[Any, Any] = {}

        def call(record: Any, *others: Any, **named: Any) -> Any:
            if record.dtype not in meanings:
                meanings[record.dtype] = self(hook.meaning(record.dtype))
            return meanings[record.dtype](record, *others, **named)

        return call


class _Module:
    """A module of the package whose functions are their copies."""

    def __init__(self, interpreter: Interpreter, module: ModuleType) -> None:
        self._interpreter, self._module = interpreter, module

    def __getattr__(self, name: str) -> Any:
        found = self._interpreter(getattr(self._module, name))
        setattr(self, name, found)
        return found


def _names_in(code: CodeType) -> Iterator[str]:
    """The global names of a function, and of those written inside it."""
    yield from code.co_names
    inner: Iterable[CodeType] = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    for each in inner:
        yield from _names_in(each)
