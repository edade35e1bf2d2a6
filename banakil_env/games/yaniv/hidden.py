"""Redeals the hidden cards, as in `kit/hidden.py`. The new hand can finish the discard that its seat has begun to
lay.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import read_bits
from banakil_env.core.scratch import scratch
from banakil_env.games.yaniv.observation import hands_are_open
from banakil_env.games.yaniv.records import Observation, State
from banakil_env.games.yaniv.state import MAX_SEATS, STATE, can_go_on
from banakil_env.kit import hidden
from banakil_env.kit.pack54 import NUM_FACES, count_of

redeal_hidden, suppose = hidden.redeal_hidden, hidden.suppose
hidden.can_stand.fill(STATE)(can_go_on)

# The number of deals to try until the seat to move can go on from the cards that it has laid. One deal in a hundred has
# a card that it needs.
hidden.tries.fill_number(STATE, 100_000)


@hidden.hold.fill(STATE)
def hold(state: State, seat: int, cards: Any) -> None:
    """Count the cards of this hand into `cards` if hands are open after a call (Y4.1), so that they are not redealt."""
    if hands_are_open(state):
        for face in range(NUM_FACES):
            cards[face] = count_of(state.hands[seat], face)


@hidden.read_turn.fill(STATE)
def read_turn(state: State, seen: Observation) -> None:
    """Read the seats that are out and the size of the last discard from an observation into `state`."""
    state.out = read_bits(seen.out, 0, MAX_SEATS)
    state.last = seen.last_size


@hidden.read_table.fill(STATE)
def read_table(state: State, seen: Observation) -> None:
    """Read the cards laid in this turn from an observation into `state`."""
    for i in range(seen.laid_size):
        state.laid[i] = seen.laid[i] - 1


@hidden.read_heaps.fill(STATE)
def read_heaps(state: State, seen: Observation) -> None:
    """Read the pile from an observation into `state`.

    The order of the discards below the last one is unknown; the state has them sorted.
    """
    below, top, at = scratch(NUM_FACES), seen.pile_size - seen.last_size, 0
    for face in range(NUM_FACES):
        below[face] = seen.pile[face]
    for i in range(seen.last_size):
        state.pile[top + i] = seen.last[i] - 1
        below[seen.last[i] - 1] -= 1
    for face in range(NUM_FACES):
        for _ in range(below[face]):
            state.pile[at] = face
            at += 1
