"""The points of a round of Hand and Foot in parts (HF10); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.hand_and_foot import scoring
from banakil_env.games.hand_and_foot import state as S
from banakil_env.kit.score_lines import Line, some
from banakil_env.kit.table_state import OUT
from banakil_env.kit.two_sides import NUM_SIDES, side_of


def lines(state: Any, seat: int) -> list[Line]:
    """Melded cards, piles, red Threes, exact deals and going out, less hands and feet of the side."""
    side = interpreted(side_of)(state, seat)
    seats = range(side, S.MAX_SEATS, NUM_SIDES)
    is_out = state.ending == OUT and interpreted(side_of)(state, int(state.winner)) == side
    return some(
        [
            ("melded cards", interpreted(S.laid_value)(state, side)),
            ("complete piles", interpreted(scoring.pile_points)(state, side)),
            ("red Threes", scoring.RED_THREE * int(sum(state.red_threes[side]))),
            ("hands dealt exactly", scoring.DEAL_BONUS * sum(int(state.deal_bonus[each]) for each in seats)),
            ("going out", scoring.GOING_OUT * is_out),
            *((f"hand and foot of seat {each}", -interpreted(scoring.held_value)(state, each)) for each in seats),
        ]
    )


def first_meld(state: Any) -> tuple[int, int] | None:
    """The value that the first meld of the side to move needs, and the value laid so far; None: no first meld
    is due.
    """
    side = interpreted(side_of)(state, int(state.seat))
    missing = int(interpreted(S.missing_value)(state, side))
    if missing <= 0:
        return None
    needed = int(interpreted(S.minimum)(state))
    return needed, needed - missing
