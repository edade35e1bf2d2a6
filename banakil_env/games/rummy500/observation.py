"""The observation of a seat: the common fields (`kit/wilds/seen.py`), the seats that laid down the cards of melds,
and calls. Also the full state.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.fields import Field
from banakil_env.core.jit import compiled
from banakil_env.games.rummy500.records import Observation, State
from banakil_env.games.rummy500.state import (
    CALL,
    MAX_SEATS,
    SEAT_BITS,
    SEATS_MASK,
    STATE_FIELDS,
    TAKE_CALLED,
    num_packs,
)
from banakil_env.kit.features import features_of
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds.wild_melds import LONGEST
from banakil_env.kit.melds.wild_plays import fits_of
from banakil_env.kit.pack54 import FACE_TABLE, JOKER, NUM_FACES
from banakil_env.kit.rests import GIVES, RESTS, with_gives
from banakil_env.kit.seen import relative
from banakil_env.kit.table_state import DRAW, NO_SEAT, PLAY
from banakil_env.kit.wilds.seen import COMBINING, seen_fields, write_combining, write_seen

OWN_FIELDS = (
    *STATE_FIELDS.shown("laid"),
    Field("discarder", "the seat whose discard may be called", shape=(MAX_SEATS,)),
)
OBSERVATION_FIELDS = seen_fields(
    STATE_FIELDS,
    OWN_FIELDS,
    phases="over, draw, play, choose a meld, call or pass, take after a call",
    cells="(a run: A 2 .. K A; a set: c d h s) 0 nothing, 1 a natural, 2 a Joker; laid off by another seat: "
    "2 * (1 + its relative number) more",
    highest_cell=2 + 2 * MAX_SEATS,
)
OBSERVATION = OBSERVATION_FIELDS.dtype


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of a seat into a record of OBSERVATION; see `core/engine.py`."""
    write_seen(state, seat, fits_of(state, LONGEST), out)
    for slot in range(state.num_melds):
        laid_off = state.laid_off[slot]
        while laid_off:
            place = lowest(laid_off) // SEAT_BITS
            mark = laid_off >> SEAT_BITS * place & SEATS_MASK
            laid_off ^= mark << SEAT_BITS * place
            out.meld_cells[slot, place] += 2 + 2 * relative(state, seat, mark - 1)
    if state.discarder != NO_SEAT:
        out.discarder[relative(state, seat, state.discarder)] = 1


FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS)
write_full_state = full_state_writer("rummy500", observe, write_layers)


_rests_of, _offers_of = with_gives("rummy500")


@compiled
def _write_rests(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[PLAY]:
        _rests_of(seen, seen.table, num_packs(seen), read_bits(seen.fits, 0, JOKER), out, first)


@compiled
def _write_offers(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[DRAW] or seen.phase[CALL] or seen.phase[TAKE_CALLED]:
        _offers_of(seen, seen.table, 0, num_packs(seen), read_bits(seen.fits, 0, JOKER), out, first)


FEATURES = features_of(
    OBSERVATION_FIELDS,
    "rummy500",
    num_faces=NUM_FACES,
    num_cards=JOKER,
    extra=write_combining,
    extra_columns=COMBINING,
    rests=_write_rests,
    rests_columns=(*RESTS, *GIVES),
    offers=_write_offers,
    faces=FACE_TABLE,
)
