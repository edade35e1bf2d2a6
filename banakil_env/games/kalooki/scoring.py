"""The points of a round: the cards left in each hand, doubled if the table was bent; the lowest total wins (K8, K9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, interpreted
from banakil_env.games.kalooki.rules import CONTRACTS
from banakil_env.games.kalooki.state import BENT, POINTS
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts.rounds import book_round
from banakil_env.kit.pack54 import value_by
from banakil_env.kit.score_lines import Line, some, times


@compiled
def end_round(state: Any, ending: int, winner: int) -> None:
    """End a round: score it if a seat is out, and deal the next round of a match that goes on (K8, K9)."""
    times = int(ending == T.OUT) + 2 * int(ending == BENT)
    for seat in range(state.num_players):
        state.points[seat] = times * value_by(state.hands[seat], POINTS)
    book_round(state, ending, winner, times > 0, CONTRACTS)


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the line of the score sheet: the cards left in the hand, doubled if the table was bent."""
    held = some([("cards left in the hand", interpreted(value_by)(state.hands[seat], POINTS))])
    return times(2 if state.ending == BENT else 1, held)
