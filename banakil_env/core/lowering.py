"""How does the first start stay short? Functions called only from compiled code are not made into machine code
themselves.

Numba optimises and emits every function that another one calls, with the wrappers by which Python would call it, and
then once more as a part of its caller: half of a cold start. Here a function is compiled in two ways. As a *part* of
a caller it is only lowered to LLVM's language; as an *entry*, called from Python, it is optimised as a whole with all
its parts.

Two smaller savings: Python's collector rests while an entry is compiled (it went through all of Numba's objects again
and again), and Numba's flags, which it compares at every call that it types, are compared at once (`QuickFlags`).
Together a seventh of a cold start.

Built on Numba's pipeline classes and on some of its private ones, as they are from 0.60 to 0.68. With any other
version, `split` is None and functions are compiled as Numba does it: the same code, later.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

import numba

_FIRST, _LAST = (0, 60), (0, 68)
split: Callable[[Callable[..., Any]], Any] | None = None

if _FIRST <= tuple(int(part) for part in numba.__version__.split(".")[:2]) <= _LAST:
    from numba import _dynfunc
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
    from numba.core.compiler_machinery import PassManager, register_pass
    from numba.core.environment import lookup_environment
    from numba.core.registry import CPUDispatcher
    from numba.core.typed_passes import NativeLowering

    class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
        """The code of a part: linked into its callers, never optimised or emitted by itself."""

        def _optimize_final_module(self) -> None:
            """Left to the entry."""

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class PartLowering(NativeLowering):  # type: ignore[misc]
        """Lower a part, and make it known to the functions that call it."""

        _name = "banakil_part_lowering"

        def run_pass(self, state: Any) -> bool:
            state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            lowered = state["cr"]
            descriptor = lowered.fndesc
            # Numba knows a compiled function by an object that Python could call; nothing ever calls this one.
            key = _dynfunc.make_function(
                descriptor.lookup_module(), descriptor.qualname, "part", 0, lowered.env, (state.library,)
            )
            state.targetctx.insert_user_function(key, descriptor, [state.library])
            state["cr"] = lowered._replace(cfunc=key)
            return True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class EntryLowering(NativeLowering):  # type: ignore[misc]
        """Lower and emit an entry, and give its parts their environments, which Numba does when it emits them."""

        _name = "banakil_entry_lowering"

        def run_pass(self, state: Any) -> bool:
            super().run_pass(state)
            codegen = state.targetctx.codegen()
            for variable in state.library._final_module.global_variables:
                environment = lookup_environment(variable.name) if variable.name.startswith("_ZN08NumbaEnv") else None
                if environment is not None and codegen._engine.get_global_value_address(variable.name):
                    codegen.set_env(variable.name, environment)
            return True

    _FLAGS = {name: option.default for name, option in Flags.options.items()}

    class QuickFlags(Flags):  # type: ignore[misc]
        """Numba's settings of one compilation; the values are read in one stroke instead of one by one."""

        def values(self) -> dict[str, Any]:
            """All settings by name."""
            return _FLAGS | self._values

        def __hash__(self) -> int:
            return hash(QuickFlags)  # as good as Numba's, which is made of the names

    @contextlib.contextmanager
    def _collector_at_rest() -> Iterator[None]:
        """Without Python's cyclic garbage collector."""
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()

    def _pipeline(lowering: Any) -> Any:
        """A compiler like Numba's own with another lowering."""

        class Compiler(CompilerBase):  # type: ignore[misc]
            def __init__(self, *args: Any) -> None:
                super().__init__(*args)
                self.state.flags = QuickFlags(self.state.flags)

            def define_pipelines(self) -> list[Any]:
                passes = PassManager("nopython")
                for stage in (
                    DefaultPassBuilder.define_untyped_pipeline(self.state),
                    DefaultPassBuilder.define_typed_pipeline(self.state),
                    DefaultPassBuilder.define_nopython_lowering_pipeline(self.state),
                ):
                    passes.passes.extend(
                        (lowering if step is NativeLowering else step, text) for step, text in stage.passes
                    )
                passes.finalize()
                return [passes]

        return Compiler

    class Entry(CPUDispatcher):  # type: ignore[misc]
        """A compiled function as Python sees it; compiled callers see its part."""

        part: CPUDispatcher

        @property
        def _numba_type_(self) -> Any:
            return self.part._numba_type_

        def compile(self, signature: Any) -> Any:
            """As Numba does it, see above."""
            with _collector_at_rest():
                return super().compile(signature)

    _ENTRY, _PART = _pipeline(EntryLowering), _pipeline(PartLowering)

    def split(compile_with: Callable[..., Any]) -> Any:
        """An entry that has its part; `compile_with` makes the dispatcher of one function from further options."""
        entry = compile_with(pipeline_class=_ENTRY)
        entry.__class__ = Entry
        entry.part = compile_with(pipeline_class=_PART, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        return entry
