"""The observation of a seat: its hand and the public information (`kit/seen.py`). Also the full state, for critics."""

from __future__ import annotations

from banakil_env.games.rummy.state import MAX_SEATS, STATE_FIELDS
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds import runs_and_sets
from banakil_env.kit.one_pack.features import features_for
from banakil_env.kit.one_pack.seen import seen_fields, write_seen
from banakil_env.kit.pack52 import NUM_FACES
from banakil_env.kit.rests import of_one_pack

OBSERVATION_FIELDS = seen_fields(STATE_FIELDS)
OBSERVATION = OBSERVATION_FIELDS.dtype

# All fields of the state and the observation come from the kit.
observe = write_seen


FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS, faces=NUM_FACES, cards=NUM_FACES)
write_full_state = full_state_writer("rummy", observe, write_layers)


FEATURES = features_for("rummy", OBSERVATION_FIELDS, runs_and_sets, of_one_pack("rummy"))
