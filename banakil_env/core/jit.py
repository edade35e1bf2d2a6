"""How is a function compiled, and when is what an earlier process compiled still good?

The one place in the project that calls Numba's ``njit``. ``@compiled`` compiles a function on its first call, ``bind``
makes one game's loop out of a generic one, and both keep the machine code on disk. Numba's own cache looks only at the
file of the function itself, so a kernel stays stale when a helper in another file changes. Here an entry is good only
for exactly the sources, versions and settings it was made from:

* the content of every ``.py`` file in ``core/``, and of every file that holds a compiled function which it reaches, its
  own included: an edit in ``kit/`` makes those functions anew that come to the edited file, and no others;
* the values of the global constants and tables that these functions use, wherever those come from, and the defaults of
  their arguments;
* the versions of Python, Numba, llvmlite and NumPy, the processor, and the settings in ``SETTINGS``.

Only a function that Python itself calls is kept; what it calls is a part of it (`lowering.py`). One entry is one
file, named by the digest of all that and put in place in one step: processes need no lock, and none can read what
another made from other sources. A process whose sources were edited after it started (a notebook that reloads
modules) leaves the disk alone. A closure, or a function typed at a prompt, is compiled in each process anew.

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
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np

from banakil_env.core.lowering import split

try:
    # Private to Numba, unchanged from 0.60 to 0.68. Without them nothing is kept on disk: slow, but never stale.
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps
except ImportError:  # pragma: no cover
    dumps = None

CORE = Path(__file__).resolve().parent
SUFFIX = ".compiled.nbc"
SECONDS_TO_KEEP = 24 * 60 * 60  # how long entries made from other sources stay; long enough to change branches and back
SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")  # change the code made
VERSIONS = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)

F = TypeVar("F", bound=Callable[..., Any])


def _record_symbol(record: Any) -> tuple[str, tuple[str, ...]]:
    """What stands for a record type in the symbols of machine code: a digest of its fields.

    Numba writes a number there that each process counts anew. Two games compiled in two processes then have functions
    of the kit under one symbol, and a process that loads both from the disk runs one game's code on the other's state.
    """
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


numba.types.Record.mangling_args = property(_record_symbol)


def compiled(function: F) -> F:
    """Compile `function` on its first call with each set of argument types, without the GIL, kept on disk."""
    return _compile(function)


def fused(function: F) -> F:
    """Like `compiled`, and always a part of its callers' own code: for what every step of a game runs through.

    Callers grow, but what they compute for two such functions is computed once.
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

    It costs no compilation of its own (about 0.1 s each), which is what the first start of the package is made of.
    """
    return cast(F, numba.njit(inline="always", nogil=True, error_model="numpy")(function))


def interpreted(function: F) -> F:
    """A compiled function as plain Python: for reading a number or two, where compiling would cost more."""
    return cast(F, getattr(function, "py_func", function))


def bind(function: F, name: str, **names: Any) -> F:
    """Compile `function` under `name`, with its global `names` meaning what is given here.

    So one generic loop, an ordinary undecorated function, serves every game at full speed. Other globals keep the
    value that they have now. Functions that the loop calls are not bound anew: bind those first, and pass them.

    Raises:
        TypeError: `function` is not a plain function, or uses no global of one of the names.
    """
    return cast(F, compiled(_bound(function, name, names)))


def bind_inlined(function: F, name: str, **names: Any) -> F:
    """The same for a piece of a loop: bound, and copied into whatever compiled function calls it (`inlined`)."""
    return cast(F, inlined(_bound(function, name, names)))


def _bound(function: Any, name: str, names: dict[str, Any]) -> FunctionType:
    """A copy of `function` whose global `names` mean what is given."""
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
        function = getattr(value, "py_func", value)
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


# Taken at import, before the modules with the functions: what is on disk now is what this process will run.
CORE_SOURCES = Sources.of_root(CORE) if CORE.is_dir() else None  # a zip file is no folder: nothing is kept


class Cache:
    """The compiled forms of one function on disk, in the shape that Numba's dispatcher asks for."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._file = Path(function.__code__.co_filename)
        self._enabled = True
        self._announced = False
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
        """Forget every entry of this function made from the sources as they are."""
        if self._folder is not None:
            for path in self._folder.glob(f"{self._stem}.*{SUFFIX}"):
                path.unlink(missing_ok=True)

    def load_overload(self, signature: Any, target_context: Any) -> Any | None:
        """The compiled function for `signature`, or None: then Numba compiles it, which is announced."""
        target_context.refresh()
        result = None
        # Whatever is wrong with an entry, or has changed in Numba: made anew, and overwritten.
        with contextlib.suppress(Exception):
            if self._usable():
                identity = self._identity(signature, target_context.codegen())
                with open(self._path(identity), "rb") as file:
                    kept_identity, payload = pickle.load(file)
                if kept_identity == identity:
                    result = CompileResult._rebuild(target_context, *payload)
        if result is None and self._own_sources is not None and not self._announced:
            self._announced = True
            _announce(self._function, self._folder)
        return result

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for `signature`, if that can be done."""
        # A full disk, a folder that went away, something that cannot be pickled: only the next start is slower.
        with contextlib.suppress(Exception):
            # With dynamic globals, addresses of this process are in the code.
            if not self._usable() or result.lifted or result.library.has_dynamic_globals:
                return
            identity = self._identity(signature, result.codegen)
            _write(self._path(identity), dumps((identity, result._reduce())))
            _remove_outdated(self._path(identity).parent, self._file.stem, self._sources_digest)

    def _usable(self) -> bool:
        return (
            self._enabled
            and dumps is not None
            and self._own_sources is not None
            # What a closure holds has no name to know it by.
            and all(function.__closure__ is None for function in with_callees(self._function))
            and self._folder is not None
            and all(sources.are_as_first_seen() for sources in self._sources)
        )

    def _identity(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """All that decides what the machine code is."""
        return (
            self._sources_digest,
            VERSIONS,
            tuple((name, getattr(numba.config, name, None)) for name in SETTINGS),
            codegen.magic_tuple(),
            (self._function.__module__, self._function.__qualname__, self._function.__code__.co_firstlineno),
            [
                (_bytecode_of(function), _fingerprint(_constants_of(function)))
                for function in with_callees(self._function)
            ],
            signature,
        )

    def _path(self, identity: tuple[Any, ...]) -> Path:
        assert self._folder is not None
        key = hashlib.sha256(repr(identity).encode()).hexdigest()[:20]
        return self._folder / f"{self._stem}.{key}{SUFFIX}"

    @functools.cached_property
    def _stem(self) -> str:
        name = self._function.__qualname__.replace("<", "").replace(">", "")
        return f"{self._file.stem}.{name}.{self._sources_digest}"

    @functools.cached_property
    def _sources(self) -> list[Sources]:
        """Whatever this function's machine code was made from."""
        found: dict[Path, Sources] = {}
        if CORE_SOURCES is not None:
            found[CORE] = CORE_SOURCES
        for function in with_callees(self._function):
            file = Path(function.__code__.co_filename)
            if file.is_file() and file.parent != CORE:
                found[file] = Sources.of_root(file)
        return [found[root] for root in sorted(found)]

    @functools.cached_property
    def _sources_digest(self) -> str:
        """The first 20 hex digits: a whole one makes the names of the files too long."""
        return hashlib.sha256("".join(sources.digest for sources in self._sources).encode()).hexdigest()[:20]

    @functools.cached_property
    def _folder(self) -> Path | None:
        return None if CORE_SOURCES is None else _writable_folder(self._file.parent)


