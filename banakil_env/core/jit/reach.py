"""Finds the sources of a function's machine code: the functions that it reaches, their files and their constants."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from banakil_env.core.jit.sources import JIT, JIT_SOURCES, Sources

# Returns the functions and constants that compiled code can call through a hook (`core/hooks.py`).
MeaningsOf = Callable[[Any], Iterable[Any]]


class MadeOf:
    """The sources of the machine code of some compiled functions.

    Attributes:
        functions: these functions, and all functions that they reach.
        sources: `core/jit/` and the files of the functions.
        digest: digest of the content of the sources.
        meaning: digest of how each function is compiled, of the constants that it uses, and of the constants that hooks
            resolve to; the same for all versions of Python and NumPy.
        bytecode: digest of the bytecode of the functions.

    Args:
        compiled: the compiled functions.
        meanings_of: returns what a hook can resolve to.
    """

    def __init__(self, compiled: Iterable[Any], meanings_of: MeaningsOf) -> None:
        found_options = with_callees(compiled, meanings_of)
        self.functions = list(found_options)
        found: dict[Path, Sources] = {JIT: JIT_SOURCES}
        for file in {each.__code__.co_filename for each in self.functions}:
            path = Path(file)
            if path.is_file():
                found[path] = Sources.of_root(path)
        self.sources = [found[root] for root in sorted(found)]
        digests = "".join(sources.digest for sources in self.sources)
        # The first 20 hexadecimal digits: a whole digest would make file names too long.
        self.digest = hashlib.sha256(digests.encode()).hexdigest()[:20]
        meanings, bytecodes = [], []
        for each, options in found_options.items():
            constants = fingerprint(constants_of(each)), _constants_of_hooks(each, meanings_of)
            meanings.append(repr((each.__module__, each.__qualname__, options, *constants)))
            bytecodes.append(repr((each.__module__, each.__qualname__, *bytecode_of(each.__code__))))
        self.meaning, self.bytecode = (
            # Sorted, because functions are found in the order of names in bytecode, which depends on the version of
            # Python.
            hashlib.sha256(repr(sorted(described)).encode()).hexdigest()
            for described in (meanings, bytecodes)
        )

    def are_as_first_seen(self) -> bool:
        """Whether no source has been edited since this process read it."""
        return all(sources.are_as_first_seen() for sources in self.sources)

    def can_be_kept(self) -> bool:
        """Whether machine code of these functions can be stored on disk.

        Every function must have a file, and none can be a closure: two closures cannot be distinguished.
        """
        return all(
            function.__closure__ is None and Path(function.__code__.co_filename).is_file()
            for function in self.functions
        )


def is_hook(value: Any) -> bool:
    """Whether a value is a hook of `core/hooks.py`, which this package recognizes by its attributes alone."""
    return hasattr(value, "fills") and hasattr(value, "default")


def _constants_of_hooks(function: FunctionType, meanings_of: MeaningsOf) -> list[tuple[str, int | str]]:
    """The constants that the hooks of a function can resolve to, with the names of the hooks."""
    return [
        (name, meaning.value)
        for name, value in sorted(globals_used_by(function).items(), key=lambda item: item[0])
        if is_hook(value)
        for meaning in meanings_of(value)
        if hasattr(meaning, "value")
    ]


def with_callees(compiled: Iterable[Any], meanings_of: MeaningsOf) -> dict[FunctionType, str]:
    """Compiled functions and all compiled functions that they reach by a global name or as `module.name`.

    Args:
        compiled: the functions to start from.
        meanings_of: returns what a hook can resolve to.

    Returns:
        The functions as plain Python, each with the options with which it is compiled, as text.
    """
    found: dict[FunctionType, str] = {}
    waiting = list(compiled)
    for caller in waiting:  # the list grows during the loop
        function = getattr(caller, "py_func", None)
        if not isinstance(function, FunctionType) or function in found:
            continue
        found[function] = repr(sorted(getattr(caller, "targetoptions", {}).items()))
        for value in globals_used_by(function).values():
            waiting.extend(meanings_of(value) if is_hook(value) else [value])
    return found


def records_in(dtypes: Iterable[np.dtype[Any]]) -> set[np.dtype[Any]]:
    """The record dtypes among some dtypes, and those of their fields."""
    found: set[np.dtype[Any]] = set()
    for dtype in dtypes:
        base = dtype.base
        if base.fields is not None and base not in found:
            found |= {base} | records_in(field[0] for field in base.fields.values())
    return found


def meanings_among(dtypes: Iterable[np.dtype[Any]]) -> MeaningsOf:
    """A function that returns everything that a hook can resolve to, given records of these dtypes and of their fields.

    A hook resolves to its default, or to a function or constant that a game has filled in.
    """
    records = records_in(dtypes)

    def meanings_of(hook: Any) -> list[Any]:
        found = [meaning for dtype, meaning in hook.fills.items() if dtype in records]
        return found if hook.default is None else [hook.default, *found]

    return meanings_of


def bytecode_of(code: CodeType) -> tuple[bytes, tuple[str, ...], str]:
    """The bytecode of a function, its names and its constants.

    The bytecode can be older than the file: Python's own cache compares only the size of the file and the second of its
    last change.
    """
    constants = [bytecode_of(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.co_code, code.co_names, repr(constants)


def constants_of(function: FunctionType) -> dict[str, Any]:
    """The global values other than functions that `function` can use: Numba puts these values into the machine code."""
    kinds = (bool, int, float, complex, str, bytes, tuple, np.generic, np.ndarray, np.dtype)
    found = {name: value for name, value in globals_used_by(function).items() if isinstance(value, kinds)}
    return found | {"defaults": function.__defaults__, "keyword defaults": function.__kwdefaults__}


def globals_used_by(function: FunctionType) -> dict[str, Any]:
    """The possible values of the global names of `function`, and of names of the form `module.name`."""
    used = function.__code__.co_names
    found = {name: function.__globals__[name] for name in used if name in function.__globals__}
    for module_name, module in list(found.items()):
        if isinstance(module, ModuleType):
            found |= {f"{module_name}.{name}": vars(module)[name] for name in used if name in vars(module)}
    return found


def fingerprint(names: dict[str, Any]) -> str:
    """Eight hexadecimal digits that differ if a name refers to another function or value."""
    meanings = []
    for name, value in sorted(names.items()):
        function = getattr(value, "__wrapped__", value)
        if isinstance(function, FunctionType):
            meaning: object = (function.__module__, function.__qualname__, function.__code__.co_firstlineno)
        elif isinstance(value, np.ndarray):
            meaning = (layout_of(value.dtype), value.shape, hashlib.sha256(value.tobytes()).hexdigest())
        else:
            meaning = _plain(value)
        meanings.append((name, meaning))
    return hashlib.sha256(repr(meanings).encode()).hexdigest()[:8]


def _plain(value: Any) -> Any:
    """A constant in a form whose `repr` is the same in all versions of NumPy."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, np.generic) and value.dtype.fields is None:
        return value.dtype.str, value.item()
    return layout_of(value) if isinstance(value, np.dtype) else value


def layout_of(dtype: np.dtype[Any]) -> tuple[Any, ...]:
    """The layout of a dtype in compiled code: the name, offset and layout of each field."""
    fields = [(name, found[1], layout_of(found[0])) for name, found in (dtype.base.fields or {}).items()]
    return dtype.base.str, dtype.shape, dtype.itemsize, dtype.isalignedstruct, fields
