"""The points of a round: the cards left in every hand; the lowest total wins (N8.2, N9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, interpreted
from banakil_env.games.contract.rules import CONTRACTS
from banakil_env.games.contract.state import POINTS
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts.rounds import book_round
from banakil_env.kit.pack54 import value_by
from banakil_env.kit.score_lines import Line, some


@compiled
def end_round(state: Any, ending: int, winner: int) -> None:
    """End a round: score it unless turns ran out, and deal the next round of a match that goes on (N8, N9)."""
    scored = ending != T.TURNS
    for seat in range(state.num_players):
        state.points[seat] = value_by(state.hands[seat], POINTS) if scored else 0
    book_round(state, ending, winner, scored, CONTRACTS)


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the line of the score sheet: the cards left in the hand."""
    return some([("cards left in the hand", interpreted(value_by)(state.hands[seat], POINTS))])
