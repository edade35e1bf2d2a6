"""The points of a round of Hand in parts (H9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.hand.scoring import OUT_POINTS, first_meld_value, hand_points
from banakil_env.games.hand.state import has_melded, side_of
from banakil_env.kit.score_lines import Line, some, times


def lines(state: Any, seat: int) -> list[Line]:
    """Going out, or the points of the hand; counted several times after a full hand. The lines of partners are
    added up.
    """
    winner = int(state.winner)
    factor = -int(state.points[winner]) // OUT_POINTS  # the side that is out has nothing else
    seats = sorted({seat, seat ^ 2}) if state.partners else [seat]
    return times(factor, [line for each in seats for line in _lines_of(state, each, winner)])


def _lines_of(state: Any, seat: int, winner: int) -> list[Line]:
    whose = f", seat {seat}" if state.partners else ""
    if seat == winner:
        return some([(f"going out{whose}", -OUT_POINTS)])
    if interpreted(side_of)(state, seat) == interpreted(side_of)(state, winner):
        return []
    words = "cards left in the hand" if interpreted(has_melded)(state, seat) else "nothing melded"
    return some([(words + whose, interpreted(hand_points)(state, seat))])


def first_meld(state: Any) -> tuple[int, int] | None:
    """The value that the first meld of the seat to move needs, and the value laid so far; None: it has melded
    before.
    """
    seat = int(state.seat)
    if interpreted(has_melded)(state, seat) and not state.in_one_turn:
        return None
    return int(state.need), int(interpreted(first_meld_value)(state, seat))
