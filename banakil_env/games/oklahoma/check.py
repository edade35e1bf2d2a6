"""Checks that a record is a sound state of Oklahoma Rummy.

A state that passes can be played to a legal end without an access out of range.
"""

from __future__ import annotations

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled
from banakil_env.games.oklahoma.melds import is_meld
from banakil_env.games.oklahoma.records import State
from banakil_env.games.oklahoma.state import (
    LEFT,
    MAX_POINTS,
    PACK_SIZE,
    STATE,
    SUIT_BITS,
    cards_dealt,
    different_suits,
    fits_of,
    has_run_out,
)
from banakil_env.kit import soundness
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import wild_melds as M
from banakil_env.kit.soundness import DEALT, NOTHING_TO_DRAW, OUT_WITH_CARDS, Faults, checked
from banakil_env.kit.wilds import soundness as wild_soundness
from banakil_env.kit.wilds import table as wild_table

FAULTS = Faults(wild_soundness.FAULTS)
STANDING = FAULTS.named(
    "the suits noted for the Twos of a meld do not agree with its Twos, or in a set they are not in order"
)
SUITS = FAULTS.named("a set has a suit twice, but the rules forbid it")
FITS = FAULTS.named("the cards noted to fit the melds of a seat do not agree with these melds")
MUST_OPEN = FAULTS.named("the card that must be played in an opening waits for an existing meld")


@soundness.is_meld.fill(STATE)
def _is_meld(state: State, slot: int) -> bool:
    return is_meld(state.melds[slot])


@compiled
def _fault_of_melds(state: State) -> int:
    """Return the fault of the melds or of the fields about them, or 0 for none."""
    for slot in range(state.num_melds):
        meld, twos = state.melds[slot], state.twos[slot]
        is_set = not M.is_run(meld)
        count = popcount(M.wilds_in(meld))
        if twos >> SUIT_BITS * count:
            return STANDING
        for i in range(1, count):
            if is_set and twos >> SUIT_BITS * i & 3 < twos >> SUIT_BITS * (i - 1) & 3:
                return STANDING
        if is_set and different_suits(state) and M.kind_of(meld) != M.SET + 1 and M.doubled_in(meld):
            return SUITS
    for seat in range(state.num_players):
        if state.fits[seat] != fits_of(state, seat):
            return FITS
    return 0


@compiled
def fault_of_state(state: State) -> int:
    """Return the first fault, or 0 for none. `check` adds the faults that only the legal actions show."""
    fault = wild_soundness.fault_of_table(state, MAX_POINTS)
    if fault == 0:
        fault = _fault_of_melds(state)
    if fault:
        return fault
    players = state.num_players
    if players * cards_dealt(players, state.rules.hand_cards) + LEFT > PACK_SIZE:
        return DEALT
    if state.ending == T.OUT and state.hands[state.winner, 0]:
        return OUT_WITH_CARDS
    if state.phase == T.DRAW and has_run_out(state):
        return NOTHING_TO_DRAW
    return MUST_OPEN if state.must != wild_table.NO_FACE and state.phase == T.CHOOSE else 0


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    return checked(state, fault_of_state(state))
