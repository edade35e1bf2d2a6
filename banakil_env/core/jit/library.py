"""Libraries of entries: functions that Python calls as machine code, declared with their arguments.

A library is one file of machine code with a plain C interface, which refers to no symbol of Python or Numba. It is
declared by one function, which adds its entries:

    @functools.cache
    def kernels_of(game):
        declare = Library(f"{game.name}_tables").entry
        return Kernels(start_one=declare(_start_one, {"states": written(game.state, 1), "seed": SEED}, start=...), ...)

A library is opened when one of its entries is first called. Its file has a name made from everything that decides its
code (`reach.py`). It is searched for in the package, where a wheel installs it, and in the folders of code compiled on
this machine. If it is not found, it is built (`build.py`), once for all processes. Building needs Numba, the extra
`compile`.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import importlib
import importlib.metadata
import os
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
from banakil_env.core.jit.announce import announce, announce_wait
from banakil_env.core.jit.calling import call_of
from banakil_env.core.jit.decorators import REORDERED, Compiled, bound
from banakil_env.core.jit.files import (
    PACKAGE,
    check_safe,
    folder,
    folders_to_read,
    keep_longer,
    put_in_place,
    remove_outdated,
)
from banakil_env.core.jit.reach import MadeOf, layout_of, meanings_among
from banakil_env.core.record_type import read_as_int

OPEN = None  # in `Entry.bind`: an argument that each call provides

SHIPPED = PACKAGE / "machine_code"  # the folder of the libraries in a wheel
SECONDS_OF_PATIENCE = 2  # time after which a process prints that it waits for another one

_opening = threading.RLock()
if hasattr(os, "register_at_fork"):  # a fork waits until no thread is opening a library
    os.register_at_fork(before=_opening.acquire, after_in_parent=_opening.release, after_in_child=_opening.release)
_private = functools.cache(lambda: tempfile.TemporaryDirectory(prefix="banakil-"))  # for what cannot be stored


class Argument:
    """An argument of an entry: an `Array` or a `Number`."""


@dataclass(frozen=True)
class Array(Argument):
    """An argument that is a C-contiguous array.

    Attributes:
        dtype: the dtype of its items.
        dims: for each dimension its size, or the name of a size that the arrays of an entry share.
        written: whether the entry writes into the array.
        below: the name of a size; the items must be at least 0 and less than this size. "": any numbers.
    """

    dtype: np.dtype[Any]
    dims: tuple[int | str, ...]
    written: bool
    below: str = ""


@dataclass(frozen=True)
class Number(Argument):
    """An argument that is a 64-bit integer."""

    signed: bool


INT, SEED = Number(signed=True), Number(signed=False)


_NUMBERS: Mapping[Argument, Callable[[Any], Any]] = {INT: int, SEED: np.uint64}  # conversions for loops in plain Python


def read(dtype: Any, *dims: int | str) -> Array:
    """Declare an array that the entry only reads."""
    return Array(np.dtype(dtype), dims, written=False)


def written(dtype: Any, *dims: int | str) -> Array:
    """Declare an array that the entry writes into."""
    return Array(np.dtype(dtype), dims, written=True)


def rows_of(size: str, count: str) -> Array:
    """Declare an array of `count` row numbers (int64), each from 0 to less than `size`."""
    return Array(np.dtype(np.int64), (count,), written=False, below=size)


@dataclass(frozen=True, eq=False)
class Entry:
    """A function of a library. It is called like the function with which it was declared.

    Attributes:
        library: its library.
        name: its name in the library.
        loop: the function as plain Python, bound to its game.
        compiled: the function for calls from compiled code.
        arguments: the arguments by name, in order.
        result: whether it returns a whole number.
        long: whether a call can take long; other threads run during such a call.
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
        """The function that checks all arguments and calls the machine code."""
        return self.bind(*[OPEN] * len(self.arguments))

    def bind(self, *held: Any) -> Callable[..., Any]:
        """The entry with some arguments fixed, so that their arrays are checked only once.

        Args:
            held: the arguments in order; OPEN for each one that the calls provide.

        Raises:
            TypeError, ValueError: an array differs from its declaration.
        """
        if len(held) != len(self.arguments):
            raise TypeError(f"{self.name}() takes {len(self.arguments)} arguments, but bind() got {len(held)}")
        address = self.library.address_of(self)
        if address is None:
            return self._plainly(held)
        return call_of(address, self.name, self._params, len(self.sizes), self.result, self.long, tuple(held))

    def _plainly(self, held: tuple[Any, ...]) -> Callable[..., Any]:
        """The entry as in `bind`, but without machine code of the library.

        The function runs as plain Python, or is compiled by Numba in this process.
        """
        called: Callable[..., Any] = self.loop if settings.DISABLED else self.compiled
        kinds = [_NUMBERS.get(argument, read_as_int) for argument in self.arguments.values()]

        def call(*args: Any) -> Any:
            rest = iter(args)
            filled = [kind(next(rest) if given is OPEN else given) for kind, given in zip(kinds, held)]
            answer = called(*filled)
            return int(answer) if self.result else None

        return call

    @functools.cached_property
    def sizes(self) -> list[str]:
        """The names of the sizes that the entry's arrays share, in the order of their first use."""
        arrays = [argument for argument in self.arguments.values() if isinstance(argument, Array)]
        return list(dict.fromkeys(dim for array in arrays for dim in array.dims if isinstance(dim, str)))

    @functools.cached_property
    def _params(self) -> tuple[tuple[Any, ...], ...]:
        """The arguments in the form that `calling.function` takes."""
        found: list[tuple[Any, ...]] = []
        for name, argument in self.arguments.items():
            if not isinstance(argument, Array):
                found.append((name, "u" if argument == SEED else "i"))
                continue
            dims = tuple(dim if isinstance(dim, int) else -1 - self.sizes.index(dim) for dim in argument.dims)
            dtype = argument.dtype
            below = self.sizes.index(argument.below) if argument.below else -1
            # On Windows, NumPy before version 2 makes int32 arrays by default.
            narrow = np.dtype(np.int32) if dtype == np.int64 and not argument.written else None
            found.append((name, "a", dtype, dtype.itemsize, alignment_of(dtype), argument.written, below, dims, narrow))
        return tuple(found)

    @property
    def symbol(self) -> str:
        """The name of the entry's C function. The function that takes an array of words has the suffix `_words`."""
        return f"banakil_{self.library.name}_{self.name}"

    @property
    def kernel(self) -> str:
        """The name of the entry's GPU kernel (`gpu.py`), which takes the same arguments as its C function."""
        return f"{self.symbol}_kernel"


