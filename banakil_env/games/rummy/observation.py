"""What does a seat see? What R says is public, and its own hand (`kit/seen.py`); and the whole state, for critics."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.features import Columns, Features
from banakil_env.core.jit import compiled
from banakil_env.games.rummy.rules import Rules
from banakil_env.games.rummy.state import MAX_POINTS, MAX_SEATS, RUMMY
from banakil_env.kit.pack52 import NUM_FACES
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


# To be replaced at the merge by `kit.features.features_of(OBSERVATION_FIELDS, "rummy", num_faces=NUM_FACES)`.


@compiled
def _write_bytes(seen: Any, row: Any, out: Any, depths: Any) -> None:
    for i in range(row.shape[0]):
        out[i] = np.float32(row[i])
    depths[:] = NUM_FACES
    for face in range(NUM_FACES):
        if seen.pile[face]:
            depths[seen.pile[face] - 1] = face


FEATURES = Features(
    0, (Columns("bytes", "the bytes of the observation", OBSERVATION.itemsize),), _write_bytes, NUM_FACES, NUM_FACES
)
