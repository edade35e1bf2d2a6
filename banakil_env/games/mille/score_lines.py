"""The points of a round of Mille in parts (M6); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.games.mille.scoring import PARTS, write_parts
from banakil_env.kit.score_lines import Line, lines_of


def lines(state: Any, seat: int) -> list[Line]:
    """Melds, naturals of eight once more, everything once more for a clean hand, less the cards left in the hand."""
    return lines_of(PARTS, write_parts, state, seat, state.winner)
