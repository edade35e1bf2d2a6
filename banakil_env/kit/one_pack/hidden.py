"""Deals the hidden cards again in games with one pack of 52 cards: fills in the hooks of `kit/hidden.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import read_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit import held, hidden
from banakil_env.kit.melds.runs_and_sets import run_from
from banakil_env.kit.pack52 import ACES, NO_FACE, NUM_FACES, NUM_RANKS
from banakil_env.kit.seen import NO_MELD, RUN


def serve(state: np.dtype[Any]) -> None:
    """Fill in hooks of `kit/hidden.py` and `kit/held.py` for states with this dtype.

    The game itself fills in `hidden.read_turn`. Its function calls `read_common`.
    """
    hidden.hold.fill(state)(_hold)
    hidden.meld_seen.fill(state)(_meld_seen)
    hidden.read_heaps.fill(state)(_read_heaps)
    held.has_melded.fill(state)(_has_melded)


@compiled
def _hold(state: Any, seat: int, cards: Any) -> None:
    """The hook `hidden.hold`: the seat to move holds the card that waits for its meld, and the banned card.

    The banned card is the one that must not be discarded in this turn.
    """
    if seat == state.seat:
        for face in (state.banned, state.named):
            cards[face] = face != NO_FACE


@inlined
def _has_melded(state: Any, seat: int) -> bool:
    """Whether the seat has played in the sense of the game; in Tonk, whether it has opened a spread."""
    return state.played[seat] != 0


@compiled
def read_common(state: Any, seen: Any) -> None:
    """Read the common fields of the turn from an observation; see `hidden.read_turn`."""
    state.banned = seen.banned - 1 if seen.banned else NO_FACE
    state.named = seen.named - 1 if seen.named else NO_FACE


@compiled
def _meld_seen(state: Any, seen: Any, slot: int) -> int:
    low = seen.meld_low[slot] - 1
    if seen.meld_kind[slot] == NO_MELD:
        return 0
    if seen.meld_kind[slot] == RUN:
        return run_from(low, seen.meld_size[slot])
    return read_bits(seen.sets, 0, NUM_FACES) & ACES << low % NUM_RANKS


@compiled
def _read_heaps(state: Any, seen: Any) -> None:
    for face in range(NUM_FACES):
        if seen.pile[face]:
            state.pile[state.pile_size - seen.pile[face]] = face
        if seen.stock[face]:
            state.stock[state.stock_size - seen.stock[face]] = face
