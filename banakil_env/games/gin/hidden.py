"""What could the hidden cards be? As in `kit/hidden.py`: a hand is shown before it must satisfy anything (G5.4)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import read_bits
from banakil_env.core.jit import compiled
from banakil_env.games.gin.state import MAX_SEATS
from banakil_env.kit import hidden
from banakil_env.kit.pack52 import NUM_FACES

redeal_hidden = hidden.redeal_hidden


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`."""
    hidden.suppose_common(seen, seed, state)
    state.taken, state.repeated, state.upcards = seen.taken, seen.repeated, seen.upcards
    state.limit, state.doubled = seen.limit, seen.doubled
    state.laid_off = read_bits(seen.laid_off, 0, NUM_FACES)
    for place in range(MAX_SEATS):
        state.boxes[place] = seen.boxes[place]
