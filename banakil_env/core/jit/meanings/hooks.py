"""Resolves a hook in compiled code by type: the record's type selects the function of its game.

Record types are distinguished by their fields. Their size is not enough: a state of one game can be as long as an
observation of another.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, register_model

if TYPE_CHECKING:
    from banakil_env.core.hooks import Constant, Hook

type_of_record = functools.cache(numba.from_dtype)


class HookType(types.Callable, types.Opaque):
    """The type of a hook in Numba: a callable that has the types of the function it resolves to."""

    def __init__(self, hook: Hook[..., Any]) -> None:
        self.hook = hook
        # Constants as functions, and the types of these functions, by record type.
        self._functions: dict[Any, Any] = {}
        self._constants: dict[Any, Any] = {}
        super().__init__(f"hook({hook.name})")

    def _type_of(self, record: Any, context: Any = None) -> Any:
        meaning = meaning_of(self.hook, record)
        if not hasattr(meaning, "value"):
            return meaning._numba_type_
        if context is not None and record not in self._constants:
            function = self._functions[record] = _function_of(meaning)  # kept alive: Numba holds a weak reference
            context.refresh()  # so that Numba finds the new function
            self._constants[record] = context.resolve_value_type(function)
        return self._constants[record]

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of a call, from the function that the hook resolves to."""
        return self._type_of(args[0], context).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[tuple[()], bool]:
        """No signatures in advance: they depend on the record that the hook is called with."""
        return (), True

    def get_impl_key(self, signature: Any) -> Any:
        """The implementation of a call, from the function that the hook resolves to."""
        return self._type_of(signature.args[0]).get_impl_key(signature)


register_model(HookType)(models.OpaqueModel)


@lower_constant(HookType)
def _lower_hook(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


def meaning_of(hook: Hook[..., Any], record: Any) -> Any:
    """The compiled function or `Constant` that a hook resolves to for a record of this Numba type.

    Raises:
        TypingError: not a record type.
        NotImplementedError: the hook is not filled in for this type and has no default.
    """
    if not isinstance(record, types.Record):
        raise TypingError(f"{hook.name} takes a record as its first argument, not {record}")
    return hook.meaning(_filled_dtype(hook, record))


def _filled_dtype(hook: Hook[..., Any], record: Any) -> np.dtype[Any] | None:
    """The dtype of this record type for which the hook is filled in; None if there is none."""
    return next((dtype for dtype in hook.fills if type_of_record(dtype) == record), None)


def _function_of(constant: Constant) -> Any:
    """A function of a record that compiled code replaces with the constant."""
    value = constant.value
    is_text = isinstance(value, str)

    @intrinsic
    def number(typingctx: Any, state: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.get_dummy_value() if is_text else context.get_constant(types.int64, value)

        return types.literal(value)(state), emit  # type: ignore[attr-defined]  # Numba has it

    return number
