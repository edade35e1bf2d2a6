"""The points of a round of Hand and Foot in parts (HF10); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.scoring import PARTS, write_parts
from banakil_env.kit.score_lines import Line, lines_of
from banakil_env.kit.table_state import NO_SEAT, OUT
from banakil_env.kit.two_sides import NUM_SIDES, side_of


def lines(state: Any, seat: int) -> list[Line]:
    """Melded cards, piles, red Threes, exact deals and going out, less hands and feet of the side."""
    side = interpreted(side_of)(state, seat)
    held = [f"hand and foot of seat {each}" for each in range(side, S.MAX_SEATS, NUM_SIDES)]
    winner = state.winner if state.ending == OUT else NO_SEAT
    return lines_of([*PARTS, *held], write_parts, state, side, winner)


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
