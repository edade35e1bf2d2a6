"""Is a record a sound state, with one pack of 52 cards? What must hold for the fields of `one_pack.table`.

A game's `check` asks `fault_of_table` first, and then checks its own rules; its faults are FAULTS and its own.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.kit.melds import runs_and_sets
from banakil_env.kit.pack52 import bit_of
from banakil_env.kit.soundness import ROUND_FAULTS, fault_of_cards, fault_of_round
from banakil_env.kit.table_state import CHOOSE, DRAW, OVER, RUNNING

CARD_FAULTS = (
    "the 52 cards are not each in one place",
    "cells beyond the end of stock, pile, melds or seats are not empty",
    "a hand has cards that the pack does not have",
    "cards are known to be in a hand that are not",
    "a meld is neither a run nor a set, or its seat does not play",
    "a seat with a meld is not among those that have played, or one that does not play is",
    "the dealer, the seat to move or the winner does not play",
    "in one turn is said of a seat that has not played, or whose melds were not all opened in this turn",
    "more melds were opened in this turn than the seat has, or earlier ones by a seat that had not played",
)
_PLAYED, _SEATS, _IN_ONE_TURN, _OPENED = range(6, len(CARD_FAULTS) + 1)


@compiled
def is_meld(state: Any, slot: int) -> bool:
    """See `soundness.is_meld`; the Ace is low."""
    return runs_and_sets.is_meld(state.melds[slot], False)


@compiled
def is_meld_with_high_ace(state: Any, slot: int) -> bool:
    """Like `is_meld`, for games in which a run can end with a high Ace."""
    return runs_and_sets.is_meld(state.melds[slot], True)


@compiled
def _fault_of_seats(state: Any) -> int:
    """0, or a place in CARD_FAULTS plus 1: what is wrong with the seats and the melds of this turn."""
    players, own = state.num_players, 0
    for slot in range(state.num_melds):
        if not state.played[state.meld_owner[slot]]:
            return _PLAYED
        own += state.meld_owner[slot] == state.seat
    for seat in range(players, state.played.shape[0]):
        if state.played[seat]:
            return _PLAYED
    if state.dealer >= players or state.seat >= players or state.winner >= players:
        return _SEATS
    if state.in_one_turn and (not state.played[state.seat] or state.opened != own):
        return _IN_ONE_TURN
    if state.opened > own or (state.opened and not state.played[state.seat]):
        return _OPENED
    return 0


TURN_FAULTS = (
    "a game that is over is in the middle of a turn",
    "a seat holds no card, and the round goes on",
    "the card banned from the discard has not just been taken: it is neither in the hand nor on the table",
    "a card waits for its meld that is not in the hand, or none waits in the phase in which one does",
    "before the draw nothing is banned, named or melded in the turn",
)


@compiled
def _fault_of_turn(state: Any, may_be_empty: int) -> int:
    """0, or a place in TURN_FAULTS plus 1: what is wrong with the turn; `may_be_empty`: see `fault_of_table`."""
    hand, banned, named = state.hands[state.seat, 0], bit_of(state.banned), bit_of(state.named)
    began = banned or named or state.opened or state.in_one_turn
    if state.phase == OVER:
        return 1 if state.seat or began else 0
    for seat in range(state.num_players):
        if state.hands[seat, 0] == 0 and not may_be_empty >> seat & 1:
            return 2
    there = hand
    for slot in range(state.num_melds):
        there |= state.melds[slot]
    if banned & ~there:
        return 3
    if (state.phase == CHOOSE) != (named != 0) or named & ~hand:
        return 4
    return 5 if state.phase == DRAW and began else 0


FAULTS = CARD_FAULTS + ROUND_FAULTS + TURN_FAULTS


@compiled
def fault_of_table(state: Any, max_points: int, may_be_empty: int, drawn: int = RUNNING) -> int:
    """0, or a place in FAULTS plus 1.

    Args:
        may_be_empty: the seats (a mask) that can be without cards while the round goes on: in most games none.
        max_points, drawn: see `fault_of_round`.
    """
    fault = fault_of_cards(state) or _fault_of_seats(state)
    if fault:
        return fault
    fault = fault_of_round(state, max_points, drawn)
    if fault:
        return fault + len(CARD_FAULTS)
    fault = _fault_of_turn(state, may_be_empty)
    return fault + len(CARD_FAULTS) + len(ROUND_FAULTS) if fault else 0
