"""Which functions does Python call in machine code? Entries, declared with their arguments, in libraries.

A library is one file of machine code with a plain C interface: no symbol of Python or of Numba is in it. It is declared
by one function, which adds its entries:

    @functools.cache
    def kernels_of(game):
        declare = Library(f"{game.name}_tables").entry
        return Kernels(start_one=declare(_start_one, {"states": written(game.state, 1), "seed": SEED}, start=...), ...)

It is opened when the first of its entries is called. Its file is looked for in the package (a wheel brings it), then in
the folder of what this user has compiled, under a name made of everything that decides its code (`reach.py`). If there
is none, it is built (`build.py`), which needs Numba, once for all processes. Without Numba its functions are plain
Python, with a warning: the same results, a hundred times as slow.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib
import importlib.metadata
import platform
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from banakil_env.core.jit import settings
from banakil_env.core.jit.announce import announce
from banakil_env.core.jit.calling import call_of
from banakil_env.core.jit.decorators import REORDERED, Compiled, bound
from banakil_env.core.jit.files import check_safe, folder, remove_outdated
from banakil_env.core.jit.reach import MadeOf, meanings_among

SHIPPED = Path(__file__).resolve().parents[2] / "native"  # the libraries that a wheel brings
OPEN = None  # in `Entry.bind`: an argument that each call gives

_opening = threading.RLock()
_private = functools.cache(lambda: tempfile.TemporaryDirectory(prefix="banakil-"))  # for what cannot be kept


class Argument:
    """An argument of an entry: an `Array` or a `Number`."""


@dataclass(frozen=True)
class Array(Argument):
    """An argument that is a C-contiguous array.

    Attributes:
        dims: of each dimension the size, or a name for a size that the arrays of an entry share.
        written: the entry writes into it.
    """

    dtype: np.dtype[Any]
    dims: tuple[int | str, ...]
    written: bool


@dataclass(frozen=True)
class Number(Argument):
    """An argument that is a whole number of 64 bits."""

    signed: bool


INT, SEED = Number(signed=True), Number(signed=False)


def read(dtype: Any, *dims: int | str) -> Array:
    """An array that the entry only reads."""
    return Array(np.dtype(dtype), dims, written=False)


def written(dtype: Any, *dims: int | str) -> Array:
    """An array that the entry writes into."""
    return Array(np.dtype(dtype), dims, written=True)


@dataclass(frozen=True, eq=False)
class Entry:
    """A function of a library. It is called like the function that it was declared with.

    Attributes:
        loop: the function as plain Python, bound to its game. compiled: the same, for compiled code to call.
        result: it returns a whole number. long: other threads run during a call.
    """

    library: Library
    name: str
    loop: FunctionType
    compiled: Compiled
    arguments: dict[str, Argument]
    result: bool
    long: bool

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    @functools.cached_property
    def function(self) -> Callable[..., Any]:
        """What calls the machine code, with all arguments checked."""
        return self.bind(*[OPEN] * len(self.arguments))

    def bind(self, *held: Any) -> Callable[..., Any]:
        """The entry with some arguments fixed: arrays are checked once. OPEN stands for those that each call gives.

        Raises:
            TypeError, ValueError: an array that is not as declared.
        """
        address = self.library.address_of(self)
        if address is None:
            return _plainly(self.library.plain(self), held)
        return call_of(address, self.name, self._params, len(self.sizes), self.result, self.long, tuple(held))

    @functools.cached_property
    def sizes(self) -> list[str]:
        """The names of the sizes that its arrays share, in the order of their first use."""
        arrays = [argument for argument in self.arguments.values() if isinstance(argument, Array)]
        return list(dict.fromkeys(dim for array in arrays for dim in array.dims if isinstance(dim, str)))

    @functools.cached_property
    def _params(self) -> tuple[tuple[Any, ...], ...]:
        """The arguments as `calling.function` takes them."""
        found: list[tuple[Any, ...]] = []
        for name, argument in self.arguments.items():
            if not isinstance(argument, Array):
                found.append((name, "u" if argument == SEED else "i"))
                continue
            dims = tuple(dim if isinstance(dim, int) else -1 - self.sizes.index(dim) for dim in argument.dims)
            dtype = argument.dtype
            # Records are packed, and compiled code reads their fields at any address.
            alignment = 1 if dtype.fields else dtype.alignment
            found.append((name, "a", dtype, dtype.itemsize, alignment, argument.written, dims))
        return tuple(found)

    @property
    def symbol(self) -> str:
        """The name of its C function; with `_words` behind it, of the one that takes an array of words."""
        return f"banakil_{self.library.name}_{self.name}"


def _plainly(called: Callable[..., Any], held: tuple[Any, ...]) -> Callable[..., Any]:
    """A function of the arguments that are OPEN."""
    if all(given is OPEN for given in held):
        return called

    def call(*args: Any) -> Any:
        rest = iter(args)
        return called(*[next(rest) if given is OPEN else given for given in held])

    return call


class Library:
    """The entries of one group of loops, such as those of a game that a table needs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries: dict[str, Entry] = {}

    def entry(
        self,
        loop: Callable[..., Any],
        arguments: Mapping[str, Argument],
        *,
        name: str = "",
        result: bool = False,
        long: bool = False,
        reordered: bool = False,
        **names: Any,
    ) -> Entry:
        """Declare an entry.

        Args:
            loop: a plain function; `names` are bound to its globals of these names, as in `jit.bind`.
            arguments: by name, in the order of the loop.
            name: of the entry; "": that of the loop without its underscore.
            result: the loop returns a whole number. long: a call can take long, and other threads run meanwhile.
            reordered: as `jit.reordered`.
        """
        name = name or loop.__name__.lstrip("_")
        source = bound(loop, f"{self.name}_{name}", names)
        how = REORDERED if reordered else {}
        made = Entry(self, name, source, Compiled(source, **how), dict(arguments), result, long)
        self.entries[name] = made
        return made

    def address_of(self, entry: Entry) -> int | None:
        """The address of the C function of an entry that takes words; None: it is called as plain Python."""
        return self._addresses.get(entry.name)

    def plain(self, entry: Entry) -> Callable[..., Any]:
        """What is called in place of machine code of the library."""
        return entry.loop if settings.DISABLED else entry.compiled

    @functools.cached_property
    def _addresses(self) -> Mapping[str, int]:
        if settings.DISABLED:
            return {}
        with _opening:
            path = self.file()
            return {} if path is None else open_library(path, self.entries.values())

    @functools.cached_property
    def made_of(self) -> MadeOf:
        """What the machine code of all entries is made of."""
        dtypes = [
            argument.dtype
            for entry in self.entries.values()
            for argument in entry.arguments.values()
            if isinstance(argument, Array)
        ]
        return MadeOf([entry.loop for entry in self.entries.values()], meanings_among(dtypes))

    def key(self) -> str:
        """A digest of everything that decides the machine code, apart from the content of the sources."""
        declared = [
            (entry.name, repr(entry.arguments), entry.result, repr(entry.compiled.targetoptions))
            for entry in self.entries.values()
        ]
        decides = (declared, self.made_of.meaning, _versions(), processor(), settings.BOUNDSCHECK)
        return hashlib.sha256(repr(decides).encode()).hexdigest()[:20]

    def file(self) -> Path | None:
        """The file with the machine code, which is built if there is none. None: it cannot be built here."""
        shipped = SHIPPED / f"{self.name}.{processor()}{SUFFIXES[0]}"
        if shipped.is_file() and not settings.BOUNDSCHECK:
            return shipped
        kept_in = folder() if self.made_of.can_be_kept() and self.made_of.are_as_first_seen() else None
        where = kept_in or Path(_private().name)
        stem = where / f"{self.name}.{self.made_of.digest}.{self.key()}"
        found = _whole(stem)
        if found is None:
            found = self._build(stem)
            remove_outdated(where, self.name, "", self.made_of.digest)
        return found

    def _build(self, stem: Path) -> Path | None:
        try:
            import filelock

            from banakil_env.core.jit.build import build, can_build
        except ModuleNotFoundError as error:
            package = str(error.name).partition(".")[0]
            if package not in ("numba", "llvmlite", "filelock"):
                raise
            warnings.warn(
                f"there is no compiled library {self.name}, and {package} is missing, which is needed to make one: "
                "its functions run as plain Python, a hundred times as slow. pip install 'banakil-env[compile]'",
                RuntimeWarning,
                stacklevel=2,
            )
            return None
        if not can_build():
            return None
        with filelock.FileLock(stem.with_name(f"{self.name}.lock")):
            found = _whole(stem)  # another process may have made it meanwhile
            if found is None:
                announce(self.name, self.made_of.functions)
                found = build(self, stem)
            return found


