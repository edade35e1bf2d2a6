"""What is the machine code of a function made of? The functions that it reaches, their files and their constants."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from banakil_env.core.jit.meanings.hooks import HookType, meanings_among
from banakil_env.core.jit.sources import JIT, JIT_SOURCES, Sources
from banakil_env.core.jit.symbols import fingerprint


class MadeOf:
    """What the code of a function is made of, for arguments with these records.

    Attributes:
        functions: the function and all functions that it reaches. sources: `core/jit/` and their files.
        digest: of the content of the sources. meaning: digest of the bytecode of the functions, of the constants that
            they use, and of the numbers that hooks stand for.
    """

    def __init__(self, function: FunctionType, records: Iterable[Any]) -> None:
        self.functions = with_callees(function, records)
        found: dict[Path, Sources] = {JIT: JIT_SOURCES}
        for each in self.functions:
            file = Path(each.__code__.co_filename)
            if file.is_file():
                found[file] = Sources.of_root(file)
        self.sources = [found[root] for root in sorted(found)]
        digests = "".join(sources.digest for sources in self.sources)
        # The first 20 hex digits: a whole digest makes the names of the files too long.
        self.digest = hashlib.sha256(digests.encode()).hexdigest()[:20]
        meaning = hashlib.sha256()
        for each in self.functions:
            meaning.update(repr((bytecode_of(each), fingerprint(constants_of(each)))).encode())
            meaning.update(repr(_numbers_of_hooks(each, records)).encode())
        self.meaning = meaning.hexdigest()


def _numbers_of_hooks(function: FunctionType, records: Iterable[Any]) -> list[tuple[str, int | str]]:
    """The constants that the hooks of a function stand for, with their names."""
    return [
        (name, meaning.value)
        for name, value in sorted(globals_used_by(function).items(), key=lambda item: item[0])
        if isinstance(getattr(value, "_numba_type_", None), HookType)
        for meaning in meanings_among(value, records)
        if hasattr(meaning, "value")
    ]


def records_in(signature: Any) -> Iterator[Any]:
    """The record types in the types of arguments: of arrays, of items of tuples and of fields of records too."""
    for kind in signature:
        if isinstance(kind, numba.types.BaseTuple):
            yield from records_in(kind)
        elif not isinstance(kind, numba.types.Record):  # a record has a `dtype` too, NumPy's
            kind = getattr(kind, "dtype", kind)
        if isinstance(kind, numba.types.Record):
            yield kind
            yield from records_in(field.type for field in kind.fields.values())


def with_callees(function: FunctionType, records: Iterable[Any] = ()) -> list[FunctionType]:
    """`function` and the compiled functions that it calls by a global name or as `module.name`, and those they call.

    A hook (`core/hooks.py`) stands for the functions that it means for these types of records.
    """
    found, records = [function], list(records)
    for caller in found:  # grows while it is walked
        for value in globals_used_by(caller).values():
            is_hook = isinstance(getattr(value, "_numba_type_", None), HookType)
            for meaning in meanings_among(value, records) if is_hook else [value]:
                callee = getattr(meaning, "py_func", None)
                if isinstance(callee, FunctionType) and callee not in found:
                    found.append(callee)
    return found


def bytecode_of(function: FunctionType) -> tuple[bytes, tuple[str, ...], str]:
    """What is compiled. It is older than the file where Python's own cache missed an edit: that cache compares only the
    file's size and the second of its last change.
    """
    code = function.__code__
    constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    return code.co_code, code.co_names, repr(constants)


def constants_of(function: FunctionType) -> dict[str, Any]:
    """The global values that `function` may use, except functions: Numba puts the values in the machine code."""
    kinds = (bool, int, float, complex, str, bytes, tuple, np.generic, np.ndarray, np.dtype)
    found = {name: value for name, value in globals_used_by(function).items() if isinstance(value, kinds)}
    return found | {"defaults": function.__defaults__, "keyword defaults": function.__kwdefaults__}


def globals_used_by(function: FunctionType) -> dict[str, Any]:
    """The possible meanings of the global names of `function`, and of `module.name`."""
    used = function.__code__.co_names
    found = {name: function.__globals__[name] for name in used if name in function.__globals__}
    for module_name, module in list(found.items()):
        if isinstance(module, ModuleType):
            found |= {f"{module_name}.{name}": vars(module)[name] for name in used if name in vars(module)}
    return found
