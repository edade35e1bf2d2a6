"""What does a seat see? What N12 says is public, and its own hand (`kit/contracts/seen.py`); and the whole state."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.fields import SCALED, Field
from banakil_env.core.jit import compiled
from banakil_env.games.contract.rules import CONTRACTS, Rules
from banakil_env.games.contract.state import MAX_POINTS, SEATS, STATE_FIELDS
from banakil_env.kit.contracts.seen import features_for, seen_fields, seen_writer
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds.joker_melds import jokers_for, naturals_taken

_OWED = STATE_FIELDS["owed"]
OBSERVATION_FIELDS = seen_fields(
    Rules,
    (Field("owed", _OWED.note, _OWED.highest, role=SCALED, scale=_OWED.highest),),
    max_points=MAX_POINTS,
    contracts=CONTRACTS,
)
OBSERVATION = OBSERVATION_FIELDS.dtype

write_seen = seen_writer("contract", naturals_taken, jokers_for)


@compiled
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what a seat sees into a record of OBSERVATION; see `core.game.Engine`."""
    write_seen(state, wide(seat), out)
    out.owed = state.owed


FULL_STATE = full_dtype(OBSERVATION, SEATS[-1])
write_full_state = full_state_writer(FULL_STATE, observe, write_layers)
FEATURES = features_for("contract", OBSERVATION_FIELDS)
