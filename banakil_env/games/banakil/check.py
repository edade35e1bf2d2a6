"""Is a record a position of Banakil? What the bounds of its fields do not say: cards counted, sizes, phase and turn."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled

FAULTS = ("more partners than four",)


@compiled
def check(state: Any) -> int:
    """0, or a place in FAULTS plus 1; see `core.game.Engine`."""
    return 1 if state.partners and state.num_players != 4 else 0
