"""The points of a round of Oklahoma Rummy in parts (O9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.oklahoma.melds import HELD, value_of
from banakil_env.kit.pack54 import value_by
from banakil_env.kit.score_lines import Line, some


def lines(state: Any, seat: int) -> list[Line]:
    """The seat's melds and the bonus for going out, less the cards left in the hand."""
    slots = [slot for slot in range(state.num_melds) if state.meld_owner[slot] == seat]
    melds = sum(interpreted(value_of)(int(state.melds[slot])) for slot in slots)
    held = interpreted(value_by)(state.hands[seat], HELD)
    out = int(state.rules.out_bonus) if seat == state.winner else 0
    return some([("melds", melds), ("going out", out), ("cards left in the hand", -held)])
