"""What could the hidden cards be? As in `kit/wilds/hidden.py`; who laid which cards is seen by all."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.games.rummy500.moves import can_go_on
from banakil_env.games.rummy500.state import MAX_MELDS, MAX_SEATS, SEAT_BITS, copies_of
from banakil_env.kit.melds.wild_melds import NUM_PLACES
from banakil_env.kit.table_state import NO_SEAT
from banakil_env.kit.wilds.hidden import hidden_of
from banakil_env.kit.wilds.table import joker_or_face, joker_or_named


@compiled
def _copy_own(seen: Any, state: Any) -> None:
    """The fields that only this game has, from an observation."""
    state.discarder = NO_SEAT
    for seat in range(MAX_SEATS):
        state.laid[seat] = seen.laid[seat]
        if seen.discarder[seat]:
            state.discarder = seat
    for slot in range(MAX_MELDS):
        laid_off = wide(0)
        for place in range(NUM_PLACES):
            laid_off |= max(wide(seen.meld_cells[slot, place]) - 1, 0) // 2 << SEAT_BITS * place
        state.laid_off[slot] = laid_off


redeal_hidden, suppose = hidden_of("rummy500", copies_of, joker_or_face, joker_or_named, can_go_on, _copy_own)
