"""What does a seat see? What R says is public, and its own hand (`kit/seen.py`); and the full state, for critics."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import read_bits
from banakil_env.core.features import OF_FACES, Columns
from banakil_env.core.jit import compiled
from banakil_env.games.rummy.records import Observation
from banakil_env.games.rummy.state import MAX_SEATS, STATE_FIELDS
from banakil_env.kit.features import features_of, write_face_columns
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds.runs_and_sets import completing, melded, places
from banakil_env.kit.one_pack.seen import pile_of, seen_fields, unseen_of, write_seen
from banakil_env.kit.pack52 import FACE_TABLE, NUM_FACES
from banakil_env.kit.rests import rests_of_one_pack
from banakil_env.kit.table_state import PLAY

OBSERVATION_FIELDS = seen_fields(STATE_FIELDS)
OBSERVATION = OBSERVATION_FIELDS.dtype

# The state and the observation have all their fields from the kit.
observe = write_seen


FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS, faces=NUM_FACES, cards=NUM_FACES)
write_full_state = full_state_writer("rummy", observe, write_layers)


# What a network sees: the fields by their roles, and how the cards combine -------------------------------------------

COMBINING = (
    Columns("melded", "cards of the hand that form a meld among themselves", NUM_FACES, OF_FACES),
    Columns("completing", "cards that would make a meld with the hand", NUM_FACES, OF_FACES),
    Columns("places", "cards that fit a meld on the table", NUM_FACES, OF_FACES),
    Columns("held_places", "the same, and in the hand", NUM_FACES, OF_FACES),
)


@compiled
def _write_combining(seen: Observation, out: Any, first: int) -> None:
    hand = read_bits(seen.hand, 0, NUM_FACES)
    fits = places(read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES))
    write_face_columns((melded(hand), completing(hand), fits, fits & hand), NUM_FACES, out, first)


_rests_of = rests_of_one_pack("rummy")


@compiled
def _write_rests(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[PLAY]:
        hand = read_bits(seen.hand, 0, NUM_FACES)
        runs, sets = read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)
        unseen = unseen_of(seen, hand | runs | sets)
        _rests_of(hand, 0, places(runs, sets), unseen, pile_of(seen), out, first)


FEATURES = features_of(
    OBSERVATION_FIELDS,
    "rummy",
    num_faces=NUM_FACES,
    extra=_write_combining,
    extra_columns=COMBINING,
    rests=_write_rests,
    faces=FACE_TABLE,
)
