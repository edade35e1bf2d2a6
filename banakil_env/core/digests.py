"""Digests of functions, classes and values that are the same in every process and on every machine.

A digest covers the parts of a value. For a function these are its code, its defaults and the values of its global
names, including the functions that it calls; for an object, its class and its values as `pickle` would write them; for
an array, its bytes.

Code of the user is covered completely: every file that names lead to. Code of libraries and of this package is covered
by its name alone: the version of this package is stored with every digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from banakil_env.core.game import Game
from banakil_env.core.identity import Identity, digest_of_file
from banakil_env.core.release import PACKAGE

LONG = 2000  # limit in bits; Python can refuse to write longer whole numbers in decimal digits
_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...))
_LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def digest_of(value: Any) -> str:
    """The SHA-256 digest of a value, 64 hexadecimal digits.

    A part that `pickle` cannot write, such as an open file, is represented by its class alone.
    """
    return _Digests().of(value).hex()


class _Digests:
    """Computes the digest of a value and remembers those of its parts."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, bytes]] = {}  # by id: the value, kept alive, and its digest
        self._open: list[int] = []  # the ids of the values that contain the current one

    def of(self, value: Any) -> bytes:
        if type(value) is int and value.bit_length() > LONG:
            return _hash("int", hex(value))
        if type(value) in _PLAIN:
            return _hash(type(value).__name__, repr(value))
        key = id(value)
        if key in self._known:
            return self._known[key][1]
        if key in self._open:
            return _hash("within itself", str(len(self._open) - self._open.index(key)))
        self._open.append(key)
        try:
            found = self._of_parts(value)
        except RecursionError:
            found = _hash("too deep", _name_of(type(value)))
        finally:
            self._open.pop()
        self._known[key] = value, found
        return found

    def _all(self, *values: Any) -> bytes:
        return b"".join(self.of(value) for value in values)

    def _of_parts(self, value: Any) -> bytes:
        if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
            return _hash("array", f"{value.dtype.descr} {value.shape}", np.ascontiguousarray(value).tobytes())
        if isinstance(value, np.dtype) and not value.hasobject:
            return _hash("dtype", repr(value.descr), str(value.itemsize))
        if type(value) in (tuple, list):
            return _hash(type(value).__name__, self._all(*value))
        if type(value) is dict:
            return _hash("dict", *sorted(self._all(*item) for item in value.items()))
        if type(value) in (set, frozenset):
            return _hash("set", *sorted(map(self.of, value)))
        function = getattr(value, "py_func", value)  # the Python function of a compiled function
        if isinstance(function, FunctionType):
            return self._of_function(function)
        if isinstance(value, ModuleType):
            return _hash("module", value.__name__, *_file_of(getattr(value, "__file__", None)))
        if isinstance(value, type):
            return self._of_class(value)
        if isinstance(value, (staticmethod, classmethod)):
            return self.of(value.__func__)
        if isinstance(value, property):
            return _hash("property", self._all(value.fget, value.fset, value.fdel))
        if isinstance(value, Game):  # games are identified by their id; the digests of players cover their behavior
            return _hash("game", value.id)
        if isinstance(value, MethodType):
            return _hash("method", self._all(value.__func__, value.__self__))
        if isinstance(value, BuiltinMethodType) and not isinstance(value.__self__, ModuleType):
            return _hash("method", value.__name__, self.of(value.__self__))
        if hasattr(value, "__wrapped__"):  # such as a function with a cache
            return _hash("wrapped", self.of(value.__wrapped__))
        return self._of_object(value)

    def _of_object(self, value: Any) -> bytes:
        own = None
        with contextlib.suppress(Exception):  # the class can have a method of that name with another meaning
            own = identity_said(value)
        if own is not None:
            return _hash("player", own.digest)
        if hasattr(value, "__qualname__") and hasattr(value, "__module__"):  # a built-in function
            return _hash("name", _name_of(value))
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            return _hash("class", self.of(type(value)))
        if isinstance(reduced, str):
            return _hash("name", _name_of(type(value)), reduced)
        made, arguments, *rest = reduced
        parts = [list(part) if isinstance(part, Iterator) else part for part in rest]
        return _hash("object", self._all(made, arguments, *parts))

    def _of_function(self, function: FunctionType) -> bytes:
        code = function.__code__
        if not _is_own(code.co_filename):
            return _hash("name", _name_of(function))
        name, line = function.__qualname__, str(code.co_firstlineno)
        text: list[str | bytes] = [*_file_of(code.co_filename), name, line, _bytes_of(code)]
        meanings = sorted(_meanings(function).items())
        cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
        parts = [part for name, value in meanings for part in (name, self.of(value))]
        return _hash("function", *text, self._all(function.__defaults__, function.__kwdefaults__, cells), *parts)

    def _of_class(self, value: type) -> bytes:
        file = getattr(sys.modules.get(value.__module__), "__file__", None)
        if not _is_own(file) and value.__module__ not in ("__main__", "__mp_main__"):
            return _hash("name", _name_of(value))
        members = [
            (name, member)
            for name, member in sorted(vars(value).items())
            if not name.startswith("__") or isinstance(member, (FunctionType, staticmethod, classmethod, property))
        ]
        parts = [part for name, member in members for part in (name, self.of(member))]
        return _hash("class", value.__qualname__, *_file_of(file), self._all(*value.__bases__), *parts)


def identity_said(value: Any) -> Identity | None:
    """The identity that an object declares by its method `identity`; None if it declares none."""
    method = getattr(type(value), "identity", None)
    said = method(value) if callable(method) else None
    return said if isinstance(said, Identity) else None


def _hash(*parts: str | bytes) -> bytes:
    """The SHA-256 digest of texts and bytes, each preceded by its length."""
    found = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "backslashreplace") if isinstance(part, str) else part
        found.update(len(content).to_bytes(8, "little") + content)
    return found.digest()


def _name_of(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"


def _is_own(file: str | None) -> bool:
    """Whether a source file belongs to the user, and not to this package, the standard library or a library."""
    if file is None or file.startswith("<frozen"):
        return False
    path = Path(file)
    installed = file.startswith(_LIBRARIES) or {"site-packages", "dist-packages"} & set(path.parts)
    return not installed and not path.is_relative_to(PACKAGE)


def _file_of(file: str | None) -> tuple[str, ...]:
    """A tuple with the digest of the user's file at this path; () for other files and for code typed at a prompt."""
    return (digest_of_file(file),) if file and _is_own(file) and Path(file).is_file() else ()


def _meanings(function: FunctionType) -> dict[str, Any]:
    """The values of the global names that a function uses, and of its names of the form `module.name`."""
    names = set(_names_in(function.__code__))
    found = {name: function.__globals__[name] for name in names if name in function.__globals__}
    for module_name, module in list(found.items()):
        if isinstance(module, ModuleType):
            found |= {f"{module_name}.{name}": vars(module)[name] for name in names if name in vars(module)}
    return found


def _names_in(code: CodeType) -> Iterator[str]:
    """The global names in the code of a function and of its inner functions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:  # the variable has no value yet
        return False


def _bytes_of(code: CodeType) -> bytes:
    """A digest of the bytecode: the only content of a function that was typed at a prompt."""
    constants = [each for each in code.co_consts if not isinstance(each, (CodeType, frozenset))]
    inner = [_bytes_of(each) for each in code.co_consts if isinstance(each, CodeType)]
    return _hash(code.co_code, repr(code.co_names), repr(constants), *inner)