def with_callees(function: FunctionType) -> list[FunctionType]:
    """`function` and the compiled functions that it calls by a global name or as `module.name`, and those they call."""
    found = [function]
    for caller in found:  # grows while it is walked
        for value in _globals_of(caller).values():
            callee = getattr(value, "py_func", None)
            if isinstance(callee, FunctionType) and callee not in found:
                found.append(callee)
    return found


def _bytecode_of(function: FunctionType) -> tuple[bytes, tuple[str, ...], str]:
    """What is compiled. It is older than the file where Python's own cache did not notice an edit, which it tells by
    the file's size and the second of its writing.
    """
    code = function.__code__
    constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    return code.co_code, code.co_names, repr(constants)


def _constants_of(function: FunctionType) -> dict[str, Any]:
    """The global values that `function` may use, functions aside: Numba puts them in the machine code."""
    kinds = (bool, int, float, complex, str, bytes, tuple, np.generic, np.ndarray, np.dtype)
    found = {name: value for name, value in _globals_of(function).items() if isinstance(value, kinds)}
    return found | {"defaults": function.__defaults__, "keyword defaults": function.__kwdefaults__}


def _globals_of(function: FunctionType) -> dict[str, Any]:
    """What `function` may mean by its global names, and by `module.name`."""
    used = function.__code__.co_names
    found = {name: function.__globals__[name] for name in used if name in function.__globals__}
    for module_name, module in list(found.items()):
        if isinstance(module, ModuleType):
            found |= {f"{module_name}.{name}": vars(module)[name] for name in used if name in vars(module)}
    return found


