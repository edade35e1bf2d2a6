"""When is the machine code that an earlier process made still good?

Numba's own cache looks only at the file of the function itself, so a kernel stays stale when a helper in another file
changes. Here an entry is good only for exactly the sources, versions and settings it was made from:

* the content of every `.py` file in `core/`, and of every file that holds a compiled function that the entry reaches,
  including its own: an edit in `kit/` recompiles the functions that reach the edited file, and no others;
* the values of the global constants and tables that these functions use, wherever those come from, and the defaults of
  their arguments;
* the versions of Python, Numba, llvmlite and NumPy, the processor, and the settings in `SETTINGS`.

One entry is one file, named by the digest of all of the above and put in place in one step: processes need no lock, and
none can read what another made from other sources. Damaged entries, and entries that another user can have written,
are not read (`entries.py`). A process whose sources were edited after its start (a notebook that reloads modules) does
not use the disk. A closure, or a function typed at a prompt, is compiled again in each process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import pickle
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np

from banakil_env.core.jit.announce import announce
from banakil_env.core.jit.entries import SUFFIX, folder_for, read_entry, remove_outdated, write_entry
from banakil_env.core.jit.reach import MadeOf, bytecode_of, constants_of, records_in
from banakil_env.core.jit.sources import CORE_SOURCES, Sources
from banakil_env.core.jit.symbols import fingerprint

try:
    # Private to Numba, unchanged from 0.60 to 0.68. Without them nothing is kept on disk: slow, but never stale.
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps
except ImportError:  # pragma: no cover
    dumps = None

SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")  # change the code made
VERSIONS = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)


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
            announce(self._function, self._made_of(signature).functions, self._folder)
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
                (bytecode_of(function), fingerprint(constants_of(function)))
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
