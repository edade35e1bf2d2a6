"""Keeps lowered parts on disk, so that an edit lowers again only what reaches it.

Numba's front end (types, then LLVM's language) takes three quarters of a build. A part is what it makes of one
function. On disk a part is its LLVM bitcode, its signature, and the names of the files of the parts that it calls.

Numba's own cache looks only at the file of the function itself, so a function stays stale when a helper in another file
changes. Here a part is good only for exactly the sources, versions and settings it was made from:

* the content of `core/jit/`, which decides how functions are compiled, and of every file that holds a compiled function
  that is reached: an edit anywhere lowers the functions that reach the edited file, and no others;
* the values of the global constants and tables that these functions use, wherever those come from, and the defaults of
  their arguments;
* the versions of Python, Numba, llvmlite and NumPy, the settings in `SETTINGS`, and the kind of machine.

A part is one file, named by the digest of all of the above and put in place in one step (`files.py`): processes need no
lock, and none can read what another made from other sources. The name holds no path, so that every checkout of a user
finds what another has lowered, if they share a folder. A process whose sources were edited after its start (a notebook
that reloads modules) does not use the disk. A closure, or a function typed at a prompt, is lowered in each process.
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
SETTINGS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT")  # change the code made
VERSIONS = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__)

_libraries: dict[Path, Any] = {}  # that this process has made or read, by the file that they are kept in
_files: dict[Any, Path] = {}  # the same the other way round


class PartCache(NullCache):
    """The files of one function on disk, for Numba's dispatcher."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self._function = function = cast(FunctionType, compiled.py_func)
        self._reached: dict[frozenset[Any], MadeOf] = {}  # by the records of a signature
        file = Path(function.__code__.co_filename)
        # Looked at when the part is first needed, so that later edits are noticed.
        self._has_sources = file.is_file() and Sources.of_root(file) is not None
        name_makers[function] = self.name_of

    def load_overload(self, signature: Any, target_context: Any) -> Any | None:
        """The part for `signature`, or None: then Numba lowers it."""
        target_context.refresh()
        # Whatever is wrong with what is kept, or has changed in Numba: lower, and overwrite it. Nothing is unpickled,
        # not even the identity, before `read_whole` has found it whole and written by this user or root.
        with contextlib.suppress(Exception):
            if self._usable(signature):
                identity = self._identity(signature, target_context.codegen())
                path = self._path(identity)
                kept_identity, *content = pickle.loads(read_whole(path))
                if kept_identity == identity:
                    return _part(target_context, path, content)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a part, if that can be done."""
        # A full disk, a folder that went away, an object that cannot be pickled: only the next build is slower.
        with contextlib.suppress(Exception):
            # With dynamic globals, addresses of this process are in the code.
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
        """Everything that decides the code."""
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
        """The first part of the names of its files: the module and the function."""
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return name.removeprefix("banakil_env.").replace("<", "").replace(">", "")

    def _made_of(self, signature: Any) -> MadeOf:
        """The sources of the code for a signature."""
        records = frozenset(records_in(signature))
        if records not in self._reached:
            self._reached[records] = MadeOf([self._compiled], lambda hook: _meanings_of(hook, records))
        return self._reached[records]


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


def _meanings_of(hook: Any, records: frozenset[Any]) -> list[Any]:
    """The meanings that a hook can have for these types of records."""
    found = [meaning for dtype, meaning in hook.fills.items() if type_of_record(dtype) in records]
    return found if hook.default is None else [hook.default, *found]


def _content(result: Any, path: Path) -> tuple[Any, ...]:
    """The content of a part's file. KeyError: it calls a part that is not kept."""
    library = result.library
    library._ensure_finalized()
    module = library._final_module.clone()
    called: list[str] = []
    own: set[str] = set()
    for other in library._linking_libraries:
        if isinstance(other, PartLibrary):
            called.append(_files[other].name)
        elif other is not rtsys.library:  # a function of Numba's: it goes into the part
            module.link_in(other._get_module_for_linking(), preserve=True)
            own |= {each.name for each in other._get_module_for_linking().functions if not each.is_declaration}
    for name in own:  # Numba numbers its functions: in another process another one can have this name
        module.get_function(name).linkage = "internal"
    descriptor = result.fndesc
    descriptor.typemap = descriptor.calltypes = None  # needed no more, and large
    _libraries[path], _files[library] = library, path
    return library.name, module.as_bitcode(), called, descriptor, result.environment, result.signature


def _part(target_context: Any, path: Path, content: list[Any]) -> Any:
    """The result of a compilation, made from what is kept."""
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
    """The library of a part that is kept, and with it those of the parts that it calls."""
    if path not in _libraries:
        name, bitcode, called, _, environment, _ = content
        library = PartLibrary(codegen, name)
        for other in called:
            other_path = path.with_name(other)
            _, *other_content = pickle.loads(read_whole(other_path))
            library.add_linking_library(_library(codegen, other_path, other_content))
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        library.environment = environment  # Numba finds it by its name, as long as it lives
        _libraries[path], _files[library] = library, path
    return _libraries[path]
