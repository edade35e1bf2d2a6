"""The points of a round of 500 Rummy in parts (F9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.rummy500.state import VALUES
from banakil_env.kit.pack54 import value_by
from banakil_env.kit.score_lines import Line, some


def lines(state: Any, seat: int) -> list[Line]:
    """The cards that the seat has laid, less the cards in its hand (F9.1)."""
    held = interpreted(value_by)(state.hands[seat], VALUES)
    return some([("cards laid on the table", state.laid[seat]), ("cards left in the hand", -held)])
