"""What does a seat see? What R says is public, and its own hand (`kit/seen.py`); and the whole state, for critics."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.features import OF_FACES, Columns
from banakil_env.core.jit import compiled
from banakil_env.games.rummy.rules import Rules
from banakil_env.games.rummy.state import MAX_POINTS, MAX_SEATS, RUMMY
from banakil_env.kit.features import features_of
from banakil_env.kit.melds.runs_and_sets import completing, melded, places
from banakil_env.kit.pack52 import FACE_TABLE, NUM_FACES
from banakil_env.kit.seen import full_dtype, seen_fields, write_hidden, write_seen
from banakil_env.kit.table_state import CHOOSE

OBSERVATION_FIELDS = seen_fields(Rules, MAX_SEATS, max_points=MAX_POINTS, phase=CHOOSE, ending=RUMMY)
OBSERVATION = OBSERVATION_FIELDS.dtype
FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS)

# The state and what is seen of it have all their fields from the kit.
observe = write_seen


def write_full_state(state: Any) -> npt.NDArray[np.uint8]:
    """The bytes of a FULL_STATE record."""
    full = np.zeros(1, FULL_STATE)
    seat = int(state.seat)
    observe(state, seat, full[0].observation)
    write_hidden(state, seat, full[0].hands, full[0].stock)
    return full.view(np.uint8)


# What a network sees: the fields by their roles, and how the cards combine -------------------------------------------

COMBINING = (
    Columns("melded", "cards of the hand that are in a meld of its own", NUM_FACES, OF_FACES),
    Columns("completing", "cards that would make a meld with the hand", NUM_FACES, OF_FACES),
    Columns("places", "cards that fit a meld on the table", NUM_FACES, OF_FACES),
    Columns("held_places", "the same, and in the hand", NUM_FACES, OF_FACES),
)


@compiled
def _write_combining(seen: Any, out: Any, first: int) -> None:
    hand = read_bits(seen.hand, 0, NUM_FACES)
    fits = places(read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES))
    for i, cards in enumerate((melded(hand), completing(hand), fits, fits & hand)):
        while cards:
            out[first + i * NUM_FACES + lowest(cards)] = np.float32(1)
            cards &= cards - 1


FEATURES = features_of(
    OBSERVATION_FIELDS, "rummy", num_faces=NUM_FACES, extra=_write_combining, extra_columns=COMBINING, faces=FACE_TABLE
)
