"""What is a round worth? What each seat has laid on the table, minus what it holds (F9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.rummy500.state import VALUES
from banakil_env.kit.pack54 import value_by


@compiled
def score_round(state: Any) -> None:
    """Write the points of a round that has ended with scores (F9.1)."""
    for seat in range(state.num_players):
        state.points[seat] = state.laid[seat] - value_by(state.hands[seat], VALUES)
