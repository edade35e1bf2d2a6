"""Journals, the files of tables: JSON lines, each appended whole or not at all.

A line that `add` has accepted has reached the operating system, so it survives if the server is killed. A line that
could not be written completely is cut off again. If that fails too, the journal accepts no line until cutting it off
succeeds: nothing is ever written after an incomplete line.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from banakil_env.core.files import written_whole
from banakil_env.web.protocol import CONFLICT, NO_SPACE, Refused

_APPEND = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
_PRIVATE = 0o600  # a journal holds the keys of its table's seats
PART = ".part"  # the end of the name of a journal whose header is being written


class Journal:
    """A journal file.

    Its first `size` bytes are `lines` complete lines. If `torn` is set, an incomplete line can follow them.
    """

    def __init__(self, path: Path, size: int, lines: int, torn: bool = False) -> None:
        self.path, self.lines = path, lines
        self._size, self._torn, self._closed = size, torn, False

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any]) -> Journal:
        """Create a journal with a header. Raises Refused if it cannot be written; no file is left then."""
        content = _line(header)
        with told("the table is not created"), written_whole(path, private=True) as part, _opened(part, _NEW) as file:
            _write(file, content)
        return cls(path, len(content), 1)

    @classmethod
    def read(cls, path: Path) -> tuple[Journal, list[dict[str, Any]]]:
        """Read a journal and its lines, including the header. An incomplete last line is cut off.

        Raises:
            OSError: the file cannot be read.
            ValueError: a line is damaged; the text gives its number.
        """
        content = path.read_bytes()
        size = content.rfind(b"\n") + 1
        lines = content[:size].split(b"\n")[:-1]
        journal = cls(path, size, len(lines), torn=size < len(content))
        with contextlib.suppress(OSError):  # `add` tries again
            journal._restore()
        return journal, [_entry(number, line) for number, line in enumerate(lines, 1)]

    def add(self, entry: Mapping[str, Any]) -> None:
        """Append a line. Raises Refused if it cannot be written.

        The file is then unchanged, or is restored before the next line.
        """
        if self._closed:
            raise Refused("the table was moved out of memory in the meantime: try again", CONFLICT)
        content = _line(entry)
        with told("nothing has changed"):
            self._restore()
            self._torn = True
            try:
                with _opened(self.path, _APPEND) as file:
                    _write(file, content)
            except OSError:
                with contextlib.suppress(OSError):  # the next `add` tries again
                    self._restore()
                raise
            self._torn = False
        self._size += len(content)
        self.lines += 1

    def close(self) -> None:
        """Accept no further lines, since another object may write this file from now on."""
        self._closed = True

    def _restore(self) -> None:
        """Cut off an incomplete line. Raises OSError if that fails or another program has changed the file."""
        found = self.path.stat().st_size
        if found > self._size and self._torn:
            os.truncate(self.path, self._size)  # needs neither space on the disk nor a file descriptor
        elif found != self._size:
            raise OSError(f"another program has changed it: it has {found} bytes, not {self._size}")
        self._torn = False


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _entry(number: int, line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        raise ValueError(f"line {number} of its file is damaged")
    return entry


def _write(file: int, content: bytes) -> None:
    """Write all bytes, since one call of the system can write only some of them. Raises OSError if this fails."""
    while content:
        written = os.write(file, content)
        if written <= 0:
            raise OSError("the file takes no more bytes")
        content = content[written:]


@contextlib.contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    """Open a file for writing and close it after the block.

    Some systems report failed writes (OSError) only when the file is closed.
    """
    file = os.open(path, flags, _PRIVATE)
    try:
        yield file
    except BaseException:
        with contextlib.suppress(OSError):
            os.close(file)
        raise
    os.close(file)


@contextlib.contextmanager
def told(what: str) -> Iterator[None]:
    """Turn an error of the operating system inside the block into Refused, with a text that says what to do."""
    try:
        yield
    except OSError as error:
        raise Refused(
            f"{what}: the server cannot write a file ({error.strerror or error}). Make room in the folder where it "
            f"keeps tables and studies, then try again",
            NO_SPACE,
        ) from None
