"""`greedy`."""
from __future__ import annotations
from typing import Any
from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    return legal_at(mask, wide(0))
