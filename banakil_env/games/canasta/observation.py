"""The observation of a seat: numbers of cards by kind, because suits do not matter. Also the full state, for
critics.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.fields import SCALED, Field
from banakil_env.core.jit import compiled
from banakil_env.games.canasta.records import State
from banakil_env.games.canasta.state import MAX_SEATS, MAX_WILDS, NUM_CARDS, PACKS, STATE_FIELDS, has_melds, minimum
from banakil_env.kit.books.kinds import FACE_TABLE, JOKER, NUM_KINDS, TWO
from banakil_env.kit.books.seen import seen_fields, write_hidden, write_seen
from banakil_env.kit.books.table import red_threes_in
from banakil_env.kit.features import features_of
from banakil_env.kit.full_state import full_dtype, full_state_writer
from banakil_env.kit.two_sides import NUM_SIDES

OBSERVATION_FIELDS = seen_fields(
    STATE_FIELDS,
    (
        Field("pile_reds", "red Threes in the pile", 4, role=SCALED, scale=4),
        Field("frozen", "the pile is frozen by a wild card or a red Three, or for the observer's side"),
        *STATE_FIELDS.shown("concealed"),
        Field("minimum", "points that the first meld of each side needs", 120, (2,), lowest=15, role=SCALED, scale=120),
        *STATE_FIELDS.shown("num_players"),
    ),
    packs=PACKS,
    wilds=MAX_WILDS,
    phases="over, draw, play, answer",
)
OBSERVATION = OBSERVATION_FIELDS.dtype
FEATURES = features_of(  # version 2: columns in another order
    OBSERVATION_FIELDS, "canasta", num_faces=NUM_KINDS, faces=FACE_TABLE, version=2
)


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of `seat` into `out`, a record of OBSERVATION."""
    write_seen(state, seat, out)
    for i in range(NUM_SIDES):
        out.minimum[i] = minimum(state, (seat + i) & 1)
    out.pile_reds = red_threes_in(state)
    frozen = (out.pile_reds | out.pile[TWO] | out.pile[JOKER]) != 0
    out.frozen = frozen or (state.rules.frozen_before_meld and not has_melds(state, seat & 1))


FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS, faces=NUM_KINDS, cards=NUM_CARDS)
write_full_state = full_state_writer("canasta", observe, write_hidden)
