"""Finds the folder on disk for compiled code, and decides whether a file is safe to load.

A file consists of the SHA-256 digest of its name and content, followed by the content. Damaged code can crash or play
by other rules, and unpickling a part can run any code. So a file is only used if its digest matches, and if only this
user and root can have written the file and its folder.
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
    grp = pwd = None  # type: ignore[assignment]  # they are modules on other systems

SECONDS_TO_KEEP = 24 * 60 * 60  # time for which files made from other sources are kept
PACKAGE = Path(__file__).resolve().parents[2]
DIGEST_BYTES = hashlib.sha256().digest_size
ROOT = 0


class UnsafeFile(ValueError):
    """A file that is damaged, or that another user can have written."""


def read_whole(path: Path) -> bytes:
    """Read a file, after checking that it is complete and was written by this user or root.

    Raises:
        UnsafeFile: the digest does not match, or another user owns or can write the file or its folder.
        OSError: the file cannot be read.
    """
    check_safe(path)
    with open(path, "rb") as file:
        _check_safe(os.fstat(file.fileno()), path)  # the open file: its name can belong to another file by now
        kept = file.read()
    digest, content = kept[:DIGEST_BYTES], kept[DIGEST_BYTES:]
    if digest != _digest(path, content):
        raise UnsafeFile(f"{path} is damaged")
    return content


def write_whole(path: Path, content: bytes) -> None:
    """Write a file with its digest, atomically: readers see the old file or the new one, never a part."""
    put_in_place(path, _digest(path, content) + content)


def put_in_place(path: Path, content: bytes) -> None:
    """Write a file atomically, by writing a temporary file and renaming it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name[:40], suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)  # mkstemp makes it private, but all users can use what root compiles
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _digest(path: Path, content: bytes) -> bytes:
    """The digest of a file's name and content. The name contains the digest of the sources, so swapped files do not
    match.
    """
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()


def check_safe(path: Path) -> None:
    """Check that only this user and root can have written a file.

    Files in this package are trusted if they are as well protected as this module.

    Raises:
        UnsafeFile: another user owns or can write the file or its folder.
        OSError: there is no such file.
    """
    _check_safe(os.stat(path.parent), path.parent)
    _check_safe(os.stat(path), path)


def _check_safe(found: os.stat_result, path: Path) -> None:
    with_us = PACKAGE in path.parents and _as_safe_as(os.stat(__file__), found)
    if not with_us and not only_we_can_write(found):
        raise UnsafeFile(f"{path} belongs to another user, or can be written by another user")


def _as_safe_as(code: os.stat_result, found: os.stat_result) -> bool:
    """Whether every user who can write a file can also write the code that this process runs."""
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return (found.st_uid, found.st_gid) == (code.st_uid, code.st_gid) and not others & ~code.st_mode


def only_we_can_write(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user or root, and no other user can write it.

    Always true on Windows, which has no such owners and modes; there the user's folders are closed to others by
    default.
    """
    if not hasattr(os, "geteuid"):
        return True
    if found.st_uid not in (os.geteuid(), ROOT) or found.st_mode & stat.S_IWOTH:
        return False
    return not found.st_mode & stat.S_IWGRP or _is_private(found.st_gid, found.st_uid)


@functools.cache
def _is_private(group: int, user: int) -> bool:
    """Whether a group is root's, or the user's private group: with the user's name and no other member.

    With private groups, new files are often writable for the group (umask 002).
    """
    if group == ROOT:
        return True
    try:
        name, members = grp.getgrgid(group).gr_name, grp.getgrgid(group).gr_mem
        return name == pwd.getpwuid(user).pw_name and set(members) <= {name}
    except KeyError:  # a group or user without a name, as in containers
        return False


def _candidates() -> list[Path]:
    """The folders in which compiled code can be stored: the configured one, the user's cache, and a folder in the
    package.
    """
    candidates = [Path(CACHE_DIR)] if CACHE_DIR else []
    with contextlib.suppress(RuntimeError):  # no home folder
        candidates.append(_user_cache() / "banakil_env" / "compiled")
    candidates.append(Path(__file__).parent / "__pycache__")
    return candidates


@functools.cache
def folder() -> Path | None:
    """The folder that this process writes compiled code into: the first usable one of `_candidates`.

    A folder that another user owns or can write is skipped; None if no folder is left.
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
    """The folders that are searched for compiled code.

    They include folders that only root can write, such as one that `banakil build` has filled for all users of a
    machine.
    """
    return [each for each in dict.fromkeys([folder(), *_candidates()]) if each is not None and os.path.isdir(each)]


def _user_cache() -> Path:
    """The system's folder for data that programs can compute again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def keep_longer(path: Path) -> None:
    """Mark a file as used; files that have not been used for a day can be removed."""
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > SECONDS_TO_KEEP / 24:
            os.utime(path)


@functools.cache
def remove_outdated(kept_in: Path, stem: str, suffix: str, sources_digest: str) -> None:
    """Remove files of one function or library that were made from other sources and not used for a day.

    A second call with the same arguments does nothing.

    Args:
        kept_in: the folder.
        stem: the beginning of the files' names.
        suffix: the end of the files' names.
        sources_digest: the digest of the current sources; files with this digest in their names are kept.
    """
    oldest = time.time() - SECONDS_TO_KEEP
    for path in kept_in.glob(f"{stem}.*{suffix}"):
        try:
            if path.suffix == ".lock":  # another process can hold the lock
                continue
            if f".{sources_digest}." not in path.name and path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:  # another process has removed it, or has it open
            pass
