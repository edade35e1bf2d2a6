"""The observation of a seat: its hand and the public information (`kit/seen.py`). Also the full state, for critics."""

from __future__ import annotations

from typing import Any

from banakil_env.core.fields import FACE, Field
from banakil_env.core.jit import compiled
from banakil_env.games.tonk import state as S
from banakil_env.games.tonk.records import State
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds import high_ace
from banakil_env.kit.one_pack.features import features_for
from banakil_env.kit.one_pack.seen import seen_fields, write_seen
from banakil_env.kit.pack52 import NUM_FACES
from banakil_env.kit.rests import of_high_aces
from banakil_env.kit.seen import relative

_SEATS = (S.MAX_SEATS,)
OWN_FIELDS = (
    *S.STATE_FIELDS.shown("held"),
    Field("after", "the seat has discarded the card that may be called", shape=_SEATS),
    Field("passed", "the seat has passed, on this discard or with a dealt tonk", shape=_SEATS),
    Field("must", "1 + the face that was called and must be played to a spread; 0: none", NUM_FACES, role=FACE),
)
OBSERVATION_FIELDS = seen_fields(
    S.STATE_FIELDS,
    OWN_FIELDS,
    phases="over, draw, play, choose a spread, asked for a dealt tonk, asked to call a discard",
)
OBSERVATION = OBSERVATION_FIELDS.dtype


@compiled
def has_passed(state: State, seat: int) -> bool:
    """Return whether the seat decided before the seat to move, and has passed (T2.3, T6.2)."""
    if state.phase == S.ASK_TONK:
        before = S.place_of(state, seat) < S.place_of(state, state.seat)
        return before and S.is_tonk(state.rules, state.hands[seat, 0])
    if state.phase == S.ASK_CALL:
        discarder = state.after - 1
        before = relative(state, discarder, seat) < relative(state, discarder, state.seat)
        return before and seat != discarder and not state.held[seat]
    return False


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of a seat into `out`, a record of OBSERVATION."""
    write_seen(state, seat, out)
    out.must = state.must
    for other in range(state.num_players):
        place = relative(state, seat, other)
        out.after[place] = state.after == other + 1
        out.passed[place] = has_passed(state, other)


FULL_STATE = full_dtype(OBSERVATION, S.MAX_SEATS, faces=NUM_FACES, cards=NUM_FACES)
write_full_state = full_state_writer("tonk", observe, write_layers)


FEATURES = features_for("tonk", OBSERVATION_FIELDS, high_ace, of_high_aces("tonk"), meld="spread", asked=S.ASK_CALL)
