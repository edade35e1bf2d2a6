"""The hook that checks whether a turn can continue: by default, whether the seat to move has a choice."""

from __future__ import annotations

from typing import Any

from banakil_env.core.engine import count_actions
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.kit.table_state import CHOOSE


@compiled
def has_choice(state: Any) -> bool:
    """Whether the seat to move has a legal action; while it must choose a meld, whether it has at least two."""
    return count_actions(state) > (state.phase == CHOOSE)


@hook
def can_go_on(state: Any) -> bool:
    """Whether the turn can continue: by default, whether the seat to move has a choice."""
    return has_choice(state)
