"""What does a seat see? What N12 says is public, and its own hand (`kit/contracts/seen.py`); and the whole state."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import wide
from banakil_env.core.fields import SCALED, Field
from banakil_env.core.jit import compiled
from banakil_env.games.contract.rules import CONTRACTS, Rules
from banakil_env.games.contract.state import MAX_POINTS, STATE_FIELDS
from banakil_env.kit.contracts.seen import USES, full_dtype, seen_fields, seen_writer, write_hidden, write_uses
from banakil_env.kit.features import features_of
from banakil_env.kit.melds.joker_melds import jokers_for, naturals_taken
from banakil_env.kit.pack54 import FACE_TABLE, JOKER, NUM_FACES

_OWED = STATE_FIELDS["owed"]
OBSERVATION_FIELDS = seen_fields(
    Rules,
    (Field("owed", _OWED.note, _OWED.highest, role=SCALED, scale=_OWED.highest),),
    max_points=MAX_POINTS,
    contracts=CONTRACTS,
)
OBSERVATION = OBSERVATION_FIELDS.dtype
FULL_STATE = full_dtype(OBSERVATION)

write_seen = seen_writer("contract", naturals_taken, jokers_for)


@compiled
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what a seat sees into a record of OBSERVATION; see `core.game.Engine`."""
    write_seen(state, wide(seat), out)
    out.owed = state.owed


def write_full_state(state: Any) -> npt.NDArray[np.uint8]:
    """The bytes of a FULL_STATE record."""
    full = np.zeros(1, FULL_STATE)
    observe(state, int(state.seat), full[0].observation)
    return write_hidden(state, full)


FEATURES = features_of(
    OBSERVATION_FIELDS,
    "contract",
    num_faces=NUM_FACES,
    num_cards=JOKER,
    extra=write_uses,
    extra_columns=USES,
    faces=FACE_TABLE,
)
