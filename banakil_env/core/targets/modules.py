"""Finds or builds the WebAssembly module of some library functions, stored under a digest of its sources."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from pathlib import Path

from banakil_env.core.jit.announce import announce
from banakil_env.core.jit.files import folder, keep_longer, read_whole, remove_outdated, write_whole
from banakil_env.core.jit.library import Array, Entry, compiler
from banakil_env.core.jit.reach import MadeOf, meanings_among
from banakil_env.core.jit.sources import Sources

SUFFIX = ".wasm"
SOURCES = Sources.of_root(Path(__file__).resolve().parent)  # of this target; `MadeOf` covers those of the compiler


def webassembly(name: str, entries: Sequence[Entry]) -> bytes:
    """A WebAssembly module with these functions (`webassembly.py`).

    Args:
        name: the module's name, for its file and for the announcement.
        entries: the functions.

    Returns:
        The module as bytes.

    Raises:
        ModuleNotFoundError: Numba is missing.
        NoLinker: there is no linker for WebAssembly.
    """
    from banakil_env.core.targets.webassembly import build_webassembly

    dtypes = [each.dtype for entry in entries for each in entry.arguments.values() if isinstance(each, Array)]
    made_of = MadeOf([entry.compiled for entry in entries], meanings_among(dtypes))
    kept_in = folder() if made_of.can_be_kept() and made_of.are_as_first_seen() else None
    if kept_in is None:
        return build_webassembly(entries)
    declared = [(entry.symbol, repr(entry.arguments), entry.result) for entry in entries]
    key = hashlib.sha256(repr((declared, made_of.meaning, compiler(), SOURCES.digest)).encode()).hexdigest()[:20]
    path = kept_in / f"{name}.{made_of.digest}.{key}{SUFFIX}"
    with contextlib.suppress(OSError, ValueError):
        content = read_whole(path)
        keep_longer(path)
        return content
    announce(f"{name} as WebAssembly", made_of.functions)
    content = build_webassembly(entries)
    with contextlib.suppress(OSError):  # if the disk is full, the next build only takes longer
        write_whole(path, content)
        remove_outdated(kept_in, name, SUFFIX, made_of.digest)
    return content
