"""The points of a round: the winner scores the cards left in the other hands, multiplied for going rummy (R9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, interpreted
from banakil_env.core.scratch import scratch
from banakil_env.games.rummy.state import MAX_SEATS, RUMMY
from banakil_env.kit.pack52 import VALUES, value_of
from banakil_env.kit.rounds import no_points
from banakil_env.kit.score_lines import Line, lines_of, sum_of, times
from banakil_env.kit.table_state import NO_SEAT


@compiled
def write_parts(state: Any, parts: Any) -> None:
    """Write into `parts` the points of the cards left in each hand. The player who goes out scores their sum (R9.1)."""
    for seat in range(MAX_SEATS):
        parts[seat] = value_of(state.hands[seat, 0], VALUES) if seat < state.num_players else 0


@compiled
def factor_of(state: Any, ending: int) -> int:
    """Return the factor of the points of a round with this ending (R9.2)."""
    return state.rules.rummy_factor if ending == RUMMY else 1


@compiled
def score_round(state: Any, ending: int, winner: int) -> None:
    """Write the points of a round with this ending into the state (R9.1, R9.2).

    `winner` is the seat that went out, or NO_SEAT.
    """
    no_points(state)
    if winner != NO_SEAT:
        parts = scratch(MAX_SEATS)
        write_parts(state, parts)
        state.points[winner] = factor_of(state, ending) * sum_of(parts)


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: the cards left in each other hand, multiplied for going rummy (R9.1,
    R9.2).
    """
    if seat != state.winner:
        return []
    hands = lines_of([f"cards left by seat {each}" for each in range(MAX_SEATS)], write_parts, state)
    return times(int(interpreted(factor_of)(state, state.ending)), hands)
