"""stub"""
from __future__ import annotations
from typing import Any
from banakil_env.core.jit import compiled
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.bits import wide
@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """First legal."""
    return legal_at(mask, wide(0))
