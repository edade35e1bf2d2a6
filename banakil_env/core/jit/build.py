"""Builds a library: lowers every entry, links all into one module, optimizes the module as a whole, and emits it.

    loops -> parts (lowering.py, parts.py) -> one LLVM module with C functions over them -> object file -> library

Each entry becomes two C functions. One has the arguments of the entry. The other takes a single array of words, and is
the one that Python calls (`_caller.c`).
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.np.arrayobj import populate_array

from banakil_env.core.jit.library import SEED, SUFFIXES, Array, processor, write_library
from banakil_env.core.jit.lowering import KNOWN

if TYPE_CHECKING:
    from banakil_env.core.jit.library import Argument, Entry, Library

if KNOWN:
    from numba.core.codegen import create_pass_builder

    from banakil_env.core.jit.lowering import in_few_seconds, link_everything

_WORD, _STATUS, _BYTES = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()

# Numba counts references to the memory of arrays. Compiled code owns no memory here, so the counting functions are
# empty.
_NO_COUNTS = """
define linkonce_odr void @NRT_incref(ptr %p) alwaysinline { ret void }
define linkonce_odr void @NRT_decref(ptr %p) alwaysinline { ret void }
"""


def build_for(library: Library, stems: Mapping[str, Path]) -> list[Path]:
    """Build a library for several kinds of processors.

    Args:
        library: the library.
        stems: the path of the file without its suffix, by kind of processor.

    Returns:
        The paths of the files.

    Raises:
        OSError: a folder cannot be written.
    """
    with global_compiler_lock:
        module = linked(lowered(library.entries.values()))
        emitted = {stem: _emitted(library, module.clone(), cpu) for cpu, stem in stems.items()}
    paths = []
    for stem, content in emitted.items():
        suffix, content = _library_of(content)
        paths.append(stem.with_name(stem.name + suffix))
        write_library(paths[-1], content)
    return paths


def lowered(entries: Iterable[Entry]) -> list[tuple[Entry, Any]]:
    """Type every entry and lower it as a part. Returns the entries with the results of their compilation."""
    found = []
    with in_few_seconds():
        for entry in entries:
            part = entry.compiled.part
            argument_types = tuple(map(_type_of, entry.arguments.values()))
            part.compile(argument_types)
            found.append((entry, part.overloads[argument_types]))
    return found


def _type_of(argument: Argument) -> Any:
    """The Numba type of an argument."""
    if isinstance(argument, Array):
        return numba.typeof(np.zeros((1,) * len(argument.dims), argument.dtype))
    return types.uint64 if argument == SEED else types.int64


def linked(lowered: list[tuple[Entry, Any]], *, words: bool = True) -> Any:
    """Link all parts, each once, and C functions for each entry into one module; all other functions are internal.

    Args:
        lowered: entries with the results of their compilation.
        words: whether to add the functions that take an array of words.
    """
    context = cpu_target.target_context
    shims = ir.Module("shims")
    shims.triple = llvm.get_process_triple()
    exported = set()
    for entry, result in lowered:
        exported.add(_add_function(context, shims, entry, result))
        if words:
            exported.add(_add_function_of_words(context, shims, entry, result))
    module = llvm.parse_assembly(cgutils.normalize_ir_text(str(shims)))
    module.data_layout = context.codegen()._data_layout
    module.link_in(llvm.parse_assembly(_NO_COUNTS))
    link_everything(module, [result.library for _, result in lowered])
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = "internal"
    for variable in module.global_variables:
        # In an environment, Numba's wrappers for Python store objects. It is declared, but neither defined nor read
        # here.
        if not variable.is_declaration or variable.name.startswith("_ZN08NumbaEnv"):
            variable.linkage = "internal"
    module.verify()
    return module


# Functions of the C library that machine code can call: LLVM makes calls of them from loops and intrinsics.
IN_C = "memset_pattern16 memcpy memmove memset memcmp bcmp strlen wcslen exp log pow sqrt fma fmod floor ceil"


def _refuse_others(module: Any, library: Library) -> None:
    """Raise TypeError if the machine code calls functions of Python or Numba, which do not exist when it runs."""
    declared = {each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")}
    others = sorted(declared - set(IN_C.split()))
    if others:
        raise TypeError(
            f"the library {library.name} calls {', '.join(others)}, which only Numba provides: "
            "compiled functions allocate nothing, raise nothing and reshape nothing"
        )


def _add_function(context: Any, module: Any, entry: Entry, result: Any) -> str:
    """Add the C function that has the arguments of the entry. Returns its name."""
    kinds = [_BYTES if isinstance(argument, Array) else _WORD for argument in entry.arguments.values()]
    returned = _WORD if entry.result else ir.VoidType()
    function = ir.Function(module, ir.FunctionType(returned, kinds + [_WORD] * len(entry.sizes)), entry.symbol)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    for given, name in zip(function.args, [*entry.arguments, *entry.sizes]):
        given.name = name
    status, value = _call(context, builder, module, entry, result, list(function.args))
    with builder.if_then(status.is_error, likely=False):  # only with NUMBA_BOUNDSCHECK
        builder.call(cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), []), "llvm.trap"), [])
    if entry.result:
        builder.ret(value)
    else:
        builder.ret_void()
    return entry.symbol


def _add_function_of_words(context: Any, module: Any, entry: Entry, result: Any) -> str:
    """Add the C function that takes an array of words and returns whether the entry has raised. Returns its name."""
    name = f"{entry.symbol}_words"
    function = ir.Function(module, ir.FunctionType(_STATUS, [_WORD.as_pointer()]), name)
    [words] = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    given = []
    for place in range(1, 1 + len(entry.arguments) + len(entry.sizes)):
        word = builder.load(builder.gep(words, [_WORD(place)]))
        argument = list(entry.arguments.values())[place - 1] if place <= len(entry.arguments) else None
        given.append(builder.inttoptr(word, _BYTES) if isinstance(argument, Array) else word)
    status, value = _call(context, builder, module, entry, result, given)
    if entry.result:
        builder.store(value, words)
    builder.ret(builder.zext(status.is_error, _STATUS))
    return name


def _call(context: Any, builder: Any, module: Any, entry: Entry, result: Any, given: list[Any]) -> tuple[Any, Any]:
    """Call a lowered entry with Numba's calling convention. Returns its status and, as a word, its result."""
    descriptor = result.fndesc
    sizes = dict(zip(entry.sizes, given[len(entry.arguments) :]))
    values = []
    for argument, kind, value in zip(entry.arguments.values(), descriptor.argtypes, given):
        values.append(_array(context, builder, argument, kind, value, sizes) if isinstance(argument, Array) else value)
    convention = context.call_conv
    callee_type = convention.get_function_type(descriptor.restype, descriptor.argtypes)
    callee = cgutils.get_or_insert_function(module, callee_type, descriptor.llvm_func_name)
    status, value = convention.call_function(builder, callee, descriptor.restype, descriptor.argtypes, values)
    is_whole = isinstance(descriptor.restype, (types.Integer, types.Boolean))
    if not (is_whole if entry.result else descriptor.restype == types.none):
        raise TypeError(
            f"{entry.name} of {entry.library.name} returns {descriptor.restype}, which differs from its declaration"
        )
    return status, context.cast(builder, value, descriptor.restype, types.int64) if entry.result else value


