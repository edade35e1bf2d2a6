"""How does shared code call a game? Through a hook, declared once and filled in for the records of each game.

A hook is declared as a function, with its signature and a docstring. Its first argument is a record. Its body is the
default; a body that raises NotImplementedError means that every game has to fill the hook in:

    @hook
    def copies_of(state: Any, face: int) -> int:
        \"\"\"The number of cards of this face in the pack.\"\"\"
        raise NotImplementedError

    @copies_of.fill(STATE)
    def _copies_of(state: Any, face: int) -> int:
        return wide(2)

Compiled code resolves a hook at compile time, by the type of the record, and calls the game's function directly: one
source serves every game, and a step looks nothing up. The interpreter looks at the dtype of the record. Type checkers
compare the two signatures, and "go to definition" on the name leads to the declaration.

A game fills its hooks in when its modules are imported, and the package of a game imports all of them first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, register_model

from banakil_env.core.jit import compiled

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """A function that games fill in (see the module). A hook is called like any other function."""

    def __init__(self, declared: Callable[P, R]) -> None:
        functools.update_wrapper(self, declared)
        self._name = f"{declared.__module__}.{declared.__qualname__}"
        self._default = compiled(declared) if _has_default(cast(FunctionType, declared)) else None
        self._fills: dict[np.dtype[Any], Any] = {}
        self._resolved: dict[Any, Any] = {}  # by type of record
        self._numba_type_ = HookType(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return cast(R, self._meaning(args[0].dtype)(*args, **kwargs))  # type: ignore[attr-defined]  # a record

    def fill(self, record: np.dtype[Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """A decorator: compile the function and make it the meaning of the hook for records of this dtype.

        Raises:
            ValueError: the hook has another meaning for them already.
        """

        def note(function: Callable[P, R]) -> Callable[P, R]:
            made = compiled(function) if isinstance(function, FunctionType) else function
            self._note(record, made)
            return made

        return note

    def fill_number(self, record: np.dtype[Any], number: int) -> None:
        """The meaning is this number, a constant of compiled code such as `scratch` takes; for hooks `(state) -> int`.

        Raises:
            ValueError: as of `fill`.
        """
        self._note(record, (lambda state: number) if numba.config.DISABLE_JIT else _Number(number))

    def _note(self, record: np.dtype[Any], meaning: Any) -> None:
        if record in self._fills:
            first = self._fills[record]
            by = f"{first.__module__}.{first.__qualname__}" if hasattr(first, "__qualname__") else "a number"
            raise ValueError(
                f"{self._name} is filled in twice for the same record, first by {by}; fill it in once for each game"
            )
        self._fills[record] = meaning

    def _meaning(self, record: np.dtype[Any]) -> Any:
        found = self._fills.get(record, self._default)
        if found is None:
            raise NotImplementedError(
                f"{self._name} has no default, and is filled in for none of the records that were given; "
                "fill it in with .fill(dtype)"
            )
        return found

    def resolved(self, record: Any) -> Any:
        """The meaning for a record of this type of Numba's."""
        if record not in self._resolved:
            if not isinstance(record, types.Record):
                raise TypingError(f"{self._name} takes a record first, and was given {record}")
            found = [dtype for dtype in self._fills if dtype.itemsize == record.size]
            dtypes = [dtype for dtype in found if numba.from_dtype(dtype) == record]
            self._resolved[record] = self._meaning(dtypes[0] if dtypes else np.dtype(np.void))
        return self._resolved[record]

    def callees(self, records: Iterable[Any]) -> list[Any]:
        """What compiled code may call through this hook, given these record types (types of Numba's)."""
        found = [self._default] if self._default is not None else []
        for record in records:
            if any(dtype.itemsize == record.size for dtype in self._fills):
                found.append(self.resolved(record))
        return found

    @property
    def py_func(self) -> Callable[P, R]:
        """The same as plain Python; see `jit.interpreted`."""

        def interpreted(*args: P.args, **kwargs: P.kwargs) -> R:
            meaning = self._meaning(args[0].dtype)  # type: ignore[attr-defined]  # a record
            return cast(R, getattr(meaning, "py_func", meaning)(*args, **kwargs))

        return interpreted


def hook(declared: Callable[P, R]) -> Hook[P, R]:
    """A decorator: declare a function that games fill in."""
    return Hook(declared)


def _has_default(declared: FunctionType) -> bool:
    """Whether a declaration does more than to raise NotImplementedError."""
    return NotImplementedError.__name__ not in declared.__code__.co_names


class _Number:
    """A number as the meaning of a hook."""

    def __init__(self, number: int) -> None:
        self.number = number

        @intrinsic
        def constant(typingctx: Any, state: Any) -> Any:
            def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return context.get_constant(types.int64, number)

            return types.IntegerLiteral(number)(state), emit

        self.constant = constant

    def __call__(self, state: Any) -> int:
        return self.number


class HookType(types.Callable, types.Opaque):
    """The type of a hook for Numba: a callable that behaves as the function it stands for."""

    def __init__(self, hook: Hook[..., Any]) -> None:
        self.hook = hook
        self._numbers: dict[Any, Any] = {}
        super().__init__(f"hook({hook._name})")

    def _type_of(self, record: Any, context: Any = None) -> Any:
        meaning = self.hook.resolved(record)
        if not isinstance(meaning, _Number):
            return meaning._numba_type_
        if context is not None:
            self._numbers[record] = context.resolve_value_type(meaning.constant)
        return self._numbers[record]

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """See Numba."""
        return self._type_of(args[0], context).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[tuple[()], bool]:
        """See Numba."""
        return (), True

    def get_impl_key(self, signature: Any) -> Any:
        """See Numba."""
        return self._type_of(signature.args[0]).get_impl_key(signature)


register_model(HookType)(models.OpaqueModel)


@lower_constant(HookType)
def _lower_hook(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()
