"""How is a file written whole or not at all, and how is an untrusted file read?"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A temporary path to write to; what lies there when the block ends takes the place of `path`.

    A block that raises leaves `path` unchanged and no other file; a process that is killed leaves at most a file
    `.NAME.part`, which the next run overwrites. The folder is created if it does not exist.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a crash at any moment leaves the old one or the new one; see `written_whole`."""
    with written_whole(path) as part:
        part.write_bytes(content)


def check_size(path: Path, most: int) -> None:
    """ValueError: a file has more than `most` bytes; the text goes on after the file's name. OSError: no such file.

    A file with holes can take no space on disk and still fill the memory when it is read.
    """
    size = path.stat().st_size
    if size > most:
        raise ValueError(f"has {size:,} bytes, and at most {most:,} are read: this is no such file")


def read_within(path: Path, most: int) -> bytes:
    """The content of a file of at most `most` bytes; see `check_size`."""
    check_size(path, most)
    with open(path, "rb") as file:
        content = file.read(most + 1)  # it may have grown
    if len(content) > most:
        raise ValueError(f"has more than {most:,} bytes, which is the most that is read")
    return content
