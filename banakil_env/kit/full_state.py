"""The full state for a centralised critic: what a seat sees, then what it does not see.

The record has a field `observation` first, then every hand from the seat on and the stock from the next card on; cells
of the stock are 1 + a card, 0 after the last card.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banakil_env.core.bits import clear_record
from banakil_env.core.jit import bind, compiled
from banakil_env.core.record_type import record_dtype
from banakil_env.kit.pack54 import MAX_CARDS, NUM_FACES, write_faces


def full_dtype(
    observation: np.dtype[Any],
    seats: int,
    *own: tuple[str, str, tuple[int, ...]],
    faces: int = NUM_FACES,
    cards: int = MAX_CARDS,
) -> np.dtype[Any]:
    """The dtype of such a record.

    Args:
        observation: the dtype of an observation. seats: the largest number of players. own: further fields of the game.
        faces: the number of faces in hands. cards: the most cards of a stock.
    """
    hidden = [("hands", "u1", (seats, faces)), ("stock", "u1", (cards,)), *own]
    return record_dtype(("observation", observation), *hidden)


# Bound to a game.
observe: Any = None
write_hidden: Any = None


def _write_full_state(state: Any, seat: int, full: Any) -> None:
    """Write the full state, from a seat on, into a record; see `core.game.Game.write_full_state`."""
    clear_record(full)
    observe(state, seat, full.observation)
    write_hidden(state, seat, full)


def full_state_writer(
    name: str, observe: Callable[[Any, int, Any], None], write_hidden: Callable[[Any, int, Any], None]
) -> Callable[[Any, int, Any], None]:
    """The function `Game.write_full_state` of a game.

    Args:
        name: of the game. observe: writes the observation of a seat.
        write_hidden(state, seat, full): compiled; write the other fields, which are zero before.
    """
    return bind(_write_full_state, f"{name}_write_full_state", observe=observe, write_hidden=write_hidden)


@compiled
def write_layers(state: Any, seat: int, full: Any) -> None:
    """Write hands that consist of layers (kit/pack54.py), and a stock."""
    players, size = state.num_players, state.stock_size
    for place in range(players):
        write_faces(full.hands[place], state.hands[(seat + place) % players])
    for i in range(size):
        full.stock[i] = 1 + state.stock[size - 1 - i]
