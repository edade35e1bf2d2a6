"""Stores lowered parts on disk, so that an edit lowers only the functions that it affects.

Numba's front end (typing, then lowering to LLVM's language) takes three quarters of a build. Its result for a function
is a part. On disk a part is its LLVM bitcode, its signature, and the names of the files of the parts that it calls.

Numba's own cache looks only at the file of the function itself, so a function stays stale when a helper in another file
changes. Here a part is valid only for exactly the sources, versions and settings from which it was made:

* the content of `core/jit/`, which decides how functions are compiled, and of every file with a compiled function that
  the part reaches: an edit causes only those functions to be lowered again that reach the edited file;
* the values of the global constants and tables that these functions use, wherever they are defined, and the defaults of
  their arguments;
* the versions of Python, Numba, llvmlite and NumPy, the settings in `SETTINGS`, and the kind of machine.

A part is one file. Its name is a digest of all of the above, and it is written in one step (`files.py`): processes need
no lock, and none can read a part that was made from other sources. The name contains no path, so a user's checkouts can
share a folder and find each other's parts. A process whose sources were edited after its start (a notebook that
reloads modules) does not use the disk. A closure, or a function typed at a prompt, is lowered in each process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import llvmlite
import numba
import numpy as np
from numba.core.caching import NullCache

from banakil_env.core.jit.files import folder, read_whole, remove_outdated, write_whole
from banakil_env.core.jit.lowering import KNOWN
from banakil_env.core.jit.meanings.hooks import type_of_record
from banakil_env.core.jit.reach import MadeOf
from banakil_env.core.jit.sources import Sources

if KNOWN:
    import llvmlite.binding as llvm
    from numba.core.compiler import compile_result
    from numba.core.runtime import rtsys
    from numba.core.serialize import dumps

    from banakil_env.core.jit.lowering import PartLibrary, key_of_part, name_makers

SUFFIX = ".part"
SETTINGS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT")  # settings that change the machine code
VERSIONS = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)

_libraries: dict[Path, Any] = {}  # parts that this process has made or read, by path of their file
_files: dict[Any, Path] = {}  # the inverse of `_libraries`


class PartCache(NullCache):
    """The files of one function on disk, in the form of a cache for Numba's dispatcher."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self._function = function = cast(FunctionType, compiled.py_func)
        self._reached: dict[frozenset[Any], MadeOf] = {}  # by the record types of a signature
        file = Path(function.__code__.co_filename)
        # The content is read when the part is first needed, so that later edits are noticed.
        self._has_sources = file.is_file() and Sources.of_root(file) is not None
        name_makers[function] = self.name_of

    def load_overload(self, signature: Any, target_context: Any) -> Any | None:
        """The part for `signature`; None: Numba has to lower it."""
        target_context.refresh()
        # If anything is wrong with the file, or has changed in Numba, the part is lowered again and the file
        # overwritten. Nothing is unpickled, not even the identity, before `read_whole` has checked the file.
        with contextlib.suppress(Exception):
            if self._usable(signature):
                identity = self._identity(signature, target_context.codegen())
                path = self._path(identity)
                kept_identity, *content = pickle.loads(read_whole(path))
                if kept_identity == identity:
                    return _part(target_context, path, content)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Store a part on disk. Does nothing if the part cannot be stored."""
        # If the disk is full, the folder is gone or an object cannot be pickled, the next build only takes longer.
        with contextlib.suppress(Exception):
            # With dynamic globals, the code contains addresses of this process.
            if not self._usable(signature) or result.library.has_dynamic_globals:
                return
            identity = self._identity(signature, result.codegen)
            path = self._path(identity)
            write_whole(path, dumps((identity, *_content(result, path))))
            remove_outdated(path.parent, self._stem, SUFFIX, self._made_of(signature).digest)

    def name_of(self, signature: Any, codegen: Any) -> str | None:
        """The name of the part in symbols: the same in every process, and different for different parts."""
        if not self._usable(signature):
            return None
        return hashlib.sha256(repr(self._identity(signature, codegen)).encode()).hexdigest()[:16]

    def _usable(self, signature: Any) -> bool:
        made_of = self._made_of(signature)
        return self._has_sources and folder() is not None and made_of.can_be_kept() and made_of.are_as_first_seen()

    def _identity(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """Everything that decides the code of the part."""
        made_of = self._made_of(signature)
        return (
            made_of.digest,
            VERSIONS,
            tuple((name, getattr(numba.config, name, None)) for name in SETTINGS),
            codegen.magic_tuple()[0],  # the kind of machine
            (self._function.__module__, self._function.__qualname__, self._function.__code__.co_firstlineno),
            made_of.meaning,
            made_of.bytecode,
            signature,
        )

    def _path(self, identity: tuple[Any, ...]) -> Path:
        kept_in = folder()
        assert kept_in is not None
        key = hashlib.sha256(repr(identity).encode()).hexdigest()[:20]
        return kept_in / f"{self._stem}.{identity[0]}.{key}{SUFFIX}"

    @functools.cached_property
    def _stem(self) -> str:
        """The first part of the file names: the module and the function."""
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return name.removeprefix("banakil_env.").replace("<", "").replace(">", "")

    def _made_of(self, signature: Any) -> MadeOf:
        """The sources of the code for a signature."""
        records = frozenset(records_in(signature))
        if records not in self._reached:
            self._reached[records] = MadeOf([self._compiled], lambda hook: _meanings_of(hook, records))
        return self._reached[records]


def records_in(signature: Any) -> Iterator[Any]:
    """The record types among the types of arguments, including those of arrays, tuple items and fields of records."""
    for kind in signature:
        if isinstance(kind, numba.types.BaseTuple):
            yield from records_in(kind)
        elif not isinstance(kind, numba.types.Record):  # a record type has a `dtype` too: NumPy's
            kind = getattr(kind, "dtype", kind)
        if isinstance(kind, numba.types.Record):
            yield kind
            yield from records_in(field.type for field in kind.fields.values())


def _meanings_of(hook: Any, records: frozenset[Any]) -> list[Any]:
    """The functions and constants that a hook can resolve to for these record types."""
    found = [meaning for dtype, meaning in hook.fills.items() if type_of_record(dtype) in records]
    return found if hook.default is None else [hook.default, *found]


def _content(result: Any, path: Path) -> tuple[Any, ...]:
    """The content of a part's file.

    Raises:
        KeyError: the part calls a part that is not stored.
    """
    library = result.library
    library._ensure_finalized()
    module = library._final_module.clone()
    called: list[str] = []
    own: set[str] = set()
    for other in library._linking_libraries:
        if isinstance(other, PartLibrary):
            called.append(_files[other].name)
        elif other is not rtsys.library:  # a function of Numba, which is stored in the part
            module.link_in(other._get_module_for_linking(), preserve=True)
            own |= {each.name for each in other._get_module_for_linking().functions if not each.is_declaration}
    for name in own:  # Numba numbers its functions: in another process, the name can differ
        module.get_function(name).linkage = "internal"
    descriptor = result.fndesc
    descriptor.typemap = descriptor.calltypes = None  # no longer needed, and large
    _libraries[path], _files[library] = library, path
    return library.name, module.as_bitcode(), called, descriptor, result.environment, result.signature


def _part(target_context: Any, path: Path, content: list[Any]) -> Any:
    """The result of a compilation, made from a stored part."""
    library = _library(target_context.codegen(), path, content)
    *_, descriptor, environment, signature = content
    return compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=key_of_part(descriptor, environment, library),
        fndesc=descriptor,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=[],
        referenced_envs=[],
    )


def _library(codegen: Any, path: Path, content: list[Any]) -> Any:
    """The library of a stored part, linked with those of the parts that it calls."""
    if path not in _libraries:
        name, bitcode, called, _, environment, _ = content
        library = PartLibrary(codegen, name)
        for other in called:
            other_path = path.with_name(other)
            _, *other_content = pickle.loads(read_whole(other_path))
            library.add_linking_library(_library(codegen, other_path, other_content))
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        library.environment = environment  # Numba finds it by its name, as long as it exists
        _libraries[path], _files[library] = library, path
    return _libraries[path]
