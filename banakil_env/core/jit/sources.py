"""Detects whether the sources on disk differ from those that this process runs."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

JIT = Path(__file__).resolve().parent


class Sources:
    """The `.py` files in a folder and its subfolders, or one file, with a digest of their content when first read."""

    def __init__(self, root: Path) -> None:
        self.root = root
        digest = hashlib.sha256()
        try:
            self._stamps = self._look()
            for path in sorted(self._stamps):
                content = Path(path).read_bytes()
                digest.update(f"{os.path.relpath(path, root)}\0{len(content)}\0".encode())
                digest.update(content)
        except OSError:  # a file disappeared or cannot be read: treat the sources as changed
            self._stamps = {}
        self.digest = digest.hexdigest()

    @classmethod
    @functools.cache
    def of_root(cls, root: Path) -> Sources:
        return cls(root)

    def are_as_first_seen(self) -> bool:
        """Whether no file has been added, removed or written since. It takes one `stat` per file and reads no file."""
        try:
            return self._look() == self._stamps
        except OSError:
            return False

    def _look(self) -> dict[str, tuple[int, int]]:
        """The time of change in ns and the size in bytes of each file, by path."""
        return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in _python_files(str(self.root))}


def _python_files(root: str) -> Iterator[tuple[str, os.stat_result]]:
    if os.path.isfile(root):
        yield root, os.stat(root)
        return
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.name.endswith(".py") and entry.is_file():
                yield entry.path, entry.stat()
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _python_files(entry.path)


# Computed at import, before the modules with the functions are imported: this process will run the sources now on disk.
JIT_SOURCES = Sources.of_root(JIT)
