"""Is a record a sound state? What must hold for the common fields of `wilds.table`, in any game that has them.

A game's `check` asks `fault_of_table` first, and then checks its own rules; its faults are FAULTS and its own.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.kit.pack54 import count_cards, has_card
from banakil_env.kit.soundness import ROUND_FAULTS, fault_of_cards, fault_of_round
from banakil_env.kit.table_state import CHOOSE, MAX_ROUNDS, OVER, PLAY
from banakil_env.kit.wilds.table import NO_FACE, NOTHING, named_face

CARD_FAULTS = (
    "the cards are not those of the packs, each in one place",
    "cells beyond the end of stock, pile, melds or seats are not empty",
    "inconsistent card layers in a hand",
    "cards are known to be in a hand that are not",
    "a meld is neither a run nor a set, or its seat does not play",
    "the dealer, the seat to move or the winner does not play",
)
_SEATS = len(CARD_FAULTS)

TURN_FAULTS = (
    "a game that is over is in the middle of a turn",
    "a seat holds no card, and the round goes on",
    "a card has to be played that is not in the hand, or is not the next to be played",
    "a card waits for its meld that is not in the hand, or none waits in the phase in which one does",
    "impossible scores",
)
FAULTS = CARD_FAULTS + ROUND_FAULTS + TURN_FAULTS


@compiled
def _fault_of_turn(state: Any, max_points: int) -> int:
    """0, or a place in TURN_FAULTS plus 1."""
    hand, under_way = state.hands[state.seat], state.must != NO_FACE or state.named != NOTHING
    for seat in range(state.num_players):  # room for the rounds to come, as `fault_of_round` has it upwards
        if state.scores[seat] < -max_points * (MAX_ROUNDS + state.rounds):
            return 5
    if state.phase == OVER:
        return 1 if state.seat or under_way else 0
    for seat in range(state.num_players):
        if count_cards(state.hands[seat]) == 0:
            return 2
    face, must = named_face(state), state.must
    plays = state.phase == PLAY or (state.phase == CHOOSE and face == must)
    if must != NO_FACE and not (plays and has_card(hand, must)):
        return 3
    if (state.phase == CHOOSE) != (state.named != NOTHING):
        return 4
    return 4 if state.named != NOTHING and (face == NO_FACE or not has_card(hand, face)) else 0


@compiled
def fault_of_table(state: Any, max_points: int) -> int:
    """0, or a place in FAULTS plus 1; `max_points`: the most that a seat can win or lose in a round."""
    players = state.num_players
    if state.dealer >= players or state.seat >= players or state.winner >= players:
        return _SEATS
    fault = fault_of_cards(state)
    if fault:
        return fault
    fault = fault_of_round(state, max_points)
    if fault:
        return fault + len(CARD_FAULTS)
    fault = _fault_of_turn(state, max_points)
    return fault + len(CARD_FAULTS) + len(ROUND_FAULTS) if fault else 0
