"""When is what an earlier process compiled still good?

Numba's own cache looks only at the file of the function itself, so a kernel stays stale when a helper in another file
changes. Here what is kept is good only for exactly the sources, versions and settings it was made from:

* the content of `core/jit/`, which decides how functions are compiled, and of every file that holds a compiled function
  that is reached: an edit anywhere recompiles the functions that reach the edited file, and no others;
* the values of the global constants and tables that these functions use, wherever those come from, and the defaults of
  their arguments;
* the versions of Python, Numba, llvmlite and NumPy, and the settings in `SETTINGS`; for machine code the processor too.

What is kept is one file, named by the digest of all of the above and put in place in one step: processes need no lock,
and none can read what another made from other sources. The name holds no path, so that every checkout of a user finds
what another has compiled, if they share a folder. Damaged files, and files that another user can have written, are not
read (`entries.py`). A process whose sources were edited after its start (a notebook that reloads modules) does not use
the disk. A closure, or a function typed at a prompt, is compiled again in each process, and so is everything with a
version of Numba that `lowering.py` was not tried with.
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
from banakil_env.core.jit.entries import folder_for, read_entry, remove_outdated, write_entry
from banakil_env.core.jit.lowering import KNOWN
from banakil_env.core.jit.reach import MadeOf, records_in
from banakil_env.core.jit.sources import Sources

if KNOWN:
    # Private to Numba. With a version that is not known nothing is kept on disk: slow, but never stale.
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps

SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")  # change the code made
VERSIONS = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)


class Cache:
    """What is kept of one function on disk, in the shape that Numba's dispatcher asks for.

    A subclass says what of a compiled function is kept (`_content`), and how a function is made of it (`_made`).
    """

    suffix: str

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._file = Path(function.__code__.co_filename)
        self._enabled = True
        self._reached: dict[frozenset[Any], MadeOf] = {}  # by the records of a signature
        # Looked at when the function is made, so that later edits are noticed.
        self._has_sources = self._file.is_file() and Sources.of_root(self._file) is not None

    @property
    def cache_path(self) -> str | None:
        """The folder of what is kept, None when nothing is."""
        folder = self._folder
        return None if folder is None else str(folder)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Forget all that is kept of this function, whatever it was made of."""
        if self._folder is not None:
            for path in self._folder.glob(f"{self._stem}.*{self.suffix}"):
                path.unlink(missing_ok=True)

    def load_overload(self, signature: Any, target_context: Any) -> Any | None:
        """The compiled function for `signature`, or None: then Numba compiles it."""
        target_context.refresh()
        # Whatever is wrong with what is kept, or has changed in Numba: compile, and overwrite it. Nothing is unpickled,
        # not even the identity, before `read_entry` has found it whole and written by this user or root.
        with contextlib.suppress(Exception):
            if self._usable(signature):
                identity = self._identity(signature, target_context.codegen())
                path = self._path(identity)
                kept_identity, *content = pickle.loads(read_entry(path))
                if kept_identity == identity:
                    return self._made(target_context, path, *content)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for `signature`, if that can be done."""
        # A full disk, a folder that went away, an object that cannot be pickled: only the next start is slower.
        with contextlib.suppress(Exception):
            # With dynamic globals, addresses of this process are in the code.
            if not self._usable(signature) or result.lifted or result.library.has_dynamic_globals:
                return
            identity = self._identity(signature, result.codegen)
            path = self._path(identity)
            write_entry(path, dumps((identity, *self._content(result, path))))
            remove_outdated(path.parent, self._file.stem, self.suffix, self._made_of(signature).digest)

    def _content(self, result: Any, path: Path) -> tuple[Any, ...]:
        raise NotImplementedError

    def _made(self, target_context: Any, path: Path, *content: Any) -> Any:
        raise NotImplementedError

    def _processor(self, codegen: Any) -> tuple[Any, ...]:
        """What of the processor decides the code."""
        raise NotImplementedError

    def _usable(self, signature: Any) -> bool:
        return (
            self._enabled
            and KNOWN
            and self._has_sources
            # What a closure holds has no name to know it by.
            and all(function.__closure__ is None for function in self._made_of(signature).functions)
            and self._folder is not None
            and all(sources.are_as_first_seen() for sources in self._made_of(signature).sources)
        )

    def _identity(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """Everything that decides the code."""
        made_of = self._made_of(signature)
        return (
            made_of.digest,
            VERSIONS,
            tuple((name, getattr(numba.config, name, None)) for name in SETTINGS),
            self._processor(codegen),
            (self._function.__module__, self._function.__qualname__, self._function.__code__.co_firstlineno),
            made_of.meaning,
            signature,
        )

    def _path(self, identity: tuple[Any, ...]) -> Path:
        assert self._folder is not None
        key = hashlib.sha256(repr(identity).encode()).hexdigest()[:20]
        return self._folder / f"{self._stem}.{identity[0]}.{key}{self.suffix}"

    @functools.cached_property
    def _stem(self) -> str:
        return f"{self._file.stem}.{self._function.__qualname__.replace('<', '').replace('>', '')}"

    def _made_of(self, signature: Any) -> MadeOf:
        """What the code for a signature is made of."""
        records = frozenset(records_in(signature))
        if records not in self._reached:
            self._reached[records] = MadeOf(self._function, records)
        return self._reached[records]

    @functools.cached_property
    def _folder(self) -> Path | None:
        return folder_for(self._file.parent)


class EntryCache(Cache):
    """The machine code of a function that Python calls. What is compiled is announced."""

    suffix = ".compiled.nbc"

    def __init__(self, function: FunctionType) -> None:
        super().__init__(function)
        self._announced = False

    def load_overload(self, signature: Any, target_context: Any) -> Any | None:
        """See `Cache`."""
        result = super().load_overload(signature, target_context)
        if result is None and self._has_sources and not self._announced:
            self._announced = True
            announce(self._function, self._made_of(signature).functions, self._folder)
        return result

    def _content(self, result: Any, path: Path) -> tuple[Any, ...]:
        return (result._reduce(),)

    def _made(self, target_context: Any, path: Path, *content: Any) -> Any:
        return CompileResult._rebuild(target_context, *content[0])

    def _processor(self, codegen: Any) -> tuple[Any, ...]:
        return tuple(codegen.magic_tuple())
