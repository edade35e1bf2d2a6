"""What is a round worth? What each seat has laid on the table, minus what it holds (F9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import compiled
from banakil_env.games.rummy500.state import VALUES
from banakil_env.kit.pack54 import LAYERS


@compiled
def value_of(hand: Any) -> int:
    """What the cards of a hand are worth (F9.2)."""
    value = wide(0)
    for layer in range(LAYERS):
        cards = wide(hand[layer])
        while cards:
            value += VALUES[lowest(cards)]
            cards &= cards - 1
    return value


@compiled
def score_round(state: Any) -> None:
    """Write the points of a round that has ended with scores (F9.1)."""
    for seat in range(wide(state.num_players)):
        state.points[seat] = state.laid[seat] - value_of(state.hands[seat])
