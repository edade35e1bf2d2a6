"""Lowers a function to LLVM's language, and no further: only whole libraries are optimized and emitted.

Numba optimizes and emits every function that another one calls, with wrappers for calls from Python, and then optimizes
it again as a part of its caller. Here a function is a *part*, which is only lowered. A library (`build.py`) is
optimized as a whole, with all parts that its entries reach, each linked once.

Further savings, together about a quarter of the time:

- Passes that have nothing to do here are left out: expressions over whole arrays, functions within functions.
- The treatment of some types by a Numba function is determined once; Numba determines it at every call, in many
  attempts.
- Error messages are not colored.
- Python's garbage collector is off: it would traverse all of Numba's objects again and again.
- Numba's flags, which it compares at every call that it types, are compared in one step (`QuickFlags`).

The code uses Numba's pipeline classes and some of its private ones, as they are from version 0.62 to 0.68. With any
other version, Numba compiles functions in its usual way: the same code, but more slowly, and in every process.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, SimpleNamespace
from typing import Any

import numba

OLDEST, NEWEST = (0, 62), (0, 68)
KNOWN = OLDEST <= tuple(int(part) for part in numba.__version__.split(".")[:2]) <= NEWEST

if KNOWN:
    from llvmlite.binding import Linkage
    from numba import _dynfunc
    from numba.core import errors
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
    from numba.core.compiler_machinery import PassManager, register_pass
    from numba.core.runtime import rtsys
    from numba.core.typed_passes import NativeLowering, NopythonRewrites, NopythonTypeInference
    from numba.core.types.functions import BaseFunction
    from numba.core.untyped_passes import InlineClosureLikes

    from banakil_env.core.jit.whole_numbers import WholeNumberTyping, replaced

    # By function: returns the name of a part for a signature and Numba's code generator; None: it is not stored
    # (`parts.py`).
    name_makers: dict[Any, Callable[[Any, Any], str | None]] = {}

    class PartLibrary(JITCodeLibrary):
        """The code of a part, without the parts that it calls; it is never emitted separately."""

        def finalize(self) -> None:
            """Close the library, and let linked modules drop its functions or copy them into their callers."""
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"
            self._finalize_dynamic_globals()
            self._finalized = True

        def _get_module_for_linking(self) -> Any:
            """The part with everything that it calls, for functions that Numba compiles in its usual way."""
            module = self._final_module.clone()
            link_everything(module, self._linking_libraries)
            return module

    def link_everything(module: Any, libraries: Iterable[Any]) -> None:
        """Link everything that these libraries reach into a module, each library once, but not Numba's run time."""
        for library in callers_first(libraries):
            if isinstance(library, PartLibrary):
                module.link_in(library._final_module, preserve=True)
            elif library is not rtsys.library:
                module.link_in(library._get_module_for_linking(), preserve=True)

    def callers_first(libraries: Iterable[Any]) -> list[Any]:
        """All libraries that are reached from these, each once and after all its callers.

        LLVM drops a function that nothing in the module calls yet, so a caller that is linked later would not find it.
        """
        reached: dict[Any, None] = {}  # each library follows all libraries that it calls
        entered: set[Any] = set()

        def enter(library: Any) -> None:
            if library not in entered:
                entered.add(library)
                for called in library._linking_libraries if isinstance(library, PartLibrary) else ():
                    enter(called)
                reached[library] = None

        for library in libraries:
            enter(library)
        return list(reversed(reached))

    @register_pass(mutates_CFG=True, analysis_only=False)
    class PartLowering(NativeLowering):
        """Lower a part, and register it for the functions that call it."""

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
        """An object that identifies a part for Numba, which expects a function that Python could call; nothing calls
        it.
        """
        return _dynfunc.make_function(
            descriptor.lookup_module(), descriptor.qualname, "part", 0, environment, (library,)
        )

    _FLAGS = {name: option.default for name, option in Flags.options.items()}

    class QuickFlags(Flags):
        """Numba's settings of one compilation, which are compared in one step instead of one by one."""

        def values(self) -> dict[str, Any]:
            """All settings by name."""
            return _FLAGS | self._values

        def __hash__(self) -> int:
            return hash(QuickFlags)  # as good as Numba's hash, which depends on the names alone

    class PartCompiler(CompilerBase):
        """Numba's compiler with a different lowering pass, and without passes that have nothing to do here."""

        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.state.flags = QuickFlags(self.state.flags)

        def _compile_bytecode(self) -> Any:
            """Compile the part under a name with a digest of its content; Numba would use a number."""
            name_of = name_makers.get(self.state.func_id.func)
            name = name_of and name_of(tuple(self.state.args), self.state.targetctx.codegen())
            if name is not None:
                self.state.func_id.unique_id = name
                self.state.func_id.unique_name = f"{self.state.func_id.func_qualname}${name}"
            return super()._compile_bytecode()

        def define_pipelines(self) -> list[Any]:
            """The passes, as Numba's `CompilerBase` requires."""
            passes = PassManager("nopython")
            ours = {NativeLowering: PartLowering, NopythonTypeInference: WholeNumberTyping}
            needless = {NopythonRewrites}
            if not any(isinstance(constant, CodeType) for constant in self.state.func_id.code.co_consts):
                needless.add(InlineClosureLikes)
            for stage in (
                DefaultPassBuilder.define_untyped_pipeline(self.state),
                DefaultPassBuilder.define_typed_pipeline(self.state),
                DefaultPassBuilder.define_nopython_lowering_pipeline(self.state),
            ):
                passes.passes.extend(
                    (ours.get(step, step), text) for step, text in stage.passes if step not in needless
                )
            passes.finalize()
            return [passes]

    @contextlib.contextmanager
    def in_few_seconds() -> Iterator[None]:
        """Make compilation in the block faster; the module's docstring lists how."""
        with _collector_at_rest(), _asked_once(), _uncoloured():
            yield

    @contextlib.contextmanager
    def _collector_at_rest() -> Iterator[None]:
        """Turn Python's cyclic garbage collector off in the block."""
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()

    def _asked_once() -> contextlib.AbstractContextManager[None]:
        """Determine only once how a Numba function or operator treats some types, and not at every call."""
        ask, answers = BaseFunction.get_call_type, {}

        def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
            question = function, args, tuple(kws.items())
            if question not in answers:
                answers[question] = ask(function, context, args, kws)
            return answers[question]

        return replaced(BaseFunction, "get_call_type", get_call_type)

    def _uncoloured() -> contextlib.AbstractContextManager[None]:
        """Do not color error messages: Numba inspects the terminal for every error, and catches nearly all errors
        itself.
        """
        kinds = ("code", "errmsg", "filename", "indicate", "highlight", "reset")
        return replaced(errors, "_termcolor_inst", SimpleNamespace(**dict.fromkeys(kinds, str)))
