"""The points of a round of Rummy in parts (R9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.rummy.scoring import factor_of, write_parts
from banakil_env.games.rummy.state import MAX_SEATS
from banakil_env.kit.score_lines import Line, lines_of, times


def lines(state: Any, seat: int) -> list[Line]:
    """The cards left in the other hands, counted more than once for going rummy (R9.1, R9.2)."""
    if seat != state.winner:
        return []
    hands = lines_of([f"cards left by seat {each}" for each in range(MAX_SEATS)], write_parts, state)
    return times(int(interpreted(factor_of)(state, state.ending)), hands)
