"""What does a seat see, what does a network see of the observation, and what is the full state?"""

from __future__ import annotations

from banakil_env.games.banakil.faces import PACK_SIZE
from banakil_env.games.banakil.features import FEATURES
from banakil_env.games.banakil.seen import OBSERVATION, OBSERVATION_FIELDS, observe
from banakil_env.games.banakil.state import MAX_SEATS
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers

__all__ = ["FEATURES", "FULL_STATE", "OBSERVATION", "OBSERVATION_FIELDS", "observe", "write_full_state"]

FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS, cards=PACK_SIZE)
write_full_state = full_state_writer(FULL_STATE, observe, write_layers)
