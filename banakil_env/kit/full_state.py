"""The full state for a centralised critic: what the seat to move sees, then what it does not see.

The record has a field `observation` first, then every hand from the seat to move on and the stock from the next card
on; cells of the stock are 1 + a card, 0 after the last card.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

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
        observation: the dtype of what a seat sees. seats: the most that can play. own: further fields of the game.
        faces: as hands count them. cards: the most that a stock can have.
    """
    hidden = [("hands", "u1", (seats, faces)), ("stock", "u1", (cards,)), *own]
    return record_dtype(("observation", observation), *hidden)


def full_state_writer(
    full: np.dtype[Any],
    observe: Callable[[Any, int, Any], None],
    write_hidden: Callable[[Any, Any], None],
) -> Callable[[Any], npt.NDArray[np.uint8]]:
    """The function `Game.write_full_state` of a game.

    Args:
        full: the dtype of the record. observe: what a seat sees.
        write_hidden(state, record): write the other fields, which are zero before.
    """

    def write_full_state(state: Any) -> npt.NDArray[np.uint8]:
        """The bytes of the full state."""
        record = np.zeros(1, full)
        observe(state, int(state.seat), record[0].observation)
        write_hidden(state, record[0])
        return record.view(np.uint8)

    return write_full_state


def write_layers(state: Any, full: Any) -> None:
    """Write hands of layers (kit/pack54.py), and a stock."""
    n, size = int(state.num_players), int(state.stock_size)
    for place in range(n):
        write_faces(full.hands[place], state.hands[(int(state.seat) + place) % n])
    full.stock[:size] = 1 + state.stock[:size][::-1]
