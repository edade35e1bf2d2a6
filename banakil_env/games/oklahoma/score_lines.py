"""The points of a round of Oklahoma Rummy in parts (O9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.games.oklahoma.scoring import PARTS, write_parts
from banakil_env.kit.score_lines import Line, lines_of


def lines(state: Any, seat: int) -> list[Line]:
    """The seat's melds, the bonus for going out, less the cards left in the hand."""
    return lines_of(PARTS, write_parts, state, seat, state.winner)
