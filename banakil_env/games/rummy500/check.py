"""Checks that a record is a sound state of 500 Rummy.

A state that passes can be played to a legal end without an access out of range.
"""

from __future__ import annotations

from banakil_env.core.bits import lowest
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.rummy500.moves import holds_rummy
from banakil_env.games.rummy500.records import State
from banakil_env.games.rummy500.rules import TURN
from banakil_env.games.rummy500.state import (
    CALL,
    MAX_MELDS,
    MAX_POINTS,
    MAX_SEATS,
    SEAT_BITS,
    SEATS_MASK,
    STATE,
    TAKE_CALLED,
    can_be_dealt,
    value_at,
)
from banakil_env.kit import soundness
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import wild_melds as M
from banakil_env.kit.soundness import DEALT, NOTHING_TO_DRAW, OUT_WITH_CARDS, Faults, checked
from banakil_env.kit.wilds import soundness as wild_soundness

FAULTS = Faults(wild_soundness.FAULTS)
ASKED = FAULTS.named(
    "a seat may call a rummy, but the rules have no calls, there was no discard, or the pile has no rummy"
)
LAID = FAULTS.named("the seats noted for laid-off cards, or the points laid, do not agree with the melds")


@soundness.is_meld.fill(STATE)
def _is_meld(state: State, slot: int) -> bool:
    return M.is_sound(state.melds[slot], M.LONGEST)  # F4


@compiled
def fault_of_state(state: State) -> int:
    """Return the first fault, or 0 for none. `check` adds the faults that only the legal actions show."""
    fault = wild_soundness.fault_of_table(state, MAX_POINTS)
    if fault:
        return fault
    players, over = state.num_players, state.phase == T.OVER
    if not can_be_dealt(players, state.rules.hand_cards, state.rules.jokers):
        return DEALT
    if _laid_otherwise(state):
        return LAID
    called = state.phase == CALL or state.phase == TAKE_CALLED
    asked_of = state.discarder
    if called and (not state.rules.calls or players == 2):
        return ASKED
    if (state.phase == CALL) != (asked_of != T.NO_SEAT) or (called and asked_of == state.seat):
        return ASKED
    if state.ending == T.OUT and state.hands[state.winner, 0]:
        return OUT_WITH_CARDS
    last_turn = state.rules.stock_out == TURN and (state.phase == T.PLAY or state.phase == T.CHOOSE)
    if state.stock_size == 0 and not over and not last_turn:
        return NOTHING_TO_DRAW
    return ASKED if state.phase == CALL and not holds_rummy(state) else 0


@compiled
def _laid_otherwise(state: State) -> bool:
    """Return whether the fields `laid_off` and `laid` disagree with the melds."""
    points = scratch(MAX_SEATS)
    points[:] = 0
    for slot in range(MAX_MELDS):
        meld, noted, owner = state.melds[slot], state.laid_off[slot], state.meld_owner[slot]
        places = M.places_in(meld)
        while places:
            place = lowest(places)
            places &= places - 1
            mark = noted >> SEAT_BITS * place & SEATS_MASK
            if mark > state.num_players or mark == owner + 1:
                return True
            noted ^= mark << SEAT_BITS * place
            points[mark - 1 if mark else owner] += value_at(meld, place)
        if noted:
            return True
    for seat in range(MAX_SEATS):
        if points[seat] != state.laid[seat]:
            return True
    return False


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    return checked(state, fault_of_state(state))
