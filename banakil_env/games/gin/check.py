"""Checks that a record is a sound state of Gin Rummy.

A state that passes can be played to a legal end without an access out of range.
"""

from __future__ import annotations

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled
from banakil_env.games.gin.records import State
from banakil_env.games.gin.state import (
    AT_WALL,
    DEFEND,
    HAND_SIZE,
    KNOCK,
    LAY,
    LAY_OFF,
    MAX_POINTS,
    MAX_SEATS,
    STATE,
    UPCARD,
    WALL,
    cards_in_melds,
)
from banakil_env.kit import soundness as kit_soundness
from banakil_env.kit import table_state as T
from banakil_env.kit.one_pack import soundness
from banakil_env.kit.soundness import NOTHING_TO_DRAW, WAITS, Faults

FAULTS = Faults(soundness.FAULTS)
SIZES = FAULTS.named("hands and melds do not have the number of cards that this phase requires")
MELDS = FAULTS.named("there are melds on the table before a knock, or melds of the other seat too early")
LAID_OFF = FAULTS.named("laid-off cards are in no meld of the knocker, or were laid off before its melds")
SHOWN = FAULTS.named("the knocker shows its hand, but some of its cards are not known")
NOT_TAKEN = FAULTS.named("the card taken in this turn is not among the known cards of the hand")
BOXES = FAULTS.named("a seat has won more rounds of the match than were played")
UPCARDS = FAULTS.named("more upcards were taken than the rules allow")
SEEN_STOCK = FAULTS.named("the order of the stock is never public in this game")


kit_soundness.is_meld.fill(STATE)(soundness.is_meld)


@compiled
def _sizes_are_sound(state: State) -> bool:
    """Return whether each hand has the number of cards that the phase requires.

    The cards that a seat has laid down count for it, including those laid off on melds of the other seat.
    """
    seat = state.seat
    own, other = popcount(state.hands[seat, 0]), popcount(state.hands[1 - seat, 0])
    own_laid, other_laid = popcount(cards_in_melds(state, seat)), popcount(cards_in_melds(state, 1 - seat))
    total = own + other + own_laid + other_laid
    if state.phase == T.OVER:
        return (total == 2 * HAND_SIZE or total == 2 * HAND_SIZE + 1) and own <= HAND_SIZE and other <= HAND_SIZE
    if state.phase == T.PLAY or state.phase == KNOCK:
        return own == HAND_SIZE + 1 and other == HAND_SIZE
    if state.phase == LAY:
        return other == HAND_SIZE and (own + own_laid == HAND_SIZE or own + own_laid == HAND_SIZE + 1)
    if state.phase == LAY_OFF or state.phase == DEFEND:
        return own + own_laid <= HAND_SIZE and (total == 2 * HAND_SIZE or total == 2 * HAND_SIZE + 1)
    return own == HAND_SIZE and other == HAND_SIZE


@compiled
def fault_of_state(state: State) -> int:
    """Return the first fault, or 0 for none. `check` adds the faults that only the legal actions show."""
    seat, phase = state.seat, state.phase
    laying = phase in (LAY, LAY_OFF, DEFEND)
    fault = soundness.fault_of_table(state, MAX_POINTS, 3 if laying else 0)
    if fault:
        return fault
    if phase == T.CHOOSE:
        return WAITS
    if state.seen:
        return SEEN_STOCK
    if not _sizes_are_sound(state):
        return SIZES
    for each in range(MAX_SEATS):
        if state.boxes[each] > state.rounds:
            return BOXES
    knocked = laying or phase == KNOCK or phase == T.OVER
    if state.rules.upcard_limit and state.upcards > state.rules.upcard_limit + knocked:  # one more at the wall (G7.3)
        return UPCARDS
    if phase == T.OVER:
        return 0
    if state.taken and not state.known[seat, 0] >> (state.taken - 1) & 1:
        return NOT_TAKEN
    if not laying and (state.num_melds or state.played[0] or state.played[1]):
        return MELDS
    if phase == LAY and cards_in_melds(state, 1 - seat):
        return MELDS
    if phase == LAY_OFF and cards_in_melds(state, seat):
        return MELDS
    knocker = seat if phase in (KNOCK, LAY) else 1 - seat
    if state.laid_off & ~cards_in_melds(state, knocker) or (phase == LAY and state.laid_off):
        return LAID_OFF
    if (phase == KNOCK or laying) and state.known[knocker, 0] != state.hands[knocker, 0]:
        return SHOWN
    if phase in (UPCARD, AT_WALL) or phase == T.DRAW:
        if state.pile_size == 0 or (state.stock_size <= WALL) != (phase == AT_WALL):
            return NOTHING_TO_DRAW
    return 0


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    return kit_soundness.checked(state, fault_of_state(state))
