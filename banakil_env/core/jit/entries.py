"""Where is compiled code kept on disk, and when is an entry safe to load?

An entry is one file: the SHA-256 of its name and its content, then the content, a pickle. Unpickling can run any code,
and damaged code can crash or play another game. So nothing is unpickled before two questions are answered: does
the digest fit, and can nobody but this user and root have written the file? The second is asked of the folder too.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import sys
import tempfile
import time
from pathlib import Path

import numba

try:
    import grp
    import pwd
except ImportError:  # pragma: no cover (Windows)
    grp = pwd = None  # type: ignore[assignment]  # modules elsewhere

SECONDS_TO_KEEP = 24 * 60 * 60  # how long entries made from other sources stay; long enough to change branches and back
DIGEST_BYTES = hashlib.sha256().digest_size
ROOT = 0


class UnsafeEntry(ValueError):
    """An entry that is damaged, or that another user can have written."""


def read_entry(path: Path) -> bytes:
    """The content of an entry, whole and written by this user or root.

    Raises:
        UnsafeEntry: a digest that does not fit, or a file or folder that another user owns or can write.
        OSError: the file cannot be read.
    """
    _check_safe(os.stat(path.parent), path.parent)
    with open(path, "rb") as file:
        _check_safe(os.fstat(file.fileno()), path)  # of the open file, whatever file has its name by now
        kept = file.read()
    digest, content = kept[:DIGEST_BYTES], kept[DIGEST_BYTES:]
    if digest != _digest(path, content):
        raise UnsafeEntry(f"{path} is damaged")
    return content


def write_entry(path: Path, content: bytes) -> None:
    """Put a whole entry in place, or none: readers never see half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name[:40], suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(path, content) + content)
        os.chmod(temporary, 0o644)  # mkstemp makes the file private; what root compiles serves all users
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _digest(path: Path, content: bytes) -> bytes:
    """The digest covers the name, which holds the digest of the entry's sources: swapped entries do not match."""
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()


def _check_safe(found: os.stat_result, path: Path) -> None:
    if not only_we_can_write(found):
        raise UnsafeEntry(f"{path} belongs to another user, or other users can write it")


def only_we_can_write(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user or root, and no other user can write it.

    Windows has no such owners and modes; there the user's own folders are closed to others by default.
    """
    if not hasattr(os, "geteuid"):
        return True
    if found.st_uid not in (os.geteuid(), ROOT) or found.st_mode & stat.S_IWOTH:
        return False
    return not found.st_mode & stat.S_IWGRP or _is_private(found.st_gid, found.st_uid)


@functools.cache
def _is_private(group: int, user: int) -> bool:
    """Whether a group is root's, or the user's own: of the same name and with no other member, as systems make it.

    With such groups new files are often writable for the group (umask 002).
    """
    if group == ROOT:
        return True
    try:
        name, members = grp.getgrgid(group).gr_name, grp.getgrgid(group).gr_mem
        return name == pwd.getpwuid(user).pw_name and set(members) <= {name}
    except KeyError:  # a group or user without a name, as containers have
        return False


@functools.cache
def folder_for(sources: Path) -> Path | None:
    """The folder for entries of functions in the folder `sources`: as configured, in `sources`, in the user's cache.

    None if no folder is safe: a folder that another user owns or can write is skipped.
    """
    subfolder = f"{sources.parent.name}_{sources.name}"  # no path: names of entries are made of content
    candidates = [sources / "__pycache__"]
    if numba.config.CACHE_DIR:
        candidates.insert(0, Path(numba.config.CACHE_DIR, subfolder))
    with contextlib.suppress(RuntimeError):  # no home folder
        candidates.append(_user_cache() / "banakil_env" / subfolder)
    for folder in candidates:
        try:
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            if not only_we_can_write(os.stat(folder)):
                continue
        except OSError:
            continue
        return folder
    return None


def _user_cache() -> Path:
    """Where programs on this system keep data that they can make again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@functools.cache
def remove_outdated(folder: Path, file_stem: str, suffix: str, sources_digest: str) -> None:
    """Remove old entries of one file's functions made from other sources, once per process."""
    oldest = time.time() - SECONDS_TO_KEEP
    for path in folder.glob(f"{file_stem}.*{suffix}"):
        try:
            if f".{sources_digest}." not in path.name and path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:  # another process was first, or has it open
            pass
