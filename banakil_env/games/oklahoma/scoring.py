"""The points of a round: the seat's melds and the bonus for going out, minus the cards left in the hand (O9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.oklahoma.melds import HELD, value_of
from banakil_env.kit.pack54 import value_by
from banakil_env.kit.score_lines import Line, lines_of, sum_of

PARTS = ("melds", "going out", "cards left in the hand")
NUM_PARTS = len(PARTS)
MELDS, GOING_OUT, LEFT = range(NUM_PARTS)


@compiled
def write_parts(state: Any, seat: int, winner: int, parts: Any) -> None:
    """Write the points of a seat into `parts`, one number for each of PARTS (O9.5).

    `winner` is the seat that is out, or NO_SEAT.
    """
    parts[MELDS] = 0
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == seat:
            parts[MELDS] += value_of(state.melds[slot])
    parts[GOING_OUT] = state.rules.out_bonus if seat == winner else 0
    parts[LEFT] = -value_by(state.hands[seat], HELD)


@compiled
def score_round(state: Any, winner: int) -> None:
    """Write the points of a round that has ended with scores (O9.5); `winner` is the seat that is out, or NO_SEAT."""
    parts = scratch(NUM_PARTS)
    for seat in range(state.num_players):
        write_parts(state, seat, winner, parts)
        state.points[seat] = sum_of(parts)


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: the seat's melds, the bonus for going out, and the cards left in the
    hand.
    """
    return lines_of(PARTS, write_parts, state, seat, state.winner)
