"""Makes every integer int64 in compiled code, independent of where it is read from.

A state stores a seat in one byte. Numba would give a variable with this seat eight bits too. It would also compile each
function again for every width of its arguments and for every constant argument, and would convert two such bytes to
`uint64`, and `uint64` with `int64` to `float64`. Here variables and arguments are never narrower than int64: a narrow
number is widened when it is read and cut when it is stored. Unsigned 64-bit words (`uint64`, for seeds and the
generator) are unchanged.

`core/record_type.py` does the same in the interpreter: a field is read as `int`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from numba.core import typeinfer, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NopythonTypeInference

_NARROW = frozenset((types.int8, types.uint8, types.int16, types.uint16, types.int32, types.uint32))
_numbas_own = typeinfer.TypeInferer


def widened(kind: Any) -> Any:
    """The type that a variable of this type gets."""
    return types.int64 if kind in _NARROW else kind


def passed(kind: Any) -> Any:
    """The type that an argument of this type gets: constants are passed like any other number."""
    is_number = isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral))
    return widened(kind.literal_type if is_number else kind)


def pass_whole_numbers(dispatcher: Any) -> None:
    """Compile one version of a function for integers of every width."""
    template_of = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return template_of(tuple(map(passed, args)), {name: passed(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template


class WholeNumberInferer(typeinfer.TypeInferer):
    """Numba's type inference, with no variable narrower than int64."""

    def add_type(self, var: Any, tp: Any, loc: Any, unless_locked: bool = False) -> None:
        """Give a variable its type, widened to int64.

        The item of a loop over an array keeps its type: it is widened when it is assigned, where Numba can cast it.
        """
        kind = widened(tp)
        if kind is not tp and any(getattr(each, "op", "") == "pair_first" for each in self.func_ir._definitions[var]):
            kind = tp
        super().add_type(var, kind, loc, unless_locked)

    def copy_type(self, src_var: Any, dest_var: Any, loc: Any) -> None:
        """Give a copy of a variable the type of the variable, widened to int64."""
        kind = self.typevars[src_var].type
        if kind is None or widened(kind) is kind:
            super().copy_type(src_var, dest_var, loc)
        else:
            self.add_type(dest_var, kind, loc)


def _inferer(function_ir: Any, context: Any, func_ir: Any, warnings: Any) -> Any:
    """An inferer for `func_ir`: a `WholeNumberInferer` if `func_ir` is `function_ir`, else Numba's own.

    Numba can compile other functions while it types `function_ir`.
    """
    return (WholeNumberInferer if func_ir is function_ir else _numbas_own)(context, func_ir, warnings)


@contextlib.contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Replace an attribute of one of Numba's classes or modules in the block, while no other thread compiles."""
    with global_compiler_lock:
        own = getattr(owner, name)
        setattr(owner, name, value)
        try:
            yield
        finally:
            setattr(owner, name, own)


@register_pass(mutates_CFG=True, analysis_only=False)
class WholeNumberTyping(NopythonTypeInference):
    """Numba's pass that gives every variable a type, with `WholeNumberInferer`."""

    _name = "banakil_whole_number_typing"

    def run_pass(self, state: Any) -> bool:
        """Run Numba's pass with the replaced inferer."""
        with replaced(typeinfer, "TypeInferer", functools.partial(_inferer, state.func_ir)):
            return bool(super().run_pass(state))


class WholeNumberCompiler(CompilerBase):
    """Numba's compiler, with `WholeNumberTyping` as the pass that gives variables their types."""

    def define_pipelines(self) -> list[Any]:
        """The passes, as Numba's `CompilerBase` requires."""
        passes = PassManager("nopython")
        numbas = DefaultPassBuilder.define_nopython_pipeline(self.state).passes
        passes.passes = [(WholeNumberTyping if step is NopythonTypeInference else step, text) for step, text in numbas]
        passes.finalize()
        return [passes]
