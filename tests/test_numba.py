"""What is taken from inside Numba, and what is to be looked at when a new Numba changes it?

`docs/contributing/compiling.md` (*When Numba changes*) tells what happens without each part, and in which order to
mend. Every test here names the file that uses what has changed, and the purpose.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numba
import pytest

from banakil_env.core.jit import compiled, lowering, parts

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

REPOSITORY = Path(__file__).resolve().parents[1]
PAGE = 'docs/contributing/compiling.md, "When Numba changes"'

# Names that the project imports from Numba's modules: file in core/, name, purpose.
IMPORTED = (
    ("jit/build.py", "numba.core.cgutils", "C functions over the entries"),
    ("jit/build.py", "numba.core.types", "the types of arguments"),
    ("jit/build.py", "numba.core.compiler_lock.global_compiler_lock", "held while a library is built"),
    ("jit/build.py", "numba.core.registry.cpu_target", "the calling convention of entries"),
    ("jit/build.py", "numba.np.arrayobj.populate_array", "an array made of an address and its sizes"),
    ("jit/build.py", "numba.core.codegen.create_pass_builder", "the passes that optimise a library"),
    ("targets/webassembly.py", "numba.core.compiler_lock.global_compiler_lock", "held while a module is built"),
    ("targets/webassembly.py", "numba.core.codegen.create_pass_builder", "the passes that optimise a module"),
    ("targets/ptx.py", "numba.core.codegen.create_pass_builder", "the passes that optimise kernels"),
    ("targets/ptx.py", "numba.core.compiler_lock.global_compiler_lock", "held while kernels are built"),
    ("jit/parts.py", "numba.core.serialize.dumps", "writes a part to a file"),
    ("jit/parts.py", "numba.core.runtime.rtsys", "Numba's run time, which no part needs"),
    ("jit/parts.py", "numba.core.caching.NullCache", "what a dispatcher asks of its cache"),
    ("jit/parts.py", "numba.core.compiler.compile_result", "makes a compiled function from a part on disk"),
    ("jit/lowering.py", "numba.core.runtime.rtsys", "Numba's run time, which no part needs"),
    ("jit/lowering.py", "numba._dynfunc", "the object by which Numba knows a part, which Python never calls"),
    ("jit/lowering.py", "numba.core.errors", "_termcolor_inst colours the texts of errors"),
    ("jit/lowering.py", "numba.core.codegen.JITCodeLibrary", "the base of PartLibrary and EntryLibrary"),
    ("jit/lowering.py", "numba.core.compiler.CompilerBase", "the base of the two compilers"),
    ("jit/lowering.py", "numba.core.compiler.DefaultPassBuilder", "Numba's own list of passes"),
    ("jit/lowering.py", "numba.core.compiler.Flags", "the base of QuickFlags"),
    ("jit/whole_numbers.py", "numba.core.compiler_lock.global_compiler_lock", "held while names of Numba are replaced"),
    ("jit/whole_numbers.py", "numba.core.typeinfer", "TypeInferer, the base of WholeNumberInferer"),
    ("jit/whole_numbers.py", "numba.core.types", "the types of whole numbers"),
    ("jit/whole_numbers.py", "numba.core.compiler.CompilerBase", "the base of WholeNumberCompiler"),
    ("jit/whole_numbers.py", "numba.core.compiler.DefaultPassBuilder", "Numba's own list of passes"),
    ("jit/whole_numbers.py", "numba.core.compiler_machinery.PassManager", "our list of passes"),
    ("jit/whole_numbers.py", "numba.core.compiler_machinery.register_pass", "makes our typing a pass"),
    ("jit/whole_numbers.py", "numba.core.typed_passes.NopythonTypeInference", "the pass that ours stands in for"),
    ("jit/lowering.py", "numba.core.compiler_machinery.PassManager", "our list of passes"),
    ("jit/lowering.py", "numba.core.compiler_machinery.register_pass", "makes our lowering a pass"),
    ("jit/lowering.py", "numba.core.typed_passes.NativeLowering", "the pass that ours stand in for"),
    ("jit/lowering.py", "numba.core.typed_passes.NopythonRewrites", "a pass that is left out"),
    ("jit/lowering.py", "numba.core.typed_passes.NopythonTypeInference", "the pass that ours stands in for"),
    ("jit/lowering.py", "numba.core.types.functions.BaseFunction", "get_call_type is asked once for each question"),
    ("jit/lowering.py", "numba.core.untyped_passes.InlineClosureLikes", "a pass that is left out"),
    ("jit/meanings/hooks.py", "numba.core.types", "the type of a hook"),
    ("jit/meanings/hooks.py", "numba.core.errors.TypingError", "a hook that is called without a record"),
    ("jit/meanings/hooks.py", "numba.core.imputils.lower_constant", "a hook has no value in machine code"),
    ("jit/meanings/bits.py", "numba.core.cgutils", "stores of bytes"),
    ("jit/meanings/bits.py", "numba.core.types", "the types that the functions of bits.py take"),
    ("jit/meanings/bits.py", "numba.core.errors.TypingError", "an argument of another type"),
    ("jit/meanings/records.py", "numba.core.cgutils", "the address of a field"),
    ("jit/meanings/records.py", "numba.core.types", "the fields of a record"),
    ("jit/meanings/records.py", "numba.core.errors.TypingError", "names of fields that are not a constant"),
    ("jit/meanings/scratch.py", "numba.core.types", "the types of a work array and of a record"),
    ("jit/meanings/scratch.py", "numba.core.errors.TypingError", "a size that is not a constant"),
    ("jit/meanings/scratch.py", "numba.core.imputils.lower_builtin", "what a work array is in machine code"),
    ("jit/meanings/scratch.py", "numba.core.typing.templates.AbstractTemplate", "the base of the typing of scratch()"),
    ("jit/meanings/scratch.py", "numba.core.typing.templates.infer_global", "makes the typing of scratch() known"),
    ("jit/meanings/scratch.py", "numba.core.typing.templates.signature", "arguments and result of scratch()"),
    ("jit/meanings/scratch.py", "numba.np.arrayobj.populate_array", "a work array without an allocation"),
)

# Attributes of the objects that a compilation makes: what has it (see `made`), the attribute, file in core/, purpose.
ATTRIBUTES = (
    ("dispatcher", "_cache", "jit/dispatch.py", "our cache takes the place of Numba's"),
    ("dispatcher", "_numba_type_", "jit/decorators.py", "compiled callers see the part of a function"),
    ("dispatcher", "overloads", "jit/build.py", "the lowered forms"),
    ("result", "_replace", "jit/lowering.py", "the result of a part is given another function"),
    ("result", "fndesc", "jit/lowering.py", "the description of a part"),
    ("library", "has_dynamic_globals", "jit/parts.py", "code that holds addresses is not kept"),
    ("library", "_final_module", "jit/lowering.py", "the module that all parts are linked into"),
    ("library", "_linking_libraries", "jit/lowering.py", "the parts that an entry calls"),
    ("library", "_finalize_dynamic_globals", "jit/lowering.py", "a part is closed without being emitted"),
    ("library", "_finalized", "jit/lowering.py", "a part is closed without being emitted"),
    ("codegen", "magic_tuple", "jit/parts.py", "the processor, a part of the key of an entry"),
    ("context", "insert_user_function", "jit/lowering.py", "a part is made known to its callers"),
    ("context", "refresh", "jit/parts.py", "Numba's own functions are there before an entry is loaded"),
    ("flags", "_values", "jit/lowering.py", "the settings of a compilation"),
    ("flags", "no_compile", "jit/lowering.py", "a part is lowered and not emitted"),
)

# Methods that a class of ours replaces or calls, and their arguments.
METHODS = (
    ("numba.core.types.functions.BaseFunction.get_call_type", ("self", "context", "args", "kws")),
    ("numba.core.codegen.JITCodeLibrary.finalize", ("self",)),
    ("numba.core.codegen.JITCodeLibrary._get_module_for_linking", ("self",)),
    ("numba.core.compiler.CompilerBase.define_pipelines", ("self",)),
    ("numba.core.compiler.Flags.values", ("self",)),
    ("numba.core.typed_passes.NativeLowering.run_pass", ("self", "state")),
    ("numba.core.typed_passes.NopythonTypeInference.run_pass", ("self", "state")),
    ("numba.core.typeinfer.TypeInferer.__init__", ("self", "context", "func_ir", "warnings")),
    ("numba.core.typeinfer.TypeInferer.add_type", ("self", "var", "tp", "loc", "unless_locked")),
    ("numba.core.typeinfer.TypeInferer.copy_type", ("self", "src_var", "dest_var", "loc")),
    ("numba.core.dispatcher.Dispatcher.get_call_template", ("self", "args", "kws")),
)


def look_at(file: str, name: str, purpose: str) -> str:
    """What a failed test says."""
    return f"Numba {numba.__version__} has changed {name}, which core/{file} needs: {purpose}. See {PAGE}."


def found(name: str) -> Any:
    """The module, class or function of a dotted name.

    Raises:
        ImportError, AttributeError: Numba has no such name.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        owner, _, last = name.rpartition(".")
        return getattr(found(owner), last)


