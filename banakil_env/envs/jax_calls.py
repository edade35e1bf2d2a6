"""Calls library entries from a JAX computation: by XLA's foreign function interface, or by a callback.

A call is described once: the source of each argument of the entry (`Word`), and the arrays that it makes. The handler
in `_xla.c` carries it out on XLA's buffers, without Python. Without that extension, or without machine code of the
library, `jax.pure_callback` does the same in Python, with the same results.

Rows are the leading dimensions of all arrays: under `vmap`, one call steps all tables. JAX has no 64-bit integers by
default, so they are pairs of 32-bit integers here, the low bits first, as in memory.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from banakil_env.core.jit import Entry

xla: Any
try:
    from banakil_env.envs import _xla as xla
except ImportError:  # there was no C compiler when the package was installed
    xla = None

TARGET = "banakil_env.call"

# The source of a word; the numbers are the same in `_xla.c`. COPIED is a buffer that the entry changes.
NUMBER, GIVEN, MADE, COPIED, COUNT, ROWS, CONSTANT = range(7)
NOTHING = -1  # in the handler the number 0, an address that is never read


@dataclass(frozen=True)
class Word:
    """The source of an argument of an entry.

    Attributes:
        kind: the kind of source. NUMBER: `value`. GIVEN: the input array with index `value`. MADE: the output array
            with index `made`. COPIED: the output array with index `made`, which begins as a copy of the input array
            with index `value`. COUNT: the number of rows. ROWS: the numbers of all rows. CONSTANT: `array`, int64.
            NOTHING: an array without rows.
        value: a number, or the index of an input array.
        made: the index of an output array.
        array: a constant array, int64.
    """

    kind: int
    value: int = 0
    made: int = 0
    array: Any = None


class Call:
    """A call of an entry with some arguments fixed, as a function of JAX arrays.

    Args:
        entry: the entry.
        words: the source of each argument of the entry, in order. The first input array must have one record per row.
        made: shape and dtype of a row of each output array.
        sizes: the shared sizes of the entry's arrays, except the number of rows.
        failed: the end of the error message for rows that failed; "": the result of the entry is ignored.
    """

    def __init__(
        self,
        entry: Entry,
        words: Sequence[Word],
        made: Sequence[jax.ShapeDtypeStruct],
        *,
        sizes: Mapping[str, int] | None = None,
        failed: str = "",
    ) -> None:
        self.entry, self.words, self.made = entry, tuple(words), tuple(made)
        self.sizes, self.failed = sizes or {}, failed
        self.copied = {word.value: word.made for word in words if word.kind == COPIED}

    def __call__(self, *given: jax.Array) -> list[jax.Array]:
        """The output arrays, from one row or, under `vmap`, from all rows at once."""
        if self.target is None:
            made: list[jax.Array] = jax.pure_callback(self._in_python, self.made, *given, vmap_method="broadcast_all")
            return made
        call = jax.ffi.ffi_call(self.target, self.made, vmap_method="broadcast_all", input_output_aliases=self.copied)
        return call(*given, **self._attributes, row_bytes=np.int64(given[0].shape[-1]))

    @functools.cached_property
    def target(self) -> str | None:
        """The name of the handler, after the entry is registered with it; None if the call must use Python."""
        address = None if xla is None else self.entry.library.address_of(self.entry)
        if address is None:
            return None
        _register()
        xla.add(self._name, address)
        return TARGET

    @property
    def _name(self) -> str:
        """The entry's name for the handler.

        It is the same in every process with the same library, because JAX stores compiled computations on disk.
        """
        library = self.entry.library
        return f"{library.name}.{self.entry.name}.{library.made_of.digest}.{library.key()}"

    @functools.cached_property
    def _attributes(self) -> dict[str, Any]:
        plan: list[tuple[int, int]] = []
        constants: list[np.ndarray[Any, Any]] = [np.zeros(1, np.int64)]
        for word in self.words:
            value = word.value
            if word.kind == MADE:
                value = word.made
            elif word.kind == COPIED:
                value = math.prod(self.made[word.made].shape) << 16 | word.value << 8 | word.made
            elif word.kind == CONSTANT:
                value = sum(map(len, constants))
                constants.append(word.array.reshape(-1))
            plan.append((NUMBER if word.kind == NOTHING else word.kind, value))
        plan += [(NUMBER, self.sizes[size]) if size in self.sizes else (COUNT, 0) for size in self.entry.sizes]
        return {
            "entry": self._name,
            "plan": np.array(plan, np.int64).reshape(-1),
            "constants": np.concatenate(constants),
            "failed": self.failed,
        }

    def _in_python(self, *given: Any) -> list[np.ndarray[Any, Any]]:
        """The call on NumPy arrays.

        Raises:
            ValueError: some rows have failed.
        """
        leading = np.shape(given[0])[:-1]
        n = math.prod(leading)
        made = [np.zeros((n, *one.shape), one.dtype) for one in self.made]
        for source, copy in self.copied.items():
            made[copy][:] = np.asarray(given[source]).reshape(made[copy].shape)
        args: list[Any] = []
        for word, argument in zip(self.words, self.entry.arguments.values()):
            if word.kind in (NUMBER, COUNT):
                args.append(n if word.kind == COUNT else word.value)
            elif word.kind == ROWS:
                args.append(np.arange(n))
            elif word.kind == CONSTANT:
                args.append(word.array)
            elif word.kind == NOTHING:
                args.append(_nothing(argument))
            else:
                array = given[word.value] if word.kind == GIVEN else made[word.made]
                args.append(_as_declared(argument, np.ascontiguousarray(array), n))
        failed = self.entry(*args)
        if failed and self.failed:
            raise ValueError(f"{failed} of {n} rows {self.failed}")
        return [array.reshape(*leading, *one.shape) for array, one in zip(made, self.made)]


def _nothing(argument: Any) -> np.ndarray[Any, Any]:
    """An array without rows, of the dtype and shape that the entry declares."""
    return np.zeros([0 if isinstance(dim, str) else dim for dim in argument.dims], argument.dtype)


def _as_declared(argument: Any, array: np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
    """A view of an array with the dtype and shape that the entry declares, for n rows."""
    shape = [n, *argument.dims[1:]]
    cells = array.reshape(-1).view(np.uint8).view(argument.dtype)
    return cells.reshape([-1 if isinstance(dim, str) else dim for dim in shape])


@functools.cache
def _register() -> None:
    jax.ffi.register_ffi_target(TARGET, xla.handler, platform="cpu")
