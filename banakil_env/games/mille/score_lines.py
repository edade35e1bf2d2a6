"""The points of a round of Mille in parts (M6); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.mille import scoring
from banakil_env.games.mille.cards import NUM_KINDS, RANK_OF, VALUES, held_of, value_of_row
from banakil_env.kit.score_lines import Line, some


def lines(state: Any, seat: int) -> list[Line]:
    """Melds, naturals of eight once more, everything once more for a clean hand, less what is left in the hand."""
    melds = interpreted(scoring.meld_points)(state, seat)
    eights = sum(
        int(VALUES[kind]) * interpreted(held_of)(state.melds[seat], kind)
        for kind in range(NUM_KINDS)
        if interpreted(scoring.is_eight)(state, seat, int(RANK_OF[kind]))
    )
    clean = interpreted(scoring.is_clean)(state, seat, int(state.winner))
    return some(
        [
            ("melds", melds - eights),
            ("naturals of eight, doubled", eights),
            ("clean naturals, doubled", melds * bool(clean)),
            ("cards left in the hand", -interpreted(value_of_row)(state.hands[seat])),
        ]
    )