class Library:
    """A group of entries that are built and opened together, such as those that a table of one game needs."""

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
            loop: a plain function.
            arguments: the arguments by name, in the order of the loop.
            name: the entry's name; "": the name of the loop without its underscore.
            result: whether the loop returns a whole number.
            long: whether a call can take long; other threads run during such a call.
            reordered: see `jit.reordered`.
            names: values for globals of the loop, as in `jit.bind`.

        Raises:
            TypeError: the arguments differ from those of the loop.
            ValueError: the name is taken, or the library is open.
        """
        name = name or loop.__name__.lstrip("_")
        source = bound(loop, f"{self.name}_{name}", names)
        how = REORDERED if reordered else {}
        taken = source.__code__.co_varnames[: source.__code__.co_argcount]
        if tuple(arguments) != taken:
            raise TypeError(f"{name} of the library {self.name} takes {', '.join(taken)}, not {', '.join(arguments)}")
        if name in self.entries or "made_of" in vars(self):
            raise ValueError(f"{name} of the library {self.name} is declared twice, or after the library was opened")
        made = Entry(self, name, source, Compiled(source, **how), dict(arguments), result, long)
        self.entries[name] = made
        return made

    def address_of(self, entry: Entry) -> int | None:
        """The address of the entry's C function that takes an array of words.

        None: the entry runs without machine code of the library.
        """
        return self._addresses.get(entry.name)

    @functools.cached_property
    def _addresses(self) -> Mapping[str, int]:
        refused: OSError | None = None
        with _opening:
            # A file can be removed as outdated between the search and the opening. A file from a wheel can need another
            # C library.
            for may_be_shipped in (True, False):
                path = self.file(may_be_shipped)
                if path is None:
                    return {}
                try:
                    return open_library(path, self.entries.values())
                except OSError as error:
                    refused = error
        _warn(f"the library {self.name} cannot be opened ({refused}): each process compiles its functions again")
        return {}

    @functools.cached_property
    def made_of(self) -> MadeOf:
        """The functions, files and constants that the machine code of all entries is made from."""
        dtypes = [
            argument.dtype
            for entry in self.entries.values()
            for argument in entry.arguments.values()
            if isinstance(argument, Array)
        ]
        return MadeOf([entry.compiled for entry in self.entries.values()], meanings_among(dtypes))

    def key(self, cpu: str | None = None) -> str:
        """A digest of everything that decides the machine code except the content of the sources.

        It is the same for all versions of Python and NumPy, so one wheel serves all of them.

        Args:
            cpu: the kind of processor; None: the kind of this machine's.
        """
        declared = [
            (entry.name, [_described(each) for each in entry.arguments.values()], entry.result)
            for entry in self.entries.values()
        ]
        decides = declared, self.made_of.meaning, cpu or processor(), settings.BOUNDSCHECK, settings.DEBUGINFO
        return hashlib.sha256(repr(decides).encode()).hexdigest()[:20]

    def key_here(self) -> str:
        """The key of a library built on this machine. It covers the bytecode too, since sources can be edited."""
        decides = self.key(), self.made_of.bytecode, sys.implementation.cache_tag, np.__version__
        return hashlib.sha256(repr(decides).encode()).hexdigest()[:20]

    def stem(self, key: str) -> str:
        """The name of the library's file, without the suffix."""
        return f"{self.name}.{self.made_of.digest}.{key}"

    def build_for(self, processors: Iterable[str], into: Path) -> None:
        """Build the library for several kinds of processors, for a wheel.

        Args:
            processors: the kinds of processors, see `processor`.
            into: the folder for the files.

        Raises:
            ImportError: Numba is not installed.
            RuntimeError: there is no linker.
        """
        from banakil_env.core.jit.build import build_for

        for path in build_for(self, {cpu: into / self.stem(self.key(cpu)) for cpu in processors}):
            if path.suffix != SUFFIXES[0]:
                raise RuntimeError(f"{path} could not be linked to a library; set CC to a C compiler")

    def file(self, may_be_shipped: bool = True) -> Path | None:
        """The file with the machine code; it is built if necessary. None: it cannot be built here.

        Args:
            may_be_shipped: whether a file from a wheel can be used.

        Raises:
            ImportError: there is no such file, and Numba is not installed.
        """
        if settings.DISABLED:
            return None
        kept_in = None
        if self.made_of.can_be_kept() and self.made_of.are_as_first_seen():
            kept_in = folder()
            found = self._found(may_be_shipped)
            if found is not None:
                return found
        # If the disk is full or the file system has no locks, the library that is built serves this process alone.
        if kept_in is not None:
            with contextlib.suppress(OSError, NotImplementedError):
                return self._built(kept_in / self.stem(self.key_here()))
        with contextlib.suppress(OSError, NotImplementedError):
            return self._built(Path(_private().name) / self.stem(self.key_here()))
        return None

    def _found(self, may_be_shipped: bool) -> Path | None:
        """The library's file, if it was built on this machine or a wheel has installed it; else None.

        `may_be_shipped`: whether a file from a wheel can be used.
        """
        if may_be_shipped and SHIPPED.is_dir():
            shipped = _whole(SHIPPED / self.stem(self.key()), made_by_any=True)
            if shipped is not None:
                return shipped
        for where in folders_to_read():
            found = _whole(where / self.stem(self.key_here()))
            if found is not None:
                keep_longer(found)
                keep_longer(_digest_file(found))
                return found
        return None

    def _built(self, stem: Path) -> Path | None:
        try:
            import filelock

            from banakil_env.core.jit.build import build_for
            from banakil_env.core.jit.lowering import KNOWN
        except ModuleNotFoundError as error:
            from banakil_env.core.install import install_line

            package = str(error.name).partition(".")[0]
            if package not in ("numba", "llvmlite", "filelock"):
                raise
            raise ImportError(
                f"there is no compiled library {self.name} here, and building one needs Numba ({package} is missing): "
                f"{install_line('compile')}. NUMBA_DISABLE_JIT=1 runs the same in plain Python, a hundred times slower"
            ) from None
        if not KNOWN:  # this version of Numba compiles each entry separately
            return None
        lock = filelock.FileLock(stem.with_name(f"{self.name}.lock"))
        try:
            lock.acquire(timeout=SECONDS_OF_PATIENCE)
        except filelock.Timeout:
            announce_wait(self.name)
            lock.acquire()
        try:
            found = _whole(stem)  # another process can have built it in the meantime
            if found is None:
                announce(self.name, self.made_of.functions)
                [found] = build_for(self, {processor(): stem})
                remove_outdated(stem.parent, self.name, "", self.made_of.digest)
            return found
        finally:
            lock.release()


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def _described(argument: Argument) -> tuple[Any, ...]:
    """An argument in the form that a key is computed from."""
    if isinstance(argument, Array):
        return layout_of(argument.dtype), argument.dims, argument.written, argument.below
    return (argument == INT,)


