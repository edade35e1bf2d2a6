"""The observation of a seat: its hand, the discards, the cards laid in this turn, and cards that were taken publicly.

Seats are relative: 0 is the observer. Only this file decides what is hidden. Of other hands only the size and the known
cards are read, and after a call the whole hand (Y4.1).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_record
from banakil_env.core.fields import COUNTS, DEPTHS, FACE, HIDDEN, SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.games.yaniv.records import State
from banakil_env.games.yaniv.state import HAND_SIZE, MAX_SEATS, STATE_FIELDS, YANIV
from banakil_env.kit.event_writer import hands_are_shown
from banakil_env.kit.features import features_of
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.pack54 import FACE_TABLE, JOKER, LAYERS, NUM_FACES, write_faces
from banakil_env.kit.seen import MATCH_SEEN, relative, turn_seen, write_hands, write_round, write_seats
from banakil_env.kit.table_state import OVER, TURNS

_FACES, _SEATS, _CELLS = (NUM_FACES,), (MAX_SEATS,), (HAND_SIZE,)

OBSERVATION_FIELDS = Fields(
    Field("hand", "the observer's cards", LAYERS, _FACES, role=COUNTS),
    Field("known", "cards that everybody knows to be in each hand", LAYERS, (MAX_SEATS, NUM_FACES), role=COUNTS),
    Field("pile", "all discards, including those of the last turn", LAYERS, _FACES, role=COUNTS),
    Field(
        "ends", "for each face 2 if `take last` takes it, 1 if `take first` takes it, else 0", 2, _FACES, role=DEPTHS
    ),
    Field("last", "1 + the faces of the last discard, in order; 0: no more cards", NUM_FACES, _CELLS, role=HIDDEN),
    Field("laid", "1 + the faces laid in this turn, in order; 0: no more cards", NUM_FACES, _CELLS, role=FACE),
    Field("last_size", "cards of the last discard", HAND_SIZE, lowest=1, role=SCALED, scale=HAND_SIZE),
    *STATE_FIELDS.shown("laid_size"),
    Field("hand_size", "cards in each hand", HAND_SIZE, _SEATS, role=SCALED, scale=HAND_SIZE),
    Field("out", "the seat is out of the match", shape=_SEATS),
    *turn_seen("over, draw or go on laying, play", MAX_SEATS),
    *STATE_FIELDS.shown(MATCH_SEEN),
)
OBSERVATION = OBSERVATION_FIELDS.dtype


@hands_are_shown.fill(STATE_FIELDS.dtype)
def hands_are_open(state: State) -> bool:
    """Return whether the round has ended with a call, after which all hands are shown."""
    if state.phase != OVER or state.ending == TURNS:
        return False
    scored = state.ending == YANIV
    for seat in range(state.num_players):  # in a match, points show that its last round ended with a call
        scored |= state.points[seat] != 0
    return scored


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of a seat into a record of OBSERVATION; see `core/engine.py`."""
    clear_record(out)
    write_hands(state, seat, out)
    _write_discards(state, out)
    if state.out:
        write_seats(state, seat, state.out, out.out)
    if hands_are_open(state):
        for other in range(state.num_players):
            write_faces(out.known[relative(state, seat, other)], state.hands[other])
    write_round(state, seat, out)


@compiled
def _write_discards(state: State, out: Any) -> None:
    size, last = state.pile_size, state.last
    for i in range(size):
        out.pile[state.pile[i]] += 1
    for i in range(last):
        out.last[i] = 1 + state.pile[size - last + i]
    for i in range(state.laid_size):
        out.laid[i] = 1 + state.laid[i]
    out.ends[state.pile[size - last]] = 1
    out.ends[state.pile[size - 1]] = 2  # also if both ends are one face (Y2.4)
    out.last_size = last


FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS)
write_full_state = full_state_writer("yaniv", observe, write_layers)


FEATURES = features_of(OBSERVATION_FIELDS, "yaniv", num_faces=NUM_FACES, num_cards=JOKER, faces=FACE_TABLE)
