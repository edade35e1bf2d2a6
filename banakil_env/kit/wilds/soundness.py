"""Checks the common fields of `wilds.table` in a record, for any game that has them.

A game's `check` calls `fault_of_table` first, and then checks its additional rules.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.kit.pack54 import count_cards, has_card
from banakil_env.kit.soundness import COMMON, NO_CARD, WAITS, Faults, fault_of_cards, fault_of_round
from banakil_env.kit.table_state import CHOOSE, OVER
from banakil_env.kit.wilds.table import NO_FACE, NOTHING, named_face

FAULTS = Faults(COMMON)
MUST = FAULTS.named("the card that must be played is not in the hand, or another card waits for its meld")


@compiled
def _fault_of_turn(state: Any) -> int:
    """Check the turn. Returns NO_CARD, MUST or WAITS for a fault, else 0."""
    if state.phase == OVER:
        return 0
    for seat in range(state.num_players):
        if count_cards(state.hands[seat]) == 0:
            return NO_CARD
    hand, face, must = state.hands[state.seat], named_face(state), state.must
    if must != NO_FACE and not (has_card(hand, must) and (state.phase != CHOOSE or face == must)):
        return MUST
    if (state.phase == CHOOSE) != (state.named != NOTHING):
        return WAITS
    return WAITS if state.named != NOTHING and (face == NO_FACE or not has_card(hand, face)) else 0


@compiled
def fault_of_table(state: Any, max_points: int) -> int:
    """Check the table. Returns the first fault found (a number of FAULTS), else 0.

    Args:
        max_points: the most points that a seat can win or lose in a round.
    """
    return fault_of_cards(state) or fault_of_round(state, max_points) or _fault_of_turn(state)
