"""How is a lowered part kept, so that an edit lowers again only what reaches it?

Numba's front end (types, then LLVM's language) takes three quarters of a compilation. A part is what it makes of one
function. On disk a part is its LLVM bitcode, its signature, and the names of the files of the parts that it calls.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from banakil_env.core.jit.cache import Cache
from banakil_env.core.jit.entries import read_entry
from banakil_env.core.jit.lowering import KNOWN

if KNOWN:
    import llvmlite.binding as llvm
    from numba.core.compiler import compile_result
    from numba.core.runtime import rtsys

    from banakil_env.core.jit.lowering import PartLibrary, key_of_part

_libraries: dict[Path, Any] = {}  # that this process has made or read, by the file that they are kept in
_files: dict[Any, Path] = {}  # the same the other way round


class PartCache(Cache):
    """The lowered form of a function that compiled code calls."""

    suffix = ".part.nbc"

    def _content(self, result: Any, path: Path) -> tuple[Any, ...]:
        """KeyError: it calls a part that is not kept."""
        library = result.library
        library._ensure_finalized()
        module = library._final_module.clone()
        called = []
        for other in library._linking_libraries:
            if isinstance(other, PartLibrary):
                called.append(str(_files[other]))
            elif other is not rtsys.library:  # a function of Numba's: it goes into the part
                module.link_in(other._get_module_for_linking(), preserve=True)
        descriptor = result.fndesc
        descriptor.typemap = descriptor.calltypes = None  # needed no more, and large
        _libraries[path], _files[library] = library, path
        return library.name, module.as_bitcode(), called, descriptor, result.environment, result.signature

    def _made(self, target_context: Any, path: Path, *content: Any) -> Any:
        library = _read(target_context.codegen(), path, content)
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

    def _processor(self, codegen: Any) -> tuple[Any, ...]:
        return (codegen.magic_tuple()[0],)  # the kind of machine alone


def _read(codegen: Any, path: Path, content: tuple[Any, ...]) -> Any:
    """The library of a part that is kept, and with it those of the parts that it calls."""
    if path not in _libraries:
        name, bitcode, called, _, environment, _ = content
        library = PartLibrary(codegen, name)
        for other in map(Path, called):
            _, *others = pickle.loads(read_entry(other))
            library.add_linking_library(_read(codegen, other, tuple(others)))
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        library.environment = environment  # which machine code finds by its name, as long as it lives
        _libraries[path], _files[library] = library, path
    return _libraries[path]
