"""Loads an object file where there is no linker: with llvmlite, without Numba."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

_opened: list[Any] = []  # engines, which own the memory of the code


def addresses_in(path: Path, symbols: Mapping[str, str]) -> Mapping[str, int]:
    """Load an object file. Returns the addresses of its functions, under the keys of `symbols`.

    The values of `symbols` are the names of the functions in the file.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(reloc="pic", codemodel="default")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_path(str(path)))
    engine.finalize_object()
    _opened.append(engine)
    return {name: engine.get_function_address(symbol) for name, symbol in symbols.items()}
