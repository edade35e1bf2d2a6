"""The points of a round of Gin Rummy in parts (G8); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.gin.scoring import PARTS, factor_of, write_parts
from banakil_env.kit.score_lines import Line, lines_of, times


def lines(state: Any, seat: int) -> list[Line]:
    """The deadwood of the other seat less the deadwood of this one, and the bonus of gin, big gin or an undercut."""
    if not state.points[seat]:
        return []
    return times(int(interpreted(factor_of)(state)), lines_of(PARTS, write_parts, state, seat, state.ending))
