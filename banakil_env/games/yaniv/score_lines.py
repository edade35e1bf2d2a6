"""The points of a round of Yaniv in parts (Y4); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.kit.pack54 import total_of
from banakil_env.kit.score_lines import Line, some


def lines(state: Any, seat: int) -> list[Line]:
    """The cards in the hand, and the changes by the call."""
    held = interpreted(total_of)(state.hands[seat])
    changed = int(state.points[seat]) - int(held)
    called = seat == state.winner
    words = "the call was beaten" if changed > 0 else "the call was the lowest" if called else "lowest hand"
    return some([("cards in the hand", held), (words, changed)])
