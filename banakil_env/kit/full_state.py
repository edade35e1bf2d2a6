"""The full state for a centralized critic: the observation of a seat, then the cards that the seat cannot see.

The record begins with the field `observation`. Then come all hands, beginning with the seat's hand, and the stock,
beginning with the next card. A cell of the stock is 1 + a card, and 0 after the last card.
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
    """The dtype of the full state's record.

    Args:
        observation: the dtype of an observation.
        seats: the largest number of players.
        own: additional fields of the game.
        faces: the number of faces in hands.
        cards: the largest number of cards in the stock.
    """
    hidden = [("hands", "u1", (seats, faces)), ("stock", "u1", (cards,)), *own]
    return record_dtype(("observation", observation), *hidden)


# Names that `bind` replaces by functions of a game.
observe: Any = None
write_hidden: Any = None


def _write_full_state(state: Any, seat: int, full: Any) -> None:
    """Write the full state as seen from `seat` into a record; see `core.game.Game.write_full_state`."""
    clear_record(full)
    observe(state, seat, full.observation)
    write_hidden(state, seat, full)


def full_state_writer(
    name: str, observe: Callable[[Any, int, Any], None], write_hidden: Callable[[Any, int, Any], None]
) -> Callable[[Any, int, Any], None]:
    """Compile the function `Game.write_full_state` of a game.

    Args:
        name: the name of the game.
        observe(state, seat, out): compiled; writes the observation of a seat.
        write_hidden(state, seat, full): compiled; writes the other fields, which are zero before.
    """
    return bind(_write_full_state, f"{name}_write_full_state", observe=observe, write_hidden=write_hidden)


@compiled
def write_layers(state: Any, seat: int, full: Any) -> None:
    """Write hands stored as layers (kit/pack54.py), and the stock, into the full state."""
    players, size = state.num_players, state.stock_size
    for place in range(players):
        write_faces(full.hands[place], state.hands[(seat + place) % players])
    for i in range(size):
        full.stock[i] = 1 + state.stock[size - 1 - i]
