"""Lets shared code call functions of a game: a hook is declared once, and each game fills it in for its records.

A hook is declared as a function, with its signature and a docstring. Its first argument is a record. Its body is the
default; a body that raises NotImplementedError means that every game has to fill the hook in:

    @hook
    def copies_of(state: Any, face: int) -> int:
        \"\"\"The number of cards of this face in the pack.\"\"\"
        raise NotImplementedError

    @copies_of.fill(STATE)
    def _copies_of(state: Any, face: int) -> int:
        return 2

Compiled code resolves a hook at compile time, by the type of the record, and calls the game's function directly: one
source serves every game, without a lookup in each step (`jit/meanings/hooks.py`). The interpreter selects the function
by the dtype of the record. Type checkers compare the two signatures, and "go to definition" leads to the declaration.

A game fills its hooks in when its modules are imported; importing the package of a game imports all of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FunctionType, MappingProxyType
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

from banakil_env.core.jit import compiled, interpreted, options_of, type_of_hook

P = ParamSpec("P")
R = TypeVar("R")


class Constant:
    """A number or a text that a game fills a hook in with, instead of a function."""

    def __init__(self, value: int | str) -> None:
        self.value = value

    def __call__(self, state: Any) -> int | str:
        return self.value


class Hook(Generic[P, R]):
    """A function that games fill in (see the module's docstring). It is called like any other function.

    Attributes:
        name: the qualified name of the declaration, with its module.
        default: the compiled default; None if there is none.
        fills: by dtype of the record, the compiled function or `Constant` that a game has filled in.
    """

    def __init__(self, declared: Callable[P, R]) -> None:
        functools.update_wrapper(self, declared)
        self.name = f"{declared.__module__}.{declared.__qualname__}"
        self.default = compiled(declared) if _has_default(cast(FunctionType, declared)) else None
        self._fills: dict[np.dtype[Any], Any] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return cast(R, self._meaning(args[0].dtype)(*args, **kwargs))  # type: ignore[attr-defined]  # a record

    @property
    def fills(self) -> Mapping[np.dtype[Any], Any]:
        """By dtype of the record, what games have filled in."""
        return MappingProxyType(self._fills)

    def fill(self, record: np.dtype[Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """A decorator that compiles a function and fills the hook in with it, for records of this dtype.

        A function that is `inlined` elsewhere is compiled here: hooks are called, not inlined.

        Raises:
            ValueError: the hook is already filled in for this dtype.
        """

        def note(function: Callable[P, R]) -> Callable[P, R]:
            is_compiled = not isinstance(function, FunctionType) and "inline" not in options_of(function)
            made = function if is_compiled else compiled(interpreted(function))
            self._note(record, made)
            return made

        return note

    def fill_number(self, record: np.dtype[Any], number: int) -> None:
        """Fill in a hook `(state) -> int` with a number, which compiled code treats as a constant, as `scratch`
        requires.

        Raises:
            ValueError: the hook is already filled in for this dtype.
        """
        self._note(record, Constant(number))

    def fill_text(self, record: np.dtype[Any], text: str) -> None:
        """Fill in a hook `(state) -> str` with a text, such as the names that `core.records.copy_fields` takes.

        Raises:
            ValueError: the hook is already filled in for this dtype.
        """
        self._note(record, Constant(text))

    def _note(self, record: np.dtype[Any], meaning: Any) -> None:
        if record in self._fills:
            first = self._fills[record]
            by = "a constant" if isinstance(first, Constant) else f"{first.__module__}.{first.__qualname__}"
            raise ValueError(
                f"{self.name} is filled in twice for the same record, first by {by}; fill it in once for each game"
            )
        self._fills[record] = meaning

    def _meaning(self, record: np.dtype[Any] | None) -> Any:
        """The compiled function or `Constant` for records of this dtype; for None, the default.

        Raises:
            NotImplementedError: the hook is not filled in for this dtype and has no default.
        """
        found = self.default if record is None else self._fills.get(record, self.default)
        if found is None:
            raise NotImplementedError(
                f"{self.name} has no default and is not filled in for the records that were given; "
                "fill it in with .fill(dtype)"
            )
        return found

    meaning = _meaning

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """The type of the hook in Numba."""
        return type_of_hook(self)

    @property
    def py_func(self) -> Callable[P, R]:
        """The hook as a plain Python function; see `jit.interpreted`."""

        def interpreted(*args: P.args, **kwargs: P.kwargs) -> R:
            meaning = self._meaning(args[0].dtype)  # type: ignore[attr-defined]  # a record
            return cast(R, getattr(meaning, "py_func", meaning)(*args, **kwargs))

        return interpreted


def hook(declared: Callable[P, R]) -> Hook[P, R]:
    """A decorator that declares a function for games to fill in."""
    return Hook(declared)


def _has_default(declared: FunctionType) -> bool:
    """Whether the body of a declaration is a default, and does not raise NotImplementedError."""
    return NotImplementedError.__name__ not in declared.__code__.co_names
