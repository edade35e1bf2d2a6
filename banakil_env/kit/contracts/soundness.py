"""Checks a record of a game of contracts: the conditions on the fields of `contracts.table`.

A game calls `fault_of_table`, and then checks its additional rules.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.contracts.rounds import first_with, lowest_score
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.soundness import ASKED, COMMON, OUT_WITH_CARDS, WAITS, Faults, fault_of_cards, fault_of_round

FAULTS = Faults(COMMON)
CALLS = FAULTS.named("more calls than cards can have been on the pile")
MATCH = FAULTS.named("the match is not won by the first seat with the lowest total, or before its last contract")
LAID = FAULTS.named("the first melds of the mover are not on the table")
FIRST = FAULTS.named("a match begins with the first contract, and the rules name another")


@compiled
def fault_of_table(state: Any, max_points: int, contracts: int) -> int:
    """Check the table. Returns the first fault found (a number of FAULTS), else 0.

    Args:
        max_points: the most points that a seat can score in a round.
        contracts: the number of contracts in a match.
    """
    fault = fault_of_round(state, max_points)
    if fault:
        return fault
    if state.episode == T.MATCH_EPISODE and state.rules.contract:  # contract=1 is stored as 0
        return FIRST
    fault = fault_of_cards(state)
    if fault:
        return fault
    for seat in range(state.num_players):
        if state.calls[seat] + state.pile_size > state.turns + T.MAX_TURNS:
            return CALLS
    return _fault_of_ending(state, contracts) if state.phase == T.OVER else _fault_of_turn(state)


@compiled
def _fault_of_ending(state: Any, contracts: int) -> int:
    if state.ending == T.MATCH:
        won = state.contract == contracts and state.winner == first_with(state, lowest_score(state))
        return 0 if won else MATCH
    return OUT_WITH_CARDS if state.winner != T.NO_SEAT and state.hands[state.winner, 0] else 0


@compiled
def _fault_of_turn(state: Any) -> int:
    asked, answers = state.phase == K.CALL, state.phase == K.ANSWER
    if asked == (state.seat == state.active) or state.took == state.active:
        return ASKED
    if answers and state.took == T.NO_SEAT:
        return ASKED
    if (state.phase == T.CHOOSE) != (state.named != 0):
        return WAITS
    return LAID if state.first and not K.is_down(state, state.active) else 0


@compiled
def has_grown(state: Any) -> bool:
    """Whether a meld of the mover has more cards than at its opening."""
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        if state.meld_owner[slot] == state.active and W.size_of(meld) > (W.RUN_SIZE if W.is_run(meld) else W.SET_SIZE):
            return True
    return False
