"""The observation of a seat: its hand and the public information (K12, `kit/contracts/seen.py`). Also the full
state.
"""

from __future__ import annotations

from banakil_env.games.kalooki.records import State
from banakil_env.games.kalooki.state import FOURS, SEATS, STATE, STATE_FIELDS, THREES
from banakil_env.kit.contracts import seen
from banakil_env.kit.contracts.seen import features_for, seen_fields, write_seen
from banakil_env.kit.contracts.table import num_jokers
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds import moving_jokers

OBSERVATION_FIELDS = seen_fields(
    STATE_FIELDS,
    STATE_FIELDS.shown("renewed"),
    phases="over, draw, play, choose a meld, asked about the upcard, answer a call",
)
OBSERVATION = OBSERVATION_FIELDS.dtype


@seen.naturals_taken.fill(STATE)
def _naturals_taken(state: State, meld: int) -> int:
    return moving_jokers.naturals_taken(meld)


@seen.exchanged.fill(STATE)
def _exchanged(state: State, meld: int) -> int:
    return moving_jokers.exchanged(meld)


num_jokers.fill(OBSERVATION)(num_jokers.fills[STATE])
observe = write_seen


FULL_STATE = full_dtype(OBSERVATION, SEATS[-1])
write_full_state = full_state_writer("kalooki", observe, write_layers)
FEATURES = features_for("kalooki", OBSERVATION_FIELDS, THREES, FOURS, apart=True)
