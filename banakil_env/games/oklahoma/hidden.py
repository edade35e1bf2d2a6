"""Redeals the hidden cards, as in `kit/wilds/hidden.py`. The Twos in melds are public."""

from __future__ import annotations

from typing import Any

from banakil_env.games.oklahoma.melds import QUEEN
from banakil_env.games.oklahoma.observation import TWO_OF_CLUBS
from banakil_env.games.oklahoma.records import Observation, State
from banakil_env.games.oklahoma.state import MAX_MELDS, MAX_SEATS, STATE, SUIT_BITS, fits_of
from banakil_env.kit import held, hidden
from banakil_env.kit.melds.wild_melds import LOW, NUM_PLACES
from banakil_env.kit.table_state import owns_meld
from banakil_env.kit.wilds import hidden as wilds

wilds.serve(STATE)
redeal_hidden, suppose = hidden.redeal_hidden, hidden.suppose
held.has_melded.fill(STATE)(owns_meld)


@hidden.hold.fill(STATE)
def hold(state: State, seat: int, cards: Any) -> None:
    """Count into `cards` the cards of a hand that are not redealt.

    These are a card that must be played and a natural that waits for its meld. A waiting Two is not counted, because
    its suit is unknown.
    """
    if seat == state.seat:
        wilds.hold_face(state.must, cards)
        if state.named < LOW:
            cards[state.named] = 1


@hidden.read_turn.fill(STATE)
def read_turn(state: State, seen: Observation) -> None:
    """Copy the fields of the turn and the Twos in melds from an observation into the state."""
    wilds.read_common(state, seen)
    for slot in range(MAX_MELDS):
        twos, count = 0, 0
        for place in range(NUM_PLACES):
            cell = seen.meld_cells[slot, place]
            if cell >= TWO_OF_CLUBS:
                twos |= (cell - TWO_OF_CLUBS) // 2 << SUIT_BITS * count
                count += 1
        state.twos[slot] = twos


@hidden.read_table.fill(STATE)
def read_table(state: State, seen: Observation) -> None:
    """Read the melds from an observation into `state`, and compute the cards that fit the melds of each seat."""
    hidden.read_melds(state, seen)
    for seat in range(MAX_SEATS):
        state.fits[seat] = fits_of(state, seat)


@held.never_let_go.fill(STATE)
def never_let_go(state: State) -> int:
    """Return the cards that are never discarded, as a mask: the Queen of spades (O7.1)."""
    return 1 << QUEEN


@held.faces_taken.fill(STATE)
def faces_taken(state: State, seat: int) -> int:
    """Return the cards that fit a meld of this seat, as a mask (O6.2)."""
    return state.fits[seat]
