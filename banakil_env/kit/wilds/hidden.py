"""Deals the hidden cards again in games whose wild cards represent named cards: fills in the hooks of `kit/hidden.py`.

A seat that must play a card it took, or has named a card that waits for its meld, gets a hand with which it can
continue.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import compiled
from banakil_env.kit import hidden
from banakil_env.kit.going_on import can_go_on
from banakil_env.kit.melds.wild_melds import NUM_PLACES, RUN, SET, meld_of
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.seen import NO_MELD
from banakil_env.kit.seen import RUN as SEEN_RUN
from banakil_env.kit.table_state import PLAY, begin_turn
from banakil_env.kit.wilds.seen import HIGH_END
from banakil_env.kit.wilds.table import NO_FACE, NOTHING, named_face


def serve(state: np.dtype[Any]) -> None:
    """Fill in hooks of `kit/hidden.py` for states with this dtype.

    The game itself fills in two more hooks: `hold`, for example with `hold_named`, and `read_turn`. Its function for
    `read_turn` calls `read_common`.
    """
    hidden.can_stand.fill(state)(_can_stand)
    hidden.give_up.fill(state)(_give_up)
    hidden.read_heaps.fill(state)(hidden.read_depths)
    hidden.meld_seen.fill(state)(_meld_seen)


@compiled
def hold_named(state: Any, seat: int, cards: Any) -> None:
    """The hook `hidden.hold`: the seat to move holds the card that must be played, and the named card."""
    if seat == state.seat:
        hold_face(state.must, cards)
        hold_face(named_face(state), cards)


@compiled
def hold_face(face: int, cards: Any) -> None:
    """Count one card of this face in `cards`, for `hidden.hold`; NO_FACE counts nothing."""
    if face != NO_FACE:
        cards[face] = 1


@compiled
def is_bound(state: Any) -> bool:
    """Whether the seat to move must play a certain card, or has named a card that waits for its meld."""
    return state.must != NO_FACE or state.named != NOTHING


@compiled
def _can_stand(state: Any) -> bool:
    return not is_bound(state) or can_go_on(state)


@compiled
def _give_up(state: Any) -> None:
    begin_turn(state, state.seat, PLAY)


@compiled
def read_common(state: Any, seen: Any) -> None:
    """Read the common fields of the turn from an observation; see `hidden.read_turn`."""
    state.must = seen.must - 1 if seen.must else NO_FACE
    state.named = seen.named - 1 + (seen.named_end == HIGH_END) if seen.named else NOTHING


@compiled
def _meld_seen(state: Any, seen: Any, slot: int) -> int:
    if seen.meld_kind[slot] == NO_MELD:
        return 0
    places, wilds = 0, 0
    for place in range(NUM_PLACES):
        cell = seen.meld_cells[slot, place]
        places |= int(cell != 0) << place
        wilds |= int(cell != 0 and cell & 1 == 0) << place
    low = seen.meld_low[slot] - 1
    kind = RUN + low // NUM_RANKS if seen.meld_kind[slot] == SEEN_RUN else SET + low % NUM_RANKS
    return meld_of(kind, places, wilds)