SUFFIXES = (".dll",) if sys.platform == "win32" else (".so", ".o")  # what a linker made; without one, an object file


def _whole(stem: Path) -> Path | None:
    """The file of a library, if it is whole and only this user and root can have written it."""
    for suffix in SUFFIXES:
        path = stem.with_name(stem.name + suffix)
        try:
            check_safe(path)
            if path.with_name(path.name + ".sha256").read_text() == digest_of(path):
                return path
        except (OSError, ValueError):
            continue
    return None


def digest_of(path: Path) -> str:
    """The digest of a file and its name: swapped files do not match."""
    return hashlib.sha256(path.name.encode() + b"\0" + path.read_bytes()).hexdigest()


def open_library(path: Path, entries: Iterable[Entry]) -> Mapping[str, int]:
    """The addresses of the functions of a library that take words, by entry."""
    symbols = {entry.name: f"{entry.symbol}_words" for entry in entries}
    if path.suffix == ".o":
        from banakil_env.core.jit.build import addresses_in_object

        return addresses_in_object(path, symbols)
    opened = ctypes.CDLL(str(path))
    return {name: ctypes.cast(getattr(opened, symbol), ctypes.c_void_p).value or 0 for name, symbol in symbols.items()}


@functools.cache
def _versions() -> tuple[str, ...]:
    """Of everything that compiles."""
    found = [sys.implementation.cache_tag, np.__version__]
    for package in ("numba", "llvmlite"):
        try:
            found.append(importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            found.append("none")
    return tuple(found)


@functools.cache
def processor() -> str:
    """The kind of processor that libraries are made for, of those that a wheel tells apart."""
    machine = platform.machine().lower()
    if machine not in ("x86_64", "amd64"):
        return {"arm64": "aarch64"}.get(machine, machine)
    core = "numpy._core" if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else "numpy.core"
    features = importlib.import_module(f"{core}._multiarray_umath").__cpu_features__
    # Every processor with these two has the rest of the level.
    return "x86-64-v3" if features.get("AVX2") and features.get("FMA3") else "x86-64-v2"
