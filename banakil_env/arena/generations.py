"""Which agent of a table is the newest? Its first is in the folder `gin-2p`, its second in `gin-2p-2`, and so on.

An earlier agent stays as it is, since tasks of the suite, results and papers name it.
"""

from __future__ import annotations

import itertools
from pathlib import Path

MODEL = "model.safetensors"  # the same in the layout of the Hugging Face Hub, and so in agents/zoo


def newest(zoo: Path, table: str) -> Path | None:
    """The folder of the newest agent of a standing table. None: `zoo` has no agent of it.

    Args:
        zoo: the folder of agents. table: the name of the table, such as `gin-2p`.
    """
    found = None
    names = itertools.chain([table], (f"{table}-{number}" for number in itertools.count(2)))
    for folder in (zoo / name for name in names):
        if not (folder / MODEL).is_file():
            break
        found = folder
    return found
