"""The points of a round of Gin Rummy in parts (G8); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.gin.state import BIG_GIN, GIN, UNDERCUT
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.score_lines import Line, some, times


def lines(state: Any, seat: int) -> list[Line]:
    """The deadwood of the other seat less the deadwood of this one, and the bonus of gin, big gin or an undercut."""
    if not state.points[seat]:
        return []
    rules = state.rules
    bonus = {
        GIN: ("gin", rules.gin_bonus),
        BIG_GIN: ("big gin", rules.big_gin),
        UNDERCUT: ("undercut", rules.undercut_bonus),
    }
    own, other = (interpreted(points_in)(int(state.hands[each, 0])) for each in (seat, 1 - seat))
    parts = [("deadwood of the other hand", other), ("deadwood of the own hand", -own)]
    return times(2 if state.doubled else 1, some([*parts, bonus.get(int(state.ending), ("", 0))]))