@pytest.mark.parametrize(("file", "name", "purpose"), IMPORTED)
def test_a_name_that_is_imported_is_there(file: str, name: str, purpose: str) -> None:
    try:
        found(name)
    except (ImportError, AttributeError):
        pytest.fail(look_at(file, name, purpose))


def imported_in(path: Path) -> Iterator[str]:
    """The names that a file imports from Numba's modules; `numba.extending` is public."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and re.match(r"numba\b(?!\.extending)", node.module or ""):
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.startswith("numba."))


def test_the_list_of_imported_names_is_whole() -> None:
    """What is not in the list is not looked at when Numba changes."""
    core = REPOSITORY / "banakil_env" / "core"
    there = {
        (path.relative_to(core).as_posix() if core in path.parents else str(path), name)
        for top in ("banakil_env", "train")
        for path in (REPOSITORY / top).rglob("*.py")
        for name in imported_in(path)
    }
    assert there == {(file, name) for file, name, _ in IMPORTED}


@pytest.fixture(scope="module")
def made() -> SimpleNamespace:
    """The objects of lowering one part. The function is a closure, so that it is never loaded from the disk."""
    number = 3

    @compiled
    def times_three(card: int) -> int:
        return card * number

    assert times_three(5) == 15
    dispatcher = cast(Any, times_three).part
    dispatcher.compile((numba.int64,))
    [result] = dispatcher.overloads.values()
    return SimpleNamespace(
        dispatcher=dispatcher,
        result=result,
        library=result.library,
        codegen=result.library.codegen,
        context=result.target_context,
        flags=found("numba.core.compiler.Flags")(),
    )


@pytest.mark.parametrize(("owner", "name", "file", "purpose"), ATTRIBUTES)
def test_an_attribute_is_there(made: SimpleNamespace, owner: str, name: str, file: str, purpose: str) -> None:
    assert hasattr(getattr(made, owner), name), look_at(file, f"{name} of a {owner}", purpose)


@pytest.mark.parametrize(("name", "arguments"), METHODS)
def test_a_method_takes_what_it_took(name: str, arguments: tuple[str, ...]) -> None:
    try:
        taken = tuple(inspect.signature(inspect.unwrap(found(name))).parameters)
    except (ImportError, AttributeError):
        taken = ()
    assert taken == arguments, look_at("jit/lowering.py", name, f"it is replaced or called with {arguments}")


def test_the_passes_that_are_replaced_or_left_out_are_there() -> None:
    builder = found("numba.core.compiler.DefaultPassBuilder")
    state = SimpleNamespace(func_ir=None, flags=found("numba.core.compiler.Flags")())
    stages = ("define_untyped_pipeline", "define_typed_pipeline", "define_nopython_lowering_pipeline")
    passes = {step.__name__ for stage in stages for step, _ in getattr(builder, stage)(state).passes}
    for name in ("NativeLowering", "NopythonTypeInference", "NopythonRewrites", "InlineClosureLikes"):
        assert name in passes, look_at("jit/lowering.py", f"the pass {name}", "it is replaced or left out")


def test_lowering_knows_this_numba(made: SimpleNamespace) -> None:
    """With a version that it does not know, functions are compiled as Numba does it, and a cold start takes longer."""
    known = f"{'.'.join(map(str, lowering.OLDEST))} to {'.'.join(map(str, lowering.NEWEST))}"
    assert lowering.KNOWN, (
        f"core/jit/lowering.py was tried with Numba {known}, and this is {numba.__version__}: {PAGE} says how to try it"
    )
    assert type(made.library).__name__ == "PartLibrary"


def test_settings_that_change_the_code_are_settings_of_numbas() -> None:
    for name in parts.SETTINGS:
        assert hasattr(numba.config, name), look_at(
            "jit/parts.py", f"the setting {name}", "it is in the key of entries"
        )
