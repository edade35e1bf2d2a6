"""The points of a round of Canasta in parts (C9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.scoring import HANDS, PARTS, write_parts
from banakil_env.kit.score_lines import Line, lines_of
from banakil_env.kit.two_sides import NUM_SIDES, side_of


def lines(state: Any, seat: int) -> list[Line]:
    """Melded cards, canastas, red Threes and going out, less the hands of the side."""
    side = interpreted(side_of)(state, seat)
    hands = [f"cards left in the hand of seat {each}" for each in (side, side + NUM_SIDES)]
    texts = [*PARTS[:HANDS], *hands, *PARTS[HANDS:]]
    # Whether all was laid in the last turn is gone from the state at the end: the points tell.
    found = lines_of(texts, write_parts, state, side, state.winner, 0)
    if sum(line.points for line in found) != state.points[seat]:
        found = lines_of(texts, write_parts, state, side, state.winner, 1)
    return found


def first_meld(state: Any) -> tuple[int, int] | None:
    """The value that the first meld of the side to move needs, and the value laid so far; None: no first meld
    is due.
    """
    side = interpreted(side_of)(state, int(state.seat))
    missing = int(interpreted(S.missing_value)(state, side))
    if missing <= 0:
        return None
    needed = int(interpreted(S.minimum)(state, side))
    return needed, needed - missing
