"""How is a file written so that nobody ever finds half of it? Beside its place, and moved there when it is whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Where to write meanwhile; what lies there when the block ends takes the place of `path`.

    A block that raises leaves `path` as it was and nothing beside it; a process that is killed leaves at most a file
    `.NAME.part`, which the next run writes over. The folder is made if it is not there.
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
