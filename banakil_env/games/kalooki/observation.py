"""What does a seat see? What K12 says is public, and its own hand (`kit/contracts/seen.py`); and the whole state."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.fields import Field
from banakil_env.core.jit import compiled
from banakil_env.games.kalooki.rules import CONTRACTS, Rules
from banakil_env.games.kalooki.state import BENT, MAX_POINTS, SEATS, STATE_FIELDS
from banakil_env.kit.contracts.seen import features_for, seen_fields, seen_writer
from banakil_env.kit.contracts.table import ANSWER
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds.moving_jokers import exchanged, naturals_taken

OBSERVATION_FIELDS = seen_fields(
    Rules,
    (Field("renewed", STATE_FIELDS["renewed"].note),),
    max_points=MAX_POINTS,
    contracts=CONTRACTS,
    phases="over, draw, play, choose a meld, asked about the upcard, answer a call",
    phase=ANSWER,
    ending=BENT,
)
OBSERVATION = OBSERVATION_FIELDS.dtype

write_seen = seen_writer("kalooki", naturals_taken, exchanged)


@compiled
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what a seat sees into a record of OBSERVATION; see `core.game.Engine`."""
    write_seen(state, wide(seat), out)
    out.renewed = state.renewed


FULL_STATE = full_dtype(OBSERVATION, SEATS[-1])
write_full_state = full_state_writer(FULL_STATE, observe, write_layers)
FEATURES = features_for("kalooki", OBSERVATION_FIELDS)
