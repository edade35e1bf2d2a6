"""The points of a round: the cards that each seat has laid down, minus the cards left in its hand (F9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.rummy500.state import VALUES
from banakil_env.kit.pack54 import value_by
from banakil_env.kit.score_lines import Line, lines_of, sum_of

PARTS = ("cards laid on the table", "cards left in the hand")
NUM_PARTS = len(PARTS)
LAID, LEFT = range(NUM_PARTS)


@compiled
def write_parts(state: Any, seat: int, parts: Any) -> None:
    """Write the points of a seat into `parts`, one number for each of PARTS (F9.1)."""
    parts[LAID] = state.laid[seat]
    parts[LEFT] = -value_by(state.hands[seat], VALUES)


@compiled
def score_round(state: Any) -> None:
    """Write the points of a round that has ended with scores (F9.1)."""
    parts = scratch(NUM_PARTS)
    for seat in range(state.num_players):
        write_parts(state, seat, parts)
        state.points[seat] = sum_of(parts)


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: the cards that the seat has laid down, less the cards left in its hand
    (F9.1).
    """
    return lines_of(PARTS, write_parts, state, seat)
