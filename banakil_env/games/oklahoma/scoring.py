"""What is a round worth? The seat's melds, the bonus for going out, minus what is left in the hand (O9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.oklahoma.melds import HELD, value_of
from banakil_env.kit.pack54 import value_by


@compiled
def score_round(state: Any, winner: int) -> None:
    """Write the points of a round that has ended with scores; `winner`: the seat that is out, or none (O9.5)."""
    for seat in range(state.num_players):
        bonus = state.rules.out_bonus if seat == winner else 0
        state.points[seat] = bonus - value_by(state.hands[seat], HELD)
    for slot in range(state.num_melds):
        state.points[state.meld_owner[slot]] += value_of(state.melds[slot])
