"""Checks that a record is a sound state of Tonk, which plays on to a legal end without an access out of range."""

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
SIZES = FAULTS.named("a hand has more cards than five, or six in the middle of a turn")
NO_USE = FAULTS.named(
    "nothing is banned and no order of the stock is public in this game, and openings of a turn are not counted"
)
HELD = FAULTS.named("a seat is held that hits a spread, or the rules hold nobody")
NO_TONK = FAULTS.named("cards are not as dealt, or the seat asked has no tonk")
NO_CALL = FAULTS.named("the discard that may be called fits no spread, or the seat asked may not call it")
NO_MUST = FAULTS.named("the card that was called is not known to be in the hand, or is in no such turn")


kit_soundness.is_meld.fill(STATE)(soundness.is_meld_with_high_ace)


@compiled
def fault_of_state(state: State) -> int:
    """0, or a fault, for all faults except those that only the legal actions show."""
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
    """Whether nothing has happened since the deal, and the seat to move has a tonk."""
    for seat in range(state.num_players):
        if popcount(state.hands[seat, 0]) != HAND_SIZE or state.known[seat, 0]:
            return False
    if state.num_melds or state.turns or state.after or state.pile_size != 1:
        return False
    return is_tonk(state.rules, state.hands[state.seat, 0])


@compiled
def _may_be_asked(state: State) -> bool:
    """Whether the discard may be called, and the seat to move may call it."""
    discarder, seat = state.after - 1, state.seat
    if seat == discarder or state.held[seat] or state.held[discarder]:
        return False
    return is_called(state)


@compiled
def check(state: State) -> int:
    """0, or a place in FAULTS plus 1; see `core/engine.py`."""
    return kit_soundness.checked(state, fault_of_state(state))
