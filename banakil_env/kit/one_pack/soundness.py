"""Checks a record of a game with one pack of 52 cards: the conditions on the fields of `one_pack.table`.

A game's `check` calls `fault_of_table` first, and then checks its additional rules.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.kit.melds import runs_and_sets
from banakil_env.kit.pack52 import bit_of
from banakil_env.kit.soundness import COMMON, NO_CARD, WAITS, Faults, fault_of_cards, fault_of_round
from banakil_env.kit.table_state import CHOOSE, OVER, RUNNING

FAULTS = Faults(COMMON)
PLAYED = FAULTS.named("a seat with a meld is not among those that have played")
IN_ONE_TURN = FAULTS.named(
    "in one turn is set for a seat that has not played, or whose melds were not all opened in this turn"
)
OPENED = FAULTS.named(
    "more melds were opened in this turn than the seat has, or a seat that has not played opened some"
)
BANNED = FAULTS.named(
    "the card that is banned from the discard was not just taken: it is neither in the hand nor on the table"
)


@compiled
def is_meld(state: Any, slot: int) -> bool:
    """The hook `soundness.is_meld` for games with low Aces."""
    return runs_and_sets.is_meld(state.melds[slot], False)


@compiled
def is_meld_with_high_ace(state: Any, slot: int) -> bool:
    """As `is_meld`, for games in which a run can also end with a high Ace."""
    return runs_and_sets.is_meld(state.melds[slot], True)


@compiled
def _fault_of_melds(state: Any) -> int:
    """Check melds and the seats that have played. Returns PLAYED, IN_ONE_TURN or OPENED for a fault, else 0."""
    own = 0
    for slot in range(state.num_melds):
        if not state.played[state.meld_owner[slot]]:
            return PLAYED
        own += state.meld_owner[slot] == state.seat
    has_played = state.played[state.seat] != 0
    if state.in_one_turn and (not has_played or state.opened != own):
        return IN_ONE_TURN
    return OPENED if state.opened > own or (state.opened and not has_played) else 0


@compiled
def _fault_of_turn(state: Any, may_be_empty: int) -> int:
    """Check the turn. Returns NO_CARD, BANNED or WAITS for a fault, else 0. `may_be_empty`: see `fault_of_table`."""
    if state.phase == OVER:
        return 0
    for seat in range(state.num_players):
        if state.hands[seat, 0] == 0 and not may_be_empty >> seat & 1:
            return NO_CARD
    hand, named = state.hands[state.seat, 0], bit_of(state.named)
    there = hand
    for slot in range(state.num_melds):
        there |= state.melds[slot]
    if bit_of(state.banned) & ~there:
        return BANNED
    return WAITS if (state.phase == CHOOSE) != (named != 0) or named & ~hand else 0


@compiled
def fault_of_table(state: Any, max_points: int, may_be_empty: int, drawn: int = RUNNING) -> int:
    """Check the table. Returns the first fault found (a number of FAULTS), else 0.

    Args:
        may_be_empty: the mask of seats that can have no cards while the round continues; 0 in most games.
        max_points, drawn: see `fault_of_round`.
    """
    fault = fault_of_cards(state) or _fault_of_melds(state)
    return fault or fault_of_round(state, max_points, drawn) or _fault_of_turn(state, may_be_empty)
