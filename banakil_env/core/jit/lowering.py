"""How does the first start stay short? Functions called only from compiled code get no machine code.

Numba optimises and emits every function that another one calls, with the wrappers for a call from Python, and then
again as a part of its caller: half of a cold start. Here a function is compiled in two ways. As a *part* of a caller it
is only lowered to LLVM's language; as an *entry*, called from Python, it is optimised as a whole with all its parts.

Further savings, together about a quarter of a cold start:

- Each part is linked once into an entry; Numba links it into each of its callers as well.
- Passes with nothing to do here are left out: expressions over whole arrays, functions within functions, and the
  merging of reference counts.
- While an entry is compiled, each question of how a Numba function treats some types is asked once; Numba asks at every
  call, and tries many ways. Errors are not coloured. Python's garbage collector is off: it would traverse all of
  Numba's objects again and again.
- Numba's flags, which it compares at every call that it types, are compared at once (`QuickFlags`).

Built on Numba's pipeline classes and on some of its private ones, as they are from 0.60 to 0.68. With any other
version, `split` is None and Numba compiles functions in its own way: the same code, more slowly, in every process.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from types import CodeType, SimpleNamespace
from typing import Any

import numba

OLDEST, NEWEST = (0, 60), (0, 68)
KNOWN = OLDEST <= tuple(int(part) for part in numba.__version__.split(".")[:2]) <= NEWEST
split: Callable[[Callable[..., Any]], Any] | None = None

if KNOWN:
    from llvmlite.binding import Linkage
    from numba import _dynfunc
    from numba.core import errors
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.compiler_machinery import PassManager, register_pass
    from numba.core.environment import lookup_environment
    from numba.core.registry import CPUDispatcher
    from numba.core.typed_passes import NativeLowering, NopythonRewrites
    from numba.core.types.functions import BaseFunction
    from numba.core.untyped_passes import InlineClosureLikes

    class PartLibrary(JITCodeLibrary):
        """The code of a part, without the parts that it calls: linked into entries, never emitted by itself."""

        def finalize(self) -> None:
            """Close the library. An entry may drop the function, or copy it into its callers."""
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"
            self._finalize_dynamic_globals()
            self._finalized = True

        def _get_module_for_linking(self) -> Any:
            """The part with everything that it calls, for Numba's own functions that call it."""
            module = self._final_module.clone()
            link_all(module, self._linking_libraries)
            return module

    class EntryLibrary(JITCodeLibrary):
        """The code of an entry and of all its parts."""

        _linking_libraries: list[Any]

        def finalize(self) -> None:
            """Link each part once, also those that only parts call; then optimise and emit."""
            self._linking_libraries = link_all(self._final_module, self._linking_libraries)
            super().finalize()

        def _optimize_final_module(self) -> None:
            """Numba's full passes. Its cheap passes merge reference counts, which do not occur here."""
            made = self._codegen._module_pass_manager()
            passes, *builder = made if isinstance(made, tuple) else (made,)
            passes.run(self._final_module, *builder)

    def link_all(module: Any, libraries: list[Any]) -> list[Any]:
        """Link all parts that are reached from these libraries into a module; the other libraries that are reached."""
        reached = list(dict.fromkeys(libraries))
        for library in reached:  # grows while it is walked, callers before what they call
            if isinstance(library, PartLibrary):
                module.link_in(library._final_module, preserve=True)
                reached.extend(dict.fromkeys(each for each in library._linking_libraries if each not in reached))
        return [library for library in reached if not isinstance(library, PartLibrary)]

    @register_pass(mutates_CFG=True, analysis_only=False)
    class PartLowering(NativeLowering):
        """Lower a part, and make it known to the functions that call it."""

        _name = "banakil_part_lowering"

        def run_pass(self, state: Any) -> bool:
            state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            lowered = state["cr"]
            key = key_of_part(lowered.fndesc, lowered.env, state.library)
            state.targetctx.insert_user_function(key, lowered.fndesc, [state.library])
            state["cr"] = lowered._replace(cfunc=key)
            return True

    def key_of_part(descriptor: Any, environment: Any, library: PartLibrary) -> Any:
        """Numba knows a compiled function by an object that Python could call; nothing ever calls this one."""
        return _dynfunc.make_function(
            descriptor.lookup_module(), descriptor.qualname, "part", 0, environment, (library,)
        )

    @register_pass(mutates_CFG=True, analysis_only=False)
    class EntryLowering(NativeLowering):
        """Lower and emit an entry, and give its parts their environments, which Numba does when it emits them."""

        _name = "banakil_entry_lowering"

        def run_pass(self, state: Any) -> bool:
            codegen = state.targetctx.codegen()
            state.library = EntryLibrary(codegen, state.func_id.func_qualname)
            state.library.enable_object_caching()
            super().run_pass(state)
            for variable in state.library._final_module.global_variables:
                environment = lookup_environment(variable.name) if variable.name.startswith("_ZN08NumbaEnv") else None
                if environment is not None and codegen._engine.get_global_value_address(variable.name):
                    codegen.set_env(variable.name, environment)
            return True

    _FLAGS = {name: option.default for name, option in Flags.options.items()}

    class QuickFlags(Flags):
        """Numba's settings of one compilation; all values are read in one step instead of one by one."""

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

    @contextlib.contextmanager
    def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
        """Replace an attribute of a class or module of Numba's, while no other thread compiles."""
        with global_compiler_lock:
            own = getattr(owner, name)
            setattr(owner, name, value)
            try:
                yield
            finally:
                setattr(owner, name, own)

    def _asked_once() -> contextlib.AbstractContextManager[None]:
        """Ask only once how a Numba function or operator treats some types, and not at every call."""
        ask, answers = BaseFunction.get_call_type, {}

        def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
            question = function, args, tuple(kws.items())
            if question not in answers:
                answers[question] = ask(function, context, args, kws)
            return answers[question]

        return _replaced(BaseFunction, "get_call_type", get_call_type)

    def _uncoloured() -> contextlib.AbstractContextManager[None]:
        """Numba inspects the terminal and colours the text of every error, though it catches nearly all of them."""
        kinds = ("code", "errmsg", "filename", "indicate", "highlight", "reset")
        return _replaced(errors, "_termcolor_inst", SimpleNamespace(**dict.fromkeys(kinds, str)))

    def _pipeline(lowering: Any) -> Any:
        """A compiler like Numba's own with another lowering."""

        class Compiler(CompilerBase):
            def __init__(self, *args: Any) -> None:
                super().__init__(*args)
                self.state.flags = QuickFlags(self.state.flags)

            def define_pipelines(self) -> list[Any]:
                passes = PassManager("nopython")
                needless = {NopythonRewrites}
                if not any(isinstance(constant, CodeType) for constant in self.state.func_id.code.co_consts):
                    needless.add(InlineClosureLikes)
                for stage in (
                    DefaultPassBuilder.define_untyped_pipeline(self.state),
                    DefaultPassBuilder.define_typed_pipeline(self.state),
                    DefaultPassBuilder.define_nopython_lowering_pipeline(self.state),
                ):
                    passes.passes.extend(
                        (lowering if step is NativeLowering else step, text)
                        for step, text in stage.passes
                        if step not in needless
                    )
                passes.finalize()
                return [passes]

        return Compiler

    class Entry(CPUDispatcher):
        """A compiled function as Python sees it; compiled callers see its part."""

        part: CPUDispatcher

        @property
        def _numba_type_(self) -> Any:
            return self.part._numba_type_

        def compile(self, signature: Any) -> Any:
            """As Numba does it, see above."""
            with _collector_at_rest(), _asked_once(), _uncoloured():
                return super().compile(signature)

    _ENTRY, _PART = _pipeline(EntryLowering), _pipeline(PartLowering)

    def split(compile_with: Callable[..., Any]) -> Any:
        """An entry that has its part; `compile_with` makes the dispatcher of one function from further options."""
        entry = compile_with(pipeline_class=_ENTRY)
        entry.__class__ = Entry
        entry.part = compile_with(pipeline_class=_PART, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        return entry
