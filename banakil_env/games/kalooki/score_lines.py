"""The points of a round of Kalooki in parts (K8); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.kalooki.state import BENT, POINTS
from banakil_env.kit.pack54 import value_by
from banakil_env.kit.score_lines import Line, some, times


def lines(state: Any, seat: int) -> list[Line]:
    """The cards left in the hand, twice if the table was bent."""
    held = some([("cards left in the hand", interpreted(value_by)(state.hands[seat], POINTS))])
    return times(2 if state.ending == BENT else 1, held)
