"""How is a function compiled, and when is what an earlier process compiled still good?

The one place in the project that calls Numba's ``njit``. ``@compiled`` compiles a function on its first call, ``bind``
makes one game's loop out of a generic one, and both keep the machine code on disk. Numba's own cache looks only at the
file of the function itself, so a kernel stays stale when a helper in another file changes. Here an entry is good only
for exactly the sources, versions and settings it was made from:

* the content of every ``.py`` file in ``core/``, and of every file that holds a compiled function that the entry
  reaches, including its own: an edit in ``kit/`` recompiles the functions that reach the edited file, and no others;
* the values of the global constants and tables that these functions use, wherever those come from, and the defaults of
  their arguments;
* the versions of Python, Numba, llvmlite and NumPy, the processor, and the settings in ``SETTINGS``.

Only functions called from Python are kept; the functions that they call are part of the entry (`lowering.py`). One
entry is one file, named by the digest of all of the above and put in place in one step: processes need no lock, and
none can read what another made from other sources. Damaged entries, and entries that another user can have written,
are not read (`entries.py`). A process whose sources were edited after its start (a notebook that reloads modules) does
not use the disk. A closure, or a function typed at a prompt, is compiled again in each process.

``NUMBA_DISABLE_JIT=1`` leaves plain Python, ``NUMBA_BOUNDSCHECK=1`` checks every index, ``NUMBA_CACHE_DIR`` says where
the entries go, and ``BANAKIL_QUIET=1`` silences the lines that announce compilation, one for each
entry that is really compiled.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np

from banakil_env.core.entries import SUFFIX, folder_for, read_entry, remove_outdated, write_entry
from banakil_env.core.lowering import split

try:
    # Private to Numba, unchanged from 0.60 to 0.68. Without them nothing is kept on disk: slow, but never stale.
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps
except ImportError:  # pragma: no cover
    dumps = None

CORE = Path(__file__).resolve().parent
SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")  # change the code made
VERSIONS = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)

F = TypeVar("F", bound=Callable[..., Any])


def _record_symbol(record: Any) -> tuple[str, tuple[str, ...]]:
    """The name of a record type in the symbols of machine code: a digest of its fields.

    Numba uses a number there that each process counts from the start. Two games compiled in two processes then have
    functions of the kit under one symbol, and a process that loads both from the disk runs one game's code on the
    other's state.
    """
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


numba.types.Record.mangling_args = property(_record_symbol)


def compiled(function: F) -> F:
    """Compile `function` on its first call with each set of argument types, without the GIL, kept on disk."""
    return _compile(function)


def fused(function: F) -> F:
    """Like `compiled`, but always compiled into its callers: for functions that run in every step of a game.

    Callers grow, but work that two such functions share is done once.
    """
    return _compile(function, forceinline=True)


def reordered(function: F) -> F:
    """Like `compiled`, and sums of floating-point numbers may be added up in any order, so that they are vectorised."""
    return _compile(function, fastmath={"reassoc", "contract", "nsz"})


def _compile(function: F, **how: Any) -> F:
    if numba.config.DISABLE_JIT:
        return function

    def compile_with(**options: Any) -> Any:
        return numba.njit(nogil=True, error_model="numpy", **how, **options)(function)

    dispatcher = compile_with() if split is None else split(compile_with)
    dispatcher._cache = Cache(cast(FunctionType, function))
    return cast(F, dispatcher)


def inlined(function: F) -> F:
    """Copy the body of `function` into every compiled caller, for those of a line or two.

    A separate compilation (about 0.1 s each) is saved; these make up most of the first start of the package.
    """
    return cast(F, numba.njit(inline="always", nogil=True, error_model="numpy")(function))


def interpreted(function: F) -> F:
    """A compiled function as plain Python: for reading a number or two, where compiling would cost more."""
    return cast(F, getattr(function, "py_func", function))


def bind(function: F, name: str, **names: Any) -> F:
    """Compile `function` under `name`, with its global `names` bound to the given values.

    One generic loop, an ordinary undecorated function, thus serves every game at full speed. Other globals keep their
    present values. Functions that the loop calls are not bound with it: bind those first, and pass them.

    Raises:
        TypeError: `function` is not a plain function, or uses no global of one of the names.
    """
    return cast(F, compiled(_bound(function, name, names)))


def bind_inlined(function: F, name: str, **names: Any) -> F:
    """Like `bind` for a piece of a loop: bound, and copied into every compiled function that calls it (`inlined`)."""
    return cast(F, inlined(_bound(function, name, names)))


def _bound(function: Any, name: str, names: dict[str, Any]) -> FunctionType:
    """A copy of `function` whose global `names` are bound to the given values."""
    if not isinstance(function, FunctionType):
        raise TypeError(f"bind() takes a plain Python function, and got {function!r}; leave out its decorator")
    unknown = sorted(set(names) - set(function.__code__.co_names))
    if unknown:
        raise TypeError(
            f"{function.__qualname__}() has no global {', '.join(unknown)} to bind; "
            f"it uses {', '.join(function.__code__.co_names)}"
        )
    bound = FunctionType(
        function.__code__,
        function.__globals__ | names,
        name,
        function.__defaults__,
        function.__closure__,
    )
    bound.__kwdefaults__ = function.__kwdefaults__
    bound.__annotations__ = function.__annotations__
    bound.__doc__ = function.__doc__
    bound.__module__ = function.__module__
    # Symbols in the machine code are made from the qualified name. The fingerprint keeps two bindings of the same name
    # apart, also where one was compiled by a process that never saw the other.
    bound.__qualname__ = f"{name}_{_fingerprint(names)}"
    return bound


def _fingerprint(names: dict[str, Any]) -> str:
    """Eight hex digits that differ when a name means another function or value."""
    meanings = []
    for name, value in sorted(names.items()):
        function = getattr(value, "__wrapped__", value)
        if isinstance(function, FunctionType):
            meaning: object = (function.__module__, function.__qualname__, function.__code__.co_firstlineno)
        elif isinstance(value, np.ndarray):
            meaning = (value.dtype, value.shape, hashlib.sha256(value.tobytes()).hexdigest())
        else:
            meaning = value
        meanings.append((name, meaning))
    return hashlib.sha256(repr(meanings).encode()).hexdigest()[:8]


class Sources:
    """The `.py` files in a folder, or one file: the digest of their content when they were first looked at."""

    def __init__(self, root: Path) -> None:
        self.root = root
        digest = hashlib.sha256()
        try:
            self._stamps = self._look()
            for path in sorted(self._stamps):
                content = Path(path).read_bytes()
                digest.update(f"{os.path.relpath(path, root)}\0{len(content)}\0".encode())
                digest.update(content)
        except OSError:  # files come and go, or may not be read: never to be found as seen now
            self._stamps = {}
        self.digest = digest.hexdigest()

    @classmethod
    @functools.cache
    def of_root(cls, root: Path) -> Sources:
        return cls(root)

    def are_as_first_seen(self) -> bool:
        """Whether no file has been added, removed or written since. Costs a `stat` a file, not a read."""
        try:
            return self._look() == self._stamps
        except OSError:
            return False

    def _look(self) -> dict[str, tuple[int, int]]:
        """Time of change in ns and size in bytes, by path."""
        return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in _python_files(str(self.root))}


def _python_files(root: str) -> Iterator[tuple[str, os.stat_result]]:
    if os.path.isfile(root):
        yield root, os.stat(root)
        return
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.name.endswith(".py") and entry.is_file():
                yield entry.path, entry.stat()


# Taken at import, before the modules with the functions: the sources now on disk are those that this process will run.
CORE_SOURCES = Sources.of_root(CORE) if CORE.is_dir() else None  # a zip file is no folder: nothing is kept


class Cache:
    """The compiled forms of one function on disk, in the shape that Numba's dispatcher asks for."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._file = Path(function.__code__.co_filename)
        self._enabled = True
        self._announced = False
        self._made: dict[frozenset[Any], MadeOf] = {}  # by the records of a signature
        # Looked at when the function is made, so that later edits are noticed.
        self._own_sources = Sources.of_root(self._file) if self._file.is_file() else None

    @property
    def cache_path(self) -> str | None:
        """The folder of the entries, None when nothing is kept."""
        folder = self._folder
        return None if folder is None else str(folder)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Forget every entry of this function, whatever it was made of."""
        if self._folder is not None:
            for path in self._folder.glob(f"{self._stem}.*{SUFFIX}"):
                path.unlink(missing_ok=True)

    def load_overload(self, signature: Any, target_context: Any) -> Any | None:
        """The compiled function for `signature`, or None: then Numba compiles it, which is announced."""
        target_context.refresh()
        result = None
        # Whatever is wrong with an entry, or has changed in Numba: compile, and overwrite it. No part of an entry is
        # unpickled, not even its identity, before `read_entry` has found it whole and written by this user or root.
        with contextlib.suppress(Exception):
            if self._usable(signature):
                identity = self._identity(signature, target_context.codegen())
                kept_identity, payload = pickle.loads(read_entry(self._path(identity)))
                if kept_identity == identity:
                    result = CompileResult._rebuild(target_context, *payload)
        if result is None and self._own_sources is not None and not self._announced:
            self._announced = True
            _announce(self._function, self._made_of(signature).functions, self._folder)
        return result

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for `signature`, if that can be done."""
        # A full disk, a folder that went away, an object that cannot be pickled: only the next start is slower.
        with contextlib.suppress(Exception):
            # With dynamic globals, addresses of this process are in the code.
            if not self._usable(signature) or result.lifted or result.library.has_dynamic_globals:
                return
            identity = self._identity(signature, result.codegen)
            write_entry(self._path(identity), dumps((identity, result._reduce())))
            remove_outdated(self._path(identity).parent, self._file.stem, self._made_of(signature).digest)

    def _usable(self, signature: Any) -> bool:
        return (
            self._enabled
            and dumps is not None
            and self._own_sources is not None
            # What a closure holds has no name to know it by.
            and all(function.__closure__ is None for function in self._made_of(signature).functions)
            and self._folder is not None
            and all(sources.are_as_first_seen() for sources in self._made_of(signature).sources)
        )

    def _identity(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """Everything that decides the machine code."""
        return (
            self._made_of(signature).digest,
            VERSIONS,
            tuple((name, getattr(numba.config, name, None)) for name in SETTINGS),
            codegen.magic_tuple(),
            (self._function.__module__, self._function.__qualname__, self._function.__code__.co_firstlineno),
            [
                (_bytecode_of(function), _fingerprint(_constants_of(function)))
                for function in self._made_of(signature).functions
            ],
            self._made_of(signature).numbers,
            signature,
        )

    def _path(self, identity: tuple[Any, ...]) -> Path:
        assert self._folder is not None
        key = hashlib.sha256(repr(identity).encode()).hexdigest()[:20]
        return self._folder / f"{self._stem}.{identity[0]}.{key}{SUFFIX}"

    @functools.cached_property
    def _stem(self) -> str:
        return f"{self._file.stem}.{self._function.__qualname__.replace('<', '').replace('>', '')}"

    def _made_of(self, signature: Any) -> MadeOf:
        """What the machine code for a signature is made of."""
        records = frozenset(records_in(signature))
        if records not in self._made:
            self._made[records] = MadeOf(self._function, records)
        return self._made[records]

    @functools.cached_property
    def _folder(self) -> Path | None:
        return None if CORE_SOURCES is None else folder_for(self._file.parent)


class MadeOf:
    """What the machine code of a function is made of, for arguments with these records.

    Attributes:
        functions: the function and all functions that it reaches. sources: their files. digest: of the content.
        numbers: the values of hooks that are constants.
    """

    def __init__(self, function: FunctionType, records: Iterable[Any]) -> None:
        self.functions = with_callees(function, records)
        self.numbers = [
            (name, meaning.number)
            for each in self.functions
            for name, value in sorted(_globals_of(each).items(), key=lambda item: item[0])
            if hasattr(value, "callees")
            for meaning in value.callees(records)
            if hasattr(meaning, "number")
        ]
        found: dict[Path, Sources] = {}
        if CORE_SOURCES is not None:
            found[CORE] = CORE_SOURCES
        for each in self.functions:
            file = Path(each.__code__.co_filename)
            if file.is_file() and file.parent != CORE:
                found[file] = Sources.of_root(file)
        self.sources = [found[root] for root in sorted(found)]
        digests = "".join(sources.digest for sources in self.sources)
        # The first 20 hex digits: a whole digest makes the names of the files too long.
        self.digest = hashlib.sha256(digests.encode()).hexdigest()[:20]


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
        for value in _globals_of(caller).values():
            meanings = value.callees(records) if hasattr(value, "callees") else [value]
            for meaning in meanings:
                callee = getattr(meaning, "py_func", None)
                if isinstance(callee, FunctionType) and callee not in found:
                    found.append(callee)
    return found


def _bytecode_of(function: FunctionType) -> tuple[bytes, tuple[str, ...], str]:
    """What is compiled. It is older than the file where Python's own cache missed an edit: that cache compares only the
    file's size and the second of its last change.
    """
    code = function.__code__
    constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    return code.co_code, code.co_names, repr(constants)


def _constants_of(function: FunctionType) -> dict[str, Any]:
    """The global values that `function` may use, except functions: Numba puts the values in the machine code."""
    kinds = (bool, int, float, complex, str, bytes, tuple, np.generic, np.ndarray, np.dtype)
    found = {name: value for name, value in _globals_of(function).items() if isinstance(value, kinds)}
    return found | {"defaults": function.__defaults__, "keyword defaults": function.__kwdefaults__}


def _globals_of(function: FunctionType) -> dict[str, Any]:
    """The possible meanings of the global names of `function`, and of `module.name`."""
    used = function.__code__.co_names
    found = {name: function.__globals__[name] for name in used if name in function.__globals__}
    for module_name, module in list(found.items()):
        if isinstance(module, ModuleType):
            found |= {f"{module_name}.{name}": vars(module)[name] for name in used if name in vars(module)}
    return found


# Measured: seconds of compiling for each byte of an entry's bytecode, and for each entry.
SECONDS_A_BYTE, SECONDS_AN_ENTRY = 1 / 6000, 0.3

Tell = Callable[[str, float], None]
_told: list[Tell] = []  # whom `telling` tells


@contextlib.contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """Call `tell` with the name of each entry compiled inside the block, and an estimate of the time (seconds).

    Inside the block nothing is printed.
    """
    _told.append(tell)
    try:
        yield
    finally:
        _told.remove(tell)


def _announce(function: FunctionType, callees: list[FunctionType], folder: Path | None) -> None:
    """Announce on the error stream what is being compiled: once per entry; cached entries are silent."""
    name, seconds = _name_of(function), _seconds_of(callees)
    for tell in _told:
        tell(name, seconds)
    if _told or os.environ.get("BANAKIL_QUIET", "0") not in ("", "0"):
        return
    how = "for this machine, once"
    if folder is None:
        how = "in every process: there is no folder that only you can write to keep it, NUMBA_CACHE_DIR can name one"
    print(f"banakil_env: compiling {name}, {how} (about {seconds:.0f} s) ...", file=sys.stderr, flush=True)


def _name_of(function: FunctionType) -> str:
    """The name of a bound loop, which begins with its game (`banakil_apply_one`), or `banakil.solver.solve`."""
    if function.__name__ not in function.__qualname__.split("."):  # bound: its fingerprint stands behind the name
        return function.__name__
    module = (function.__module__ or "").removeprefix("banakil_env.").removeprefix("games.")
    return f"{module}.{function.__name__}"


def _seconds_of(functions: list[FunctionType]) -> float:
    """Estimated compile time in seconds, from the size of the bytecode; at least 1."""
    size = sum(len(each.__code__.co_code) for each in functions)
    return max(1.0, SECONDS_AN_ENTRY + SECONDS_A_BYTE * size)
