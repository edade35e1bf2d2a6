"""Makes WebAssembly of entries: from the parts of a library, in one module for a browser or for Node.

    entries -> parts (lowering.py, parts.py) -> one LLVM module (build.py) -> object for wasm32 -> wasm-ld -> module

The parts are lowered for pointers of 64 bits, as Numba has it on every machine that it knows, and LLVM has written
sizes and offsets of structures with pointers into them. So that these hold here, pointers have 32 bits but are aligned
to 64 (`_POINTERS_APART`): they lie where they lie on a machine of 64 bits. Offsets are cut to the 32 bits of an
address. States and observations hold no pointers, so that their bytes are the same everywhere.

A module exports its memory and a function for each entry: arrays are addresses (numbers), whole numbers are BigInts.
Above `__heap_base` the memory belongs to the caller. Mathematical functions of C are taken from the import `env`.
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
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"  # in every browser since 2021
IMPORTED = ("exp", "log", "pow", "fmod", "strlen")  # functions of C, which the caller brings in few lines of JavaScript
LINKERS = ("wasm-ld", *(f"wasm-ld-{version}" for version in range(25, 13, -1)))
_POINTERS, _POINTERS_APART = "-p:32:32-", "-p:32:64-"  # 32 bits wide, and aligned to 32 or to 64 bits
STACK = 1 << 20  # bytes; work arrays lie there


class NoLinker(OSError):
    """There is no linker for WebAssembly; the text says how to get one."""


def build_webassembly(entries: Iterable[Entry]) -> bytes:
    """A WebAssembly module with these entries, of one or of several libraries.

    Raises:
        NoLinker: there is no `wasm-ld`. TypeError: an entry calls what a module cannot have.
    """
    linker = linker_path()
    with global_compiler_lock:
        made = lowered(entries)
        module = llvm.parse_assembly(_for_target(str(linked(made, words=False))))
        content = _emitted(module)
    return _module_of(linker, content, [entry.symbol for entry, _ in made])


def _for_target(text: str) -> str:
    """The text of an LLVM module, for the target instead of this machine."""
    layout = str(_machine().target_data)
    if _POINTERS not in layout:
        raise TypeError(f"LLVM lays out WebAssembly in another way than {_POINTERS!r}: {layout}")
    for name, value in (("triple", TRIPLE), ("datalayout", layout.replace(_POINTERS, _POINTERS_APART))):
        text = re.sub(rf"^target {name} = .*$", f'target {name} = "{value}"', text, flags=re.MULTILINE)
    return text


def _machine() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=2, reloc="static", codemodel="default", features=FEATURES)


def _emitted(module: Any) -> bytes:
    """The optimised module as an object file; optimised for size, since it is sent and opened by a browser."""
    machine = _machine()
    options = {"opt": 2, "loop_vectorize": False, "slp_vectorize": False}
    builder = create_pass_builder(machine, **options)
    builder.getModulePassManager().run(module, builder)
    content: bytes = machine.emit_object(module)
    return content


def linker_path() -> str:
    """The path of wasm-ld; the environment variable WASM_LD can name it. NoLinker: there is none."""
    names = [os.environ["WASM_LD"]] if os.environ.get("WASM_LD") else LINKERS
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise NoLinker(
            f"there is no {names[0]}, which links WebAssembly: install LLVM's linker (on Debian and Ubuntu: "
            "apt install lld), or name it in the environment variable WASM_LD"
        )
    return found


def _module_of(linker: str, content: bytes, symbols: Sequence[str]) -> bytes:
    """An object file as a module that exports these functions."""
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