def _array(context: Any, builder: Any, argument: Array, kind: Any, address: Any, sizes: Mapping[str, Any]) -> Any:
    """A contiguous array at an address, as Numba's array structure."""
    array = context.make_array(kind)(context, builder)
    shape = [sizes[dim] if isinstance(dim, str) else _WORD(dim) for dim in argument.dims]
    step = _WORD(argument.dtype.itemsize)
    strides: list[Any] = []
    for extent in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    populate_array(
        array,
        data=builder.bitcast(address, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=_WORD(argument.dtype.itemsize),
        meminfo=None,
    )
    return array._getvalue()


def _emitted(library: Library, module: Any, cpu: str) -> bytes:
    """Optimize the module for a kind of processor, and emit it as an object file."""
    native = cpu == processor() or processor().startswith("x86") == cpu.startswith("x86")
    triple = llvm.get_process_triple() if native else f"{cpu.split('-')[0].replace('x86', 'x86_64')}-unknown-linux-gnu"
    if not native:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu if cpu.startswith("x86") else "", opt=3, reloc="pic", codemodel="default"
    )
    module.triple, module.data_layout = triple, str(machine.target_data)
    options = {"opt": 3, "loop_vectorize": True, "slp_vectorize": False}
    builder = create_pass_builder(machine, **options)
    builder.getModulePassManager().run(module, builder)
    _refuse_others(module, library)
    content: bytes = machine.emit_object(module)
    return content


STRIPPED = ("-s",) if sys.platform == "linux" else ()  # removes the names of internal functions


def _library_of(content: bytes) -> tuple[str, bytes]:
    """Link an object file to a library. Returns the suffix and the content of the library's file.

    Without a linker, these are the suffix and the content of the object file.
    """
    compiler, *options = shlex.split(os.environ.get("CC", "")) or ["cc"]
    linker = shutil.which(compiler)
    if linker is None:
        return SUFFIXES[-1], content
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "library.o"), Path(folder, f"library{SUFFIXES[0]}")
        before.write_bytes(content)
        made = subprocess.run(
            [linker, *options, "-shared", *STRIPPED, "-o", str(after), str(before), "-lm"],
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if made.returncode:
            return SUFFIXES[-1], content
        return SUFFIXES[0], after.read_bytes()
