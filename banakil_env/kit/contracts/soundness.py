"""Is a record of a game of contracts a sound state? What must hold for the fields of `contracts.table`.

A game asks `fault_of_table`, and then checks its own rules; its faults are FAULTS and its own. A state that passes can
be played on without an access out of range.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.contracts.rounds import first_with, lowest_score
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.soundness import CELLS, ROUND_FAULTS, fault_of_cards, fault_of_round

OWN_FAULTS = (
    "the cards are not those of the pack, each in one place",
    "cells beyond the end of stock, pile, melds or seats are not empty",
    "inconsistent card layers in a hand",
    "cards are known to be in a hand that are not",
    "a meld is neither a set nor a run, or its seat does not play",
    "the dealer, the seat to decide, the mover, the taker or the winner does not play",
    "more calls than cards can have been on the pile",
    "a game that is over is in the middle of a turn",
    "another seat than the mover is to decide without being asked, or the mover is asked itself, or answers nobody",
    "the card that waits for its meld is missing, or is given in a phase in which no card waits",
    "the first melds of the mover are not on the table, or laid before the play",
    "the match is not won by the first seat with the lowest total, or before its last contract",
    "the seat that is out holds cards",
    "a match begins with the first contract, and the rules name another",
)
FAULTS = ROUND_FAULTS + OWN_FAULTS
_FIRST = len(ROUND_FAULTS) + 1
_CELLS = _FIRST + CELLS - 1
_SEATS, _CALLS, _OVER, _ASKED, _NAMED, _LAID, _MATCH, _OUT, _FIRST_OF_MATCH = range(
    _FIRST + 5, _FIRST + len(OWN_FAULTS)
)


@compiled
def fault_of_table(state: Any, max_points: int, contracts: int) -> int:
    """0, or a place in FAULTS plus 1.

    Args:
        max_points: the most that a seat can score in a round. contracts: their number.
    """
    fault = fault_of_round(state, max_points)
    if fault:
        return fault
    if state.episode == T.MATCH_EPISODE and state.rules.contract:  # contract=1 is stored as 0
        return _FIRST_OF_MATCH
    fault = fault_of_cards(state)
    if fault:
        return fault + _FIRST - 1
    for seat in range(state.num_players, K.MAX_SEATS):
        if state.calls[seat]:
            return _CELLS
    return _fault_of_turn(state, contracts)


@compiled
def _fault_of_turn(state: Any, contracts: int) -> int:
    players, over, asked = state.num_players, state.phase == T.OVER, state.phase == K.CALL
    if max(state.dealer, state.seat, state.active) >= players:
        return _SEATS
    if state.winner >= players or state.took >= players:
        return _SEATS
    for seat in range(players):
        if state.calls[seat] + state.pile_size > state.turns + T.MAX_TURNS:
            return _CALLS
    if over:
        if state.seat or state.active or state.first or state.named or state.took != T.NO_SEAT:
            return _OVER
        if state.ending == T.MATCH:
            if state.contract != contracts or state.winner != first_with(state, lowest_score(state)):
                return _MATCH
        elif state.winner != T.NO_SEAT and state.hands[state.winner, 0]:
            return _OUT
        return 0
    answers = state.phase == K.ANSWER
    if asked == (state.seat == state.active) or (not asked and answers == (state.took == T.NO_SEAT)):
        return _ASKED
    if state.took == state.active:
        return _ASKED
    if (state.phase == T.CHOOSE) != (state.named != 0):
        return _NAMED
    if state.first and ((state.phase != T.PLAY and state.phase != T.CHOOSE) or not K.is_down(state, state.active)):
        return _LAID
    return 0


@compiled
def has_grown(state: Any) -> bool:
    """Whether a meld of the mover has more cards than it was opened with."""
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        if state.meld_owner[slot] == state.active and W.size_of(meld) > (W.RUN_SIZE if W.is_run(meld) else W.SET_SIZE):
            return True
    return False
