"""Writes files completely or not at all, and reads untrusted files within limits.

The functions that read raise a ValueError whose message continues a sentence that begins with the file's name.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, Any

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

# A temporary file without a lock, this many seconds old, was left by a process that was killed. A process creates and
# locks a file in two steps, so a new file can lack its lock. On systems without such locks the limit is a day.
LEFT_AFTER = 2.0 if fcntl else 24 * 3600.0
MOST_DIGITS = 20  # of an integer in JSON: seeds have up to 20
MOST_LEVELS = 32  # depth of nested lists and objects; files of this project have at most ten levels


@contextlib.contextmanager
def written_whole(path: Path, private: bool = False) -> Iterator[Path]:
    """Yield a temporary path to write to; when the block ends, that file replaces `path`.

    Several processes can write the same path at the same time: each has a separate temporary path, and the file of the
    last process to finish is kept. If the block raises, `path` is unchanged and the temporary file is removed. A
    process that is killed leaves at most a file `.NAME.RANDOM.part`, which the next run removes. The folder is created
    if it does not exist.

    Args:
        path: the file to write or replace.
        private: only the user can read the file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_left(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with _made(part, private):
            yield part
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _made(part: Path, private: bool) -> Iterator[None]:
    """Create the temporary file `part` and hold a lock on it; the system releases the lock if the process ends.

    If `private`, only the user can read the file.
    """
    handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    if fcntl is None:
        os.close(handle)
        yield
        return
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _is_written(part: Path) -> bool:
    """Whether a process holds a lock on a temporary file."""
    if fcntl is None:
        return False
    with part.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _remove_left(path: Path) -> None:
    """Remove temporary files of `path` that were left by processes that were killed."""
    oldest = time.time() - LEFT_AFTER
    with contextlib.suppress(OSError):  # another process removes them too, or the folder cannot be read
        for left in [each for each in path.parent.iterdir() if _is_part(each.name, path.name)]:
            if left.stat().st_mtime < oldest and not _is_written(left):
                left.unlink(missing_ok=True)


def _is_part(name: str, of: str) -> bool:
    return name.startswith(f".{of}.") and name.endswith(".part")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a crash at any time leaves either the old or the new content; see `written_whole`."""
    with written_whole(path) as part:
        part.write_bytes(content)


def check_size(path: Path, most: int) -> None:
    """Check the size of a file before it is read: a file with holes takes no disk space and still fills the memory.

    Raises:
        ValueError: the file has more than `most` bytes, or is a pipe, a device or a socket.
        OSError: there is no such file.
    """
    found = path.stat()
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):  # reading from a pipe can wait for ever
        raise ValueError("is not a file but a pipe, a device or a socket")
    size = found.st_size
    if size > most:
        raise ValueError(f"has {size:,} bytes, and at most {most:,} are read: this is another kind of file")


def read_within(path: Path, most: int) -> bytes:
    """The content of a file of at most `most` bytes; see `check_size` for errors."""
    check_size(path, most)
    with open(path, "rb") as file:
        content = file.read(most + 1)  # the file can have grown since it was checked
    if len(content) > most:
        raise ValueError(f"has more than {most:,} bytes, which is the most that is read")
    return content


def lines_within(file: IO[bytes], most: int, longest: int) -> Iterator[bytes]:
    """Yield the lines of an open file, including line ends; the last line can be incomplete.

    Args:
        file: a file that is open for reading bytes.
        most: largest number of lines.
        longest: largest number of bytes per line.

    Raises:
        ValueError: there are more lines, or a line is longer.
    """
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if number > most:
            raise ValueError(f"has more than {most:,} lines, which is the most that is read")
        if len(line) > longest:
            raise ValueError(f"has more than {longest:,} bytes in line {number}, which is the most that is read")
        yield line


def parse_json(text: str | bytes, finite: bool = True) -> Any:
    """The value of an untrusted JSON text, with limits that rule out ambiguous and oversized values.

    The keys of an object must be unique, so that all readers see the same value. An integer has at most `MOST_DIGITS`
    digits. Lists and objects are nested at most `MOST_LEVELS` deep.

    Args:
        text: the JSON text.
        finite: raise an error for NaN and infinity, which Python's `json` writes.

    Raises:
        ValueError: the text is not JSON, or breaks a limit.
    """
    odd: dict[str, Any] = {"parse_constant": _no_number, "parse_float": _finite} if finite else {}
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_int=_whole, **odd)
    except RecursionError:
        value = None
    else:
        if _within(value, MOST_LEVELS):
            return value
    raise ValueError(f"more than {MOST_LEVELS} lists and objects are nested")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"an object has the key {name!r:.80} twice")
        found[name] = value
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is not a number of JSON")


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS + 1:  # plus one for a sign
        raise ValueError(f"a number of {len(text):,} digits, and at most {MOST_DIGITS} are read")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text:.40} is too large for a number")
    return number


def _within(value: Any, levels: int) -> bool:
    """Whether lists and objects are nested at most `levels` deep."""
    if not isinstance(value, (dict, list)):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_within(one, levels - 1) for one in inner)
