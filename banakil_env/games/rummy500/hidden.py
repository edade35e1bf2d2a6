"""Redeals the hidden cards, as in `kit/wilds/hidden.py`. It is public which seat laid down each card."""

from __future__ import annotations

from banakil_env.games.rummy500.records import Observation, State
from banakil_env.games.rummy500.state import MAX_MELDS, MAX_SEATS, SEAT_BITS, STATE
from banakil_env.kit import held, hidden
from banakil_env.kit.melds.wild_melds import LONGEST, NUM_PLACES
from banakil_env.kit.melds.wild_plays import fits_of
from banakil_env.kit.table_state import NO_SEAT, next_seat
from banakil_env.kit.wilds import hidden as wilds

wilds.serve(STATE)
hidden.hold.fill(STATE)(wilds.hold_named)
redeal_hidden, suppose = hidden.redeal_hidden, hidden.suppose


@hidden.read_turn.fill(STATE)
def read_turn(state: State, seen: Observation) -> None:
    """Read the fields of the turn, and the seat that laid down each card, from an observation into `state`."""
    wilds.read_common(state, seen)
    for seat in range(MAX_SEATS):
        if seen.discarder[seat]:
            state.discarder = seat
    for slot in range(MAX_MELDS):
        laid_off = 0
        for place in range(NUM_PLACES):
            laid_off |= max(seen.meld_cells[slot, place] - 1, 0) // 2 << SEAT_BITS * place
        state.laid_off[slot] = laid_off


@held.has_melded.fill(STATE)
def has_melded(state: State, seat: int) -> bool:
    """Return whether the seat has laid down cards, in its melds or in those of others (F6.2)."""
    return state.laid[seat] != 0


@held.turn_of.fill(STATE)
def turn_of(state: State) -> int:
    """Return the seat whose turn it is. While seats may call a discard, it is the seat after the discarder (F7)."""
    return state.seat if state.discarder == NO_SEAT else next_seat(state, state.discarder)


@held.faces_taken.fill(STATE)
def faces_taken(state: State, seat: int) -> int:
    """Return the cards that fit any meld, as a mask."""
    return fits_of(state, LONGEST)
