"""The points of a round of Rummy in parts (R9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.rummy.state import RUMMY
from banakil_env.kit.pack52 import VALUES, value_of
from banakil_env.kit.score_lines import Line, some, times


def lines(state: Any, seat: int) -> list[Line]:
    """The cards left in the other hands, counted more than once for going rummy (R9.1, R9.2)."""
    if seat != state.winner:
        return []
    hands = [(each, interpreted(value_of)(int(state.hands[each, 0]), VALUES)) for each in range(state.num_players)]
    factor = int(state.rules.rummy_factor) if state.ending == RUMMY else 1
    return times(factor, some((f"cards left by seat {each}", value) for each, value in hands))
