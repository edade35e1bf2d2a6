"""Makes WebAssembly from the parts of libraries: one module for a browser or for Node.

    entries -> parts (lowering.py, parts.py) -> one LLVM module (build.py) -> object for wasm32 -> wasm-ld -> module

Numba lowers functions for 64-bit pointers on every machine that it supports, and LLVM has already written sizes and
offsets of structures with pointers into the parts. To keep these valid, pointers have 32 bits here but are aligned to
64 (`_POINTERS_APART`), so that each has the same offset as on a 64-bit machine. Offsets are cut to the 32 bits of an
address. States and observations contain no pointers, so their bytes are the same on all targets.

A module exports its memory and a function for each entry. Arguments that are arrays are addresses (numbers), whole
numbers are BigInts. The memory from `__heap_base` on belongs to the caller. Mathematical functions of C are imported
from `env`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
from numba.core.compiler_lock import global_compiler_lock

from banakil_env.core.jit.build import linked, lowered
from banakil_env.core.jit.lowering import KNOWN

if TYPE_CHECKING:
    from banakil_env.core.jit.library import Entry

if KNOWN:
    from numba.core.codegen import create_pass_builder

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"  # supported by every browser since 2021
IMPORTED = ("exp", "log", "pow", "fmod", "strlen")  # C functions that the caller provides in a few lines of JavaScript
LINKERS = ("wasm-ld", *(f"wasm-ld-{version}" for version in range(25, 13, -1)))
_POINTERS, _POINTERS_APART = "-p:32:32-", "-p:32:64-"  # 32 bits wide, aligned to 32 or to 64 bits
STACK = 1 << 20  # bytes; work arrays are on the stack


class NoLinker(OSError):
    """There is no linker for WebAssembly; the message says how to install one."""


def build_webassembly(entries: Iterable[Entry]) -> bytes:
    """Compile functions of one or of several libraries to a WebAssembly module.

    Raises:
        NoLinker: there is no `wasm-ld`.
        TypeError: a function calls something that is not available in a module.
    """
    linker = linker_path()
    with global_compiler_lock:
        made = lowered(entries)
        module = llvm.parse_assembly(_for_target(str(linked(made, words=False))))
        content = _emitted(module)
    return _module_of(linker, content, [entry.symbol for entry, _ in made])


def _for_target(text: str) -> str:
    """Change the text of an LLVM module from this machine's target to WebAssembly.

    Raises:
        TypeError: this version of LLVM lays out data for WebAssembly in another way.
    """
    layout = str(_machine().target_data)
    if _POINTERS not in layout:
        raise TypeError(f"this LLVM has a different data layout for WebAssembly: expected {_POINTERS!r} in {layout}")
    for name, value in (("triple", TRIPLE), ("datalayout", layout.replace(_POINTERS, _POINTERS_APART))):
        text = re.sub(rf"^target {name} = .*$", f'target {name} = "{value}"', text, flags=re.MULTILINE)
    return text


def _machine() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=2, reloc="static", codemodel="default", features=FEATURES)


def _emitted(module: Any) -> bytes:
    """The optimized module as an object file; optimized for size, since browsers download it."""
    machine = _machine()
    options = {"opt": 2, "loop_vectorize": False, "slp_vectorize": False}
    builder = create_pass_builder(machine, **options)
    builder.getModulePassManager().run(module, builder)
    content: bytes = machine.emit_object(module)
    return content


def linker_path() -> str:
    """The path of wasm-ld, or of the linker that the environment variable WASM_LD names.

    Raises:
        NoLinker: there is no such linker.
    """
    names = [os.environ["WASM_LD"]] if os.environ.get("WASM_LD") else LINKERS
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise NoLinker(
            f"there is no {names[0]}, which links WebAssembly: install LLVM's linker (on Debian and Ubuntu: "
            "apt install lld), or name it in the environment variable WASM_LD"
        )
    return found


def _module_of(linker: str, content: bytes, symbols: Sequence[str]) -> bytes:
    """Link an object file to a module that exports these functions.

    Raises:
        TypeError: the file cannot be linked.
    """
    with tempfile.TemporaryDirectory() as folder:
        before, allowed, after = Path(folder, "entries.o"), Path(folder, "imported"), Path(folder, "module.wasm")
        before.write_bytes(content)
        allowed.write_text("\n".join(IMPORTED))
        made = subprocess.run(
            [
                *(
                    linker,
                    "--no-entry",
                    "--gc-sections",
                    "--strip-all",
                    "-O2",
                    "-z",
                    f"stack-size={STACK}",
                    "--stack-first",
                ),
                *(f"--allow-undefined-file={allowed}", *(f"--export={symbol}" for symbol in symbols)),
                *("--export=__heap_base", "-o", str(after), str(before)),
            ],
            capture_output=True,
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if made.returncode:
            raise TypeError(f"the entries cannot be linked as WebAssembly: {made.stderr.strip()}")
        return after.read_bytes()