def alignment_of(dtype: np.dtype[Any]) -> int:
    """The alignment that compiled code relies on: 1 for a packed record, otherwise the alignment of its fields.

    NumPy reports 1 for every record with a custom scalar type.
    """
    if dtype.base.fields is None:
        return dtype.base.alignment
    if not dtype.base.isalignedstruct:
        return 1
    return max(alignment_of(field[0]) for field in dtype.base.fields.values())


# The suffixes of a linked library and of an object file, which llvmlite loads where there is no linker.
SUFFIXES = (".dll" if sys.platform == "win32" else ".so", ".o")


def _digest_file(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def write_library(path: Path, content: bytes) -> None:
    """Write a library, and then a file with its digest and the version of the compiler that made it."""
    put_in_place(path, content)
    put_in_place(_digest_file(path), f"{_digest_of(path)} {compiler()}".encode())


def _whole(stem: Path, made_by_any: bool = False) -> Path | None:
    """The file of a library, if it is complete and only this user and root can have written it; else None.

    Args:
        stem: the path without the suffix.
        made_by_any: accept any version of the compiler; otherwise only the installed one, if one is installed.
    """
    for suffix in SUFFIXES:
        path = stem.with_name(stem.name + suffix)
        with contextlib.suppress(OSError, ValueError):
            check_safe(path)
            digest, _, made_by = _digest_file(path).read_text().partition(" ")
            if digest == _digest_of(path) and (made_by_any or made_by == compiler() or not compiler()):
                return path
    return None


def _digest_of(path: Path) -> str:
    """The digest of a file's name and content. The name is included so that swapped files do not match."""
    return hashlib.sha256(path.name.encode() + b"\0" + path.read_bytes()).hexdigest()


def open_library(path: Path, entries: Iterable[Entry]) -> Mapping[str, int]:
    """Open a library. Returns, by the name of each entry, the address of its function that takes an array of words.

    Raises:
        OSError: the library cannot be opened.
    """
    symbols = {entry.name: f"{entry.symbol}_words" for entry in entries}
    if path.suffix == ".o":
        from banakil_env.core.jit.objects import addresses_in

        return addresses_in(path, symbols)
    opened = ctypes.CDLL(str(path))
    return {name: ctypes.cast(getattr(opened, symbol), ctypes.c_void_p).value or 0 for name, symbol in symbols.items()}


@functools.cache
def compiler() -> str:
    """The versions of the compiler's packages; "" if they are not installed."""
    try:
        return " ".join(f"{package}={importlib.metadata.version(package)}" for package in ("numba", "llvmlite"))
    except importlib.metadata.PackageNotFoundError:
        return ""


@functools.cache
def processor() -> str:
    """The kind of this processor, one of the kinds that a wheel has libraries for."""
    machine = platform.machine().lower()
    if machine not in ("x86_64", "amd64"):
        return {"arm64": "aarch64"}.get(machine, machine)
    core = "numpy._core" if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else "numpy.core"
    features = importlib.import_module(f"{core}._multiarray_umath").__cpu_features__
    # Every processor with AVX2 and FMA3 has the other features of the level; newer versions of NumPy list the levels
    # too.
    if features.get("X86_V3") or (features.get("AVX2") and features.get("FMA3")):
        return "x86-64-v3"
    return "x86-64-v2" if features.get("SSE42", True) and features.get("POPCNT", True) else "x86-64"
