"""Checks that a record is a sound state of Tonk, which can be played to a legal end without an access out of range."""

from __future__ import annotations

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled
from banakil_env.games.tonk.records import State
from banakil_env.games.tonk.state import (
    ASK_CALL,
    ASK_TONK,
    DRAWN,
    HAND_SIZE,
    MAX_POINTS,
    STATE,
    TONKED,
    is_called,
    is_tonk,
)
from banakil_env.kit import soundness as kit_soundness
from banakil_env.kit import table_state as T
from banakil_env.kit.one_pack import soundness
from banakil_env.kit.pack52 import NO_FACE, bit_of
from banakil_env.kit.soundness import NOTHING_TO_DRAW, OUT_WITH_CARDS, Faults

FAULTS = Faults(soundness.FAULTS)
SIZES = FAULTS.named("a hand has more than five cards, or more than six in the middle of a turn")
NO_USE = FAULTS.named(
    "a field is set that Tonk does not use (banned, opened, in one turn, seen), or `played` of a seat without a spread"
)
HELD = FAULTS.named("a seat is held although it hits a spread, or although the rules have no `hold`")
NO_TONK = FAULTS.named("a dealt tonk is to be shown, but cards have moved since the deal, or the seat has no tonk")
NO_CALL = FAULTS.named("the discard that may be called fits no spread, or the seat to move may not call it")
NO_MUST = FAULTS.named(
    "the card that was called is not among the known cards of the hand, or this turn did not begin with a call"
)


kit_soundness.is_meld.fill(STATE)(soundness.is_meld_with_high_ace)


@compiled
def fault_of_state(state: State) -> int:
    """Return the first fault, or 0 for none. `check` adds the faults that only the legal actions show."""
    fault = soundness.fault_of_table(state, MAX_POINTS, 0, DRAWN)
    if fault:
        return fault
    seat, phase = state.seat, state.phase
    if state.banned != NO_FACE or state.opened or state.in_one_turn or state.seen:
        return NO_USE
    in_turn = phase == T.PLAY or phase == T.CHOOSE
    for each in range(state.num_players):
        if popcount(state.hands[each, 0]) > HAND_SIZE + (in_turn and each == seat):
            return SIZES
        if state.played[each] and not T.owns_meld(state, each):
            return NO_USE
        if state.held[each] and not state.rules.hold:
            return HELD
    if phase == T.CHOOSE and state.held[seat]:
        return HELD
    if state.must and not state.known[seat, 0] & bit_of(state.must - 1):
        return NO_MUST
    if (state.must and state.held[seat]) or (phase == T.CHOOSE and state.must and state.must != state.named + 1):
        return NO_MUST
    if phase == ASK_TONK:
        return 0 if _is_as_dealt(state) else NO_TONK
    if (phase == T.DRAW or phase == ASK_CALL) and (state.stock_size == 0 or state.pile_size == 0):
        return NOTHING_TO_DRAW
    if (phase == ASK_CALL) != (state.after != 0) or (phase == ASK_CALL and not _may_be_asked(state)):
        return NO_CALL
    if (state.ending == T.OUT or state.ending == TONKED) and state.hands[state.winner, 0]:
        return OUT_WITH_CARDS
    return 0


@compiled
def _is_as_dealt(state: State) -> bool:
    """Return whether nothing has happened since the deal, and the seat to move has a tonk."""
    for seat in range(state.num_players):
        if popcount(state.hands[seat, 0]) != HAND_SIZE or state.known[seat, 0]:
            return False
    if state.num_melds or state.turns or state.after or state.pile_size != 1:
        return False
    return is_tonk(state.rules, state.hands[state.seat, 0])


@compiled
def _may_be_asked(state: State) -> bool:
    """Return whether the discard may be called, and the seat to move may call it."""
    discarder, seat = state.after - 1, state.seat
    if seat == discarder or state.held[seat] or state.held[discarder]:
        return False
    return is_called(state)


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    return kit_soundness.checked(state, fault_of_state(state))
