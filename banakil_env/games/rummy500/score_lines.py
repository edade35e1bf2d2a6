"""The points of a round of 500 Rummy in parts (F9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.games.rummy500.scoring import PARTS, write_parts
from banakil_env.kit.score_lines import Line, lines_of


def lines(state: Any, seat: int) -> list[Line]:
    """The cards that the seat has laid, less the cards left in the hand (F9.1)."""
    return lines_of(PARTS, write_parts, state, seat)
