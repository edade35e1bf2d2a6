"""The points of a round of Contract Rummy in parts (N9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.contract.state import POINTS
from banakil_env.kit.pack54 import value_by
from banakil_env.kit.score_lines import Line, some


def lines(state: Any, seat: int) -> list[Line]:
    """The cards left in the hand."""
    held = some([("cards left in the hand", interpreted(value_by)(state.hands[seat], POINTS))])
    return held
