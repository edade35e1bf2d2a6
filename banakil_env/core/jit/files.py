"""Finds the folder on disk for compiled code, and decides whether a file is safe to load.

A file is the SHA-256 of its name and its content, then the content. Damaged code can crash or play another game, and
unpickling a part can run any code. So nothing is used before two questions are answered: does the digest fit, and can
nobody but this user and root have written the file? The second is asked of the folder too.
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

from banakil_env.core.jit.settings import CACHE_DIR

try:
    import grp
    import pwd
except ImportError:  # pragma: no cover (Windows)
    grp = pwd = None  # type: ignore[assignment]  # modules elsewhere

SECONDS_TO_KEEP = 24 * 60 * 60  # how long files made from other sources stay: long enough to change branches and back
PACKAGE = Path(__file__).resolve().parents[2]
DIGEST_BYTES = hashlib.sha256().digest_size
ROOT = 0


class UnsafeFile(ValueError):
    """A file that is damaged, or that another user can have written."""


def read_whole(path: Path) -> bytes:
    """The content of a file, whole and written by this user or root.

    Raises:
        UnsafeFile: the digest does not match, or another user owns or can write the file or its folder. OSError: the
            file cannot be read.
    """
    check_safe(path)
    with open(path, "rb") as file:
        _check_safe(os.fstat(file.fileno()), path)  # of the open file, whatever file has its name by now
        kept = file.read()
    digest, content = kept[:DIGEST_BYTES], kept[DIGEST_BYTES:]
    if digest != _digest(path, content):
        raise UnsafeFile(f"{path} is damaged")
    return content


def write_whole(path: Path, content: bytes) -> None:
    """Write a file as a whole: readers see the old file or the new one, never a part."""
    put_in_place(path, _digest(path, content) + content)


def put_in_place(path: Path, content: bytes) -> None:
    """Write a file elsewhere and rename it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name[:40], suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)  # mkstemp makes the file private; what root compiles serves all users
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _digest(path: Path, content: bytes) -> bytes:
    """The digest covers the name, which holds the digest of the sources: swapped files do not match."""
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()


def check_safe(path: Path) -> None:
    """Raise UnsafeFile if another user owns or can write the file or its folder. OSError: there is no such file. Files
    next to this module are trusted like the module itself.
    """
    _check_safe(os.stat(path.parent), path.parent)
    _check_safe(os.stat(path), path)


def _check_safe(found: os.stat_result, path: Path) -> None:
    with_us = PACKAGE in path.parents and _as_safe_as(os.stat(__file__), found)
    if not with_us and not only_we_can_write(found):
        raise UnsafeFile(f"{path} belongs to another user, or other users can write it")


def _as_safe_as(code: os.stat_result, found: os.stat_result) -> bool:
    """Whether nobody can write a file who cannot write the code that this process runs."""
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return (found.st_uid, found.st_gid) == (code.st_uid, code.st_gid) and not others & ~code.st_mode


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


def _candidates() -> list[Path]:
    """The folders where compiled code can be: as configured, in the user's cache, and in the package."""
    candidates = [Path(CACHE_DIR)] if CACHE_DIR else []
    with contextlib.suppress(RuntimeError):  # no home folder
        candidates.append(_user_cache() / "banakil_env" / "compiled")
    candidates.append(Path(__file__).parent / "__pycache__")
    return candidates


@functools.cache
def folder() -> Path | None:
    """The folder that this process writes compiled code into, the first possible one of `_candidates`.

    None if no folder is safe: a folder that another user owns or can write is skipped.
    """
    for candidate in _candidates():
        try:
            candidate.mkdir(mode=0o755, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=candidate).close()
            if only_we_can_write(os.stat(candidate)):
                return candidate
        except OSError:
            continue
    return None


@functools.cache
def folders_to_read() -> list[Path]:
    """The folders that are searched for compiled code: also those that only root can write, such as a folder
    that `banakil build` has filled for all users of a machine.
    """
    return [each for each in dict.fromkeys([folder(), *_candidates()]) if each is not None and os.path.isdir(each)]


def _user_cache() -> Path:
    """Where programs on this system keep data that they can make again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def keep_longer(path: Path) -> None:
    """Mark a file as used: files that are not used for a day can be removed."""
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > SECONDS_TO_KEEP / 24:
            os.utime(path)


@functools.cache
def remove_outdated(kept_in: Path, stem: str, suffix: str, sources_digest: str) -> None:
    """Remove old files of one function or library that were made from other sources, once per process."""
    oldest = time.time() - SECONDS_TO_KEEP
    for path in kept_in.glob(f"{stem}.*{suffix}"):
        try:
            if path.suffix == ".lock":  # it may be held
                continue
            if f".{sources_digest}." not in path.name and path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:  # another process was first, or has it open
            pass
