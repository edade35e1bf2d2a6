"""What does a seat see? What N12 says is public, and its own hand (`kit/contracts/seen.py`); and the full state."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.records import copy_fields
from banakil_env.games.contract.state import PUBLIC, SEATS, STATE_FIELDS
from banakil_env.kit.contracts.seen import features_for, seen_fields, write_seen
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers

OBSERVATION_FIELDS = seen_fields(STATE_FIELDS, STATE_FIELDS.shown(PUBLIC))
OBSERVATION = OBSERVATION_FIELDS.dtype


@compiled
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what a seat sees into a record of OBSERVATION; see `core.game.Engine`."""
    write_seen(state, wide(seat), out)
    copy_fields(state, out, PUBLIC)


FULL_STATE = full_dtype(OBSERVATION, SEATS[-1])
write_full_state = full_state_writer(FULL_STATE, observe, write_layers)
FEATURES = features_for("contract", OBSERVATION_FIELDS)
