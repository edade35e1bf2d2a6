"""Makes GPU kernels from library functions: PTX, with one thread per row.

A kernel has the arguments of the function's C interface. Its threads share the rows: a function that takes an array of
row numbers gets one of these numbers per thread, and any other function gets one row of each of its arrays. The code is
that of the library before optimization; a GPU needs no other source. On a machine without a GPU the same module is
compiled for the processor, with the number of the thread in a variable, so that kernels can be compared with the
library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
from numba.core.compiler_lock import global_compiler_lock

from banakil_env.core.jit.build import linked, lowered
from banakil_env.core.jit.lowering import KNOWN

if TYPE_CHECKING:
    from banakil_env.core.jit.library import Entry

if KNOWN:
    from numba.core.codegen import create_pass_builder

TRIPLE = "nvptx64-nvidia-cuda"
_LAYOUT = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

# The number of a thread: on a GPU its place in the grid, otherwise the value that the caller writes into a variable.
_ON_GPU = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define internal i64 @banakil_thread() alwaysinline {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %size
  %number = add i32 %before, %tid
  %wide = zext i32 %number to i64
  ret i64 %wide
}
"""
_HERE = """
@banakil_thread_number = global i64 0
define internal i64 @banakil_thread() {
  %number = load i64, ptr @banakil_thread_number
  ret i64 %number
}
"""


def ptx_of(entries: Sequence[Entry], chip: str) -> bytes:
    """The kernels of functions of one library, as PTX text for a kind of GPU (`sm_90`)."""
    module = _module(entries, TRIPLE, _LAYOUT, "ptx_kernel", _ON_GPU)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=chip, opt=3)
    _optimise(module, machine)
    text: str = machine.emit_assembly(module)
    return text.encode()


def object_of(entries: Sequence[Entry]) -> bytes:
    """The same kernels as an object file for this processor; the thread's number is the variable
    `banakil_thread_number`.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3, reloc="pic", codemodel="default")
    module = _module(entries, llvm.get_process_triple(), str(machine.target_data), "", _HERE)
    _optimise(module, machine)
    content: bytes = machine.emit_object(module)
    return content


def _module(entries: Sequence[Entry], triple: str, layout: str, convention: str, thread: str) -> Any:
    """An LLVM module with the functions and a kernel for each; only the kernels are visible from outside.

    Args:
        entries: the functions.
        triple, layout: the target and its data layout, in LLVM's form.
        convention: the calling convention of the kernels.
        thread: the LLVM text of the function `banakil_thread`, which returns the number of the thread.
    """
    with global_compiler_lock:
        text = str(linked(lowered(entries), words=False))
    text = re.sub(r"^target triple = .*$", f'target triple = "{triple}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{layout}"', text, flags=re.MULTILINE)
    text = re.sub(r"^\s*(tail )?call void @llvm\.prefetch\..*$", "", text, flags=re.MULTILINE)  # PTX has no prefetch
    text = re.sub(r'\bc"[^"]*"|@"([^"]+)"|@([\w.$]+)', _plain_name, text)  # c"...": the bytes of a table, unchanged
    module = llvm.parse_assembly(text + thread + "".join(_kernel(entry, convention) for entry in entries))
    kept = {entry.kernel for entry in entries}
    for function in module.functions:
        if not function.is_declaration and function.name not in kept:
            function.linkage = "internal"
    module.verify()
    return module


def _plain_name(match: re.Match[str]) -> str:
    """Replace the characters of a name that PTX does not allow: it allows letters, digits and underscores."""
    name = match[1] or match[2]
    return match[0] if name is None or name.startswith("llvm.") else "@" + re.sub(r"\W", "_", name)


def _kernel(entry: Entry, convention: str) -> str:
    """The LLVM text of a kernel, which calls the entry's function with the thread's row, if there is such a row.

    `convention` is the calling convention of the kernel.
    """
    arguments: dict[str, Any] = dict(entry.arguments)
    arrays = [name for name, argument in arguments.items() if hasattr(argument, "dims")]
    numbers_of_rows = [name for name in arrays if arguments[name].below]
    count = arguments[numbers_of_rows[0]].dims[0] if numbers_of_rows else entry.sizes[0]
    moved = numbers_of_rows or [name for name in arrays if arguments[name].dims[0] == count]
    declared = [f"{'ptr' if name in arrays else 'i64'} %a.{name}" for name in arguments]
    declared += [f"i64 %s.{size}" for size in entry.sizes]
    given = [f"{'ptr' if name in arrays else 'i64'} %{'m' if name in moved else 'a'}.{name}" for name in arguments]
    given += [f"i64 {'1' if size == count else f'%s.{size}'}" for size in entry.sizes]
    called = f"call {'i64' if entry.result else 'void'} @{entry.symbol}({', '.join(given)})"
    lines = [
        f"define {convention} void @{entry.kernel}({', '.join(declared)}) {{",
        "  %thread = call i64 @banakil_thread()",
        f"  %there = icmp ult i64 %thread, %s.{count}",
        "  br i1 %there, label %go, label %done",
        "go:",
        *(line for name in moved for line in _moved(name, arguments[name])),
        f"  {'%result = ' if entry.result else ''}{called}",
        "  br label %done",
        "done:",
        "  ret void",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _moved(name: str, argument: Any) -> list[str]:
    """The lines of LLVM text that compute the address of the thread's row of the array argument `name`."""
    lines = [f"  %b0.{name} = mul i64 %thread, {argument.dtype.itemsize}"]
    for i, dim in enumerate(argument.dims[1:]):
        lines.append(f"  %b{i + 1}.{name} = mul i64 %b{i}.{name}, {dim if isinstance(dim, int) else f'%s.{dim}'}")
    lines.append(f"  %m.{name} = getelementptr i8, ptr %a.{name}, i64 %b{len(argument.dims) - 1}.{name}")
    return lines


def _optimise(module: Any, machine: Any) -> None:
    builder = create_pass_builder(machine, opt=3, loop_vectorize=False, slp_vectorize=False)
    builder.getModulePassManager().run(module, builder)
