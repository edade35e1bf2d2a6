"""What is a round worth? The cards left in the other hands, more for going rummy (R9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.rummy.state import RUMMY
from banakil_env.kit.pack52 import VALUES, value_of
from banakil_env.kit.table_state import NO_SEAT


@compiled
def score_round(state: Any, ending: int, winner: int) -> None:
    """Write the points of a round with this ending; `winner` is the seat that is out, or NO_SEAT (R9.1, R9.2)."""
    left = 0
    for seat in range(state.num_players):
        state.points[seat] = 0
        left |= state.hands[seat, 0]
    if winner != NO_SEAT:
        factor = state.rules.rummy_factor if ending == RUMMY else 1
        state.points[winner] = factor * value_of(left, VALUES)
