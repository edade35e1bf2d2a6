"""The observation of a seat: its hand and the public information (N12, `kit/contracts/seen.py`). Also the full
state.
"""

from __future__ import annotations

from banakil_env.games.contract.state import RUNS, SEATS, SETS, STATE_FIELDS
from banakil_env.kit.contracts.seen import features_for, seen_fields, write_seen
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers

OBSERVATION_FIELDS = seen_fields(STATE_FIELDS, STATE_FIELDS.shown("owed"))
OBSERVATION = OBSERVATION_FIELDS.dtype


observe = write_seen


FULL_STATE = full_dtype(OBSERVATION, SEATS[-1])
write_full_state = full_state_writer("contract", observe, write_layers)
FEATURES = features_for("contract", OBSERVATION_FIELDS, SETS, RUNS)