@functools.cache
def _writable_folder(sources: Path) -> Path | None:
    """Where entries of functions in the folder `sources` go: as told, beside them, in the user's cache; or nowhere."""
    subfolder = f"{sources.name}_{hashlib.sha256(str(sources).encode()).hexdigest()[:16]}"
    candidates = [sources / "__pycache__"]
    if numba.config.CACHE_DIR:
        candidates.insert(0, Path(numba.config.CACHE_DIR, subfolder))
    with contextlib.suppress(RuntimeError):  # no home folder
        candidates.append(_user_cache() / "banakil_env" / subfolder)
    for folder in candidates:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return None


def _user_cache() -> Path:
    """Where this system's programs keep what they can make again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _write(path: Path, content: bytes) -> None:
    """Put a whole file in place, or none: readers never see half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name[:40], suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)  # mkstemp lets nobody else read it, and a shared checkout has several users
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@functools.cache
def _remove_outdated(folder: Path, file_stem: str, sources_digest: str) -> None:
    """Remove old entries of one file's functions made from other sources, once per process."""
    oldest = time.time() - SECONDS_TO_KEEP
    for path in folder.glob(f"{file_stem}.*{SUFFIX}"):
        try:
            if f".{sources_digest}." not in path.name and path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:  # another process was first, or has it open
            pass


# Measured: seconds of compiling for a byte of the bytecode of all that an entry is made of, and for an entry.
SECONDS_A_BYTE, SECONDS_AN_ENTRY = 1 / 6000, 0.3

Tell = Callable[[str, float], None]
_told: list[Tell] = []  # whom `telling` tells


@contextlib.contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """Call `tell` with the name of each entry that is compiled meanwhile, and about how long it takes (seconds).

    Nothing is printed then.
    """
    _told.append(tell)
    try:
        yield
    finally:
        _told.remove(tell)


def _announce(function: FunctionType, folder: Path | None) -> None:
    """Say on the error stream what is being compiled; an entry says so once, and one that is kept on disk never."""
    name, seconds = _name_of(function), _seconds_of(function)
    for tell in _told:
        tell(name, seconds)
    if _told or os.environ.get("BANAKIL_QUIET", "0") not in ("", "0"):
        return
    how = "for this machine, once"
    if folder is None:
        how = "in every process: no folder can be written to keep it, NUMBA_CACHE_DIR can name one"
    print(f"banakil_env: compiling {name}, {how} (about {seconds:.0f} s) ...", file=sys.stderr, flush=True)


def _name_of(function: FunctionType) -> str:
    """The name of a bound loop, which begins with its game (`banakil_apply_one`), or `banakil.solver.solve`."""
    if function.__name__ not in function.__qualname__.split("."):  # bound: its fingerprint stands behind the name
        return function.__name__
    module = (function.__module__ or "").removeprefix("banakil_env.").removeprefix("games.")
    return f"{module}.{function.__name__}"


def _seconds_of(function: FunctionType) -> float:
    """About how long compiling takes, from the length of all that is compiled; at least 1."""
    size = sum(len(each.__code__.co_code) for each in with_callees(function))
    return max(1.0, SECONDS_AN_ENTRY + SECONDS_A_BYTE * size)
