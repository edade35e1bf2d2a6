"""The observation of a seat: the common fields (`kit/seen.py`), the game's public fields, and its hand."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import read_bits, write_bits
from banakil_env.core.features import OF_FACES, Columns
from banakil_env.core.fields import COUNTS, Field
from banakil_env.core.jit import compiled
from banakil_env.games.gin.records import Observation, State
from banakil_env.games.gin.state import KNOCK, MAX_SEATS, STATE_FIELDS, UPCARD
from banakil_env.kit.features import features_of, write_face_columns
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds.deadwood import best_melded
from banakil_env.kit.melds.runs_and_sets import completing, places
from banakil_env.kit.one_pack.seen import pile_of, seen_fields, top_of, unseen_of, write_seen
from banakil_env.kit.pack52 import FACE_TABLE, NUM_FACES
from banakil_env.kit.rests import of_one_pack
from banakil_env.kit.table_state import DRAW, PLAY

OWN_FIELDS = (
    *STATE_FIELDS.shown("taken repeated upcards limit doubled"),
    Field("laid_off", "cards that were laid off in this round (G6.1)", shape=(NUM_FACES,), role=COUNTS),
    *STATE_FIELDS.shown("boxes"),
)
OBSERVATION_FIELDS = seen_fields(
    STATE_FIELDS,
    OWN_FIELDS,
    phases="over, draw, discard or knock, (none), first upcard, discard of a knock, melds of the knocker, laying off, "
    "melds of the other seat, at the wall",
)
OBSERVATION = OBSERVATION_FIELDS.dtype


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of a seat into `out`, a record of OBSERVATION."""
    write_seen(state, seat, out)
    write_bits(out.laid_off, 0, state.laid_off, NUM_FACES)


FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS, faces=NUM_FACES, cards=NUM_FACES)
write_full_state = full_state_writer("gin", observe, write_layers)


# What a network sees: the fields by their roles, and how the cards combine -------------------------------------------

COMBINING = (
    Columns("melded", "cards of the hand in melds, with the least deadwood", NUM_FACES, OF_FACES),
    Columns("completing", "cards that would make a meld with the hand", NUM_FACES, OF_FACES),
    Columns("held_places", "cards of the hand that fit a meld on the table", NUM_FACES, OF_FACES),
)


@compiled
def _write_combining(seen: Observation, out: Any, first: int) -> None:
    hand = read_bits(seen.hand, 0, NUM_FACES)
    fits = places(read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES))
    write_face_columns((best_melded(hand), completing(hand), fits & hand), NUM_FACES, out, first)


_rests_of, _offers_of = of_one_pack("gin")


@compiled
def _write_rests(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[PLAY] or seen.phase[KNOCK]:
        hand = read_bits(seen.hand, 0, NUM_FACES)
        _rests_of(hand, 0, 0, unseen_of(seen, hand), pile_of(seen), out, first)


@compiled
def _write_offers(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[DRAW] or seen.phase[UPCARD]:
        hand, top = read_bits(seen.hand, 0, NUM_FACES), top_of(seen)
        if top:
            _offers_of(hand, 0, top, 0, top, 0, unseen_of(seen, hand), out, first)


FEATURES = features_of(
    OBSERVATION_FIELDS,
    "gin",
    num_faces=NUM_FACES,
    extra=_write_combining,
    extra_columns=COMBINING,
    rests=_write_rests,
    offers=_write_offers,
    faces=FACE_TABLE,
)
