"""What could the hidden cards be? As in `kit/wilds/hidden.py`; the Twos in melds are seen by all."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.games.oklahoma.moves import can_go_on
from banakil_env.games.oklahoma.observation import TWO_OF_CLUBS
from banakil_env.games.oklahoma.state import MAX_MELDS, MAX_SEATS, SUIT_BITS, card_at, copies_of, fits_of
from banakil_env.kit.melds.wild_melds import LOW, NUM_PLACES
from banakil_env.kit.wilds.hidden import hidden_of
from banakil_env.kit.wilds.table import NO_FACE


@compiled
def _named_natural(state: Any) -> int:
    """The card that waits for its meld; NO_FACE: none, or a Two, of which nobody knows the suit."""
    return wide(state.named) if state.named < LOW else wide(NO_FACE)


@compiled
def _copy_own(seen: Any, state: Any) -> None:
    """The fields that only this game has, from an observation and the melds."""
    for slot in range(MAX_MELDS):
        twos, count = wide(0), wide(0)
        for place in range(NUM_PLACES):
            cell = wide(seen.meld_cells[slot, place])
            if cell >= TWO_OF_CLUBS:
                twos |= (cell - TWO_OF_CLUBS) // 2 << SUIT_BITS * count
                count += 1
        state.twos[slot] = twos
    for seat in range(MAX_SEATS):
        state.fits[seat] = fits_of(state, wide(seat))


redeal_hidden, suppose = hidden_of("oklahoma", copies_of, card_at, _named_natural, can_go_on, _copy_own)
