"""Orders the agents of a standing table by age: the first is in the folder `gin-2p`, the second in `gin-2p-2`, etc.

A zoo need not hold all of them: the newest is the agent with the highest number.
"""

from __future__ import annotations

import re
from pathlib import Path

MODEL = "model.safetensors"  # the name that the Hugging Face Hub expects, used in agents/zoo too


def newest(zoo: Path, table: str) -> Path | None:
    """The folder of the newest agent of a standing table; None if `zoo` has no agent for it.

    Args:
        zoo: the folder of agents.
        table: the name of the table, such as `gin-2p`.
    """
    name = re.compile(rf"{re.escape(table)}(?:-(?P<number>[1-9][0-9]*))?")
    numbered = [
        (int(found["number"] or 1), file.parent)
        for file in zoo.glob(f"{table}*/{MODEL}")
        if (found := name.fullmatch(file.parent.name))
    ]
    return max(numbered)[1] if numbered else None
