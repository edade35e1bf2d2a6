"""The observation of a seat: common fields (`kit/wilds/seen.py`) and the suits of melded Twos. Also the full state."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, only_if, read_bits
from banakil_env.core.jit import compiled
from banakil_env.games.oklahoma.melds import NATURALS, TWOS
from banakil_env.games.oklahoma.records import Observation, State
from banakil_env.games.oklahoma.rules import DIFFERENT
from banakil_env.games.oklahoma.state import MAX_SEATS, STATE_FIELDS, card_at
from banakil_env.kit.features import features_of
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds.free_sets import completing_freely, melded_freely
from banakil_env.kit.melds.wild_melds import BOTH_ENDS, wilds_in
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS
from banakil_env.kit.pack54 import FACE_TABLE, JOKER, MAX_PACKS, NUM_FACES
from banakil_env.kit.rests import GIVES, RESTS, with_gives
from banakil_env.kit.table_state import DRAW, PLAY
from banakil_env.kit.wilds.seen import COMBINING, seen_fields, write_combined, write_seen

TWO_OF_CLUBS = 2  # the value of a cell of a meld; the other suits follow in steps of 2

OBSERVATION_FIELDS = seen_fields(
    STATE_FIELDS,
    phases="over, draw, play, choose a meld",
    cells="(a run: A 2 .. K A; a set: c d h s, the same twice, Twos) 0 nothing, 1 the card, 2 4 6 8 a Two of c d h s",
    highest_cell=TWO_OF_CLUBS + 2 * (NUM_SUITS - 1),
)
OBSERVATION = OBSERVATION_FIELDS.dtype


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of a seat into a record of OBSERVATION; see `core/engine.py`."""
    fits = state.fits[seat]
    write_seen(state, seat, fits & NATURALS | only_if(fits & BOTH_ENDS != 0, TWOS), out)
    out.table[JOKER] = 0
    for slot in range(state.num_melds):
        wilds = wilds_in(state.melds[slot])
        while wilds:
            place = lowest(wilds)
            wilds &= wilds - 1
            face = card_at(state, slot, place)
            out.meld_cells[slot, place] = TWO_OF_CLUBS + 2 * (face // NUM_RANKS)
            out.table[face] += 1


FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS)
write_full_state = full_state_writer("oklahoma", observe, write_layers)


@compiled
def held_twice(seen: Observation) -> int:
    """Return the natural cards that a hand holds twice, as a mask; 0 if a set cannot have both (O4.2)."""
    cards = 0
    if seen.rules.set_suits != DIFFERENT:
        for face in range(JOKER):
            cards |= int(seen.hand[face] > 1) << face
    return cards & NATURALS


@compiled
def write_combining(seen: Observation, out: Any, first: int) -> None:
    """Write the columns COMBINING, without Twos, from column `first` on; see `kit.features.features_of`."""
    one, two = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, held_twice(seen)
    write_combined(melded_freely(one, two), completing_freely(one, two) & NATURALS, seen, out, first)


_rests_of, _offers_of = with_gives("oklahoma", (melded_freely, completing_freely), NATURALS, whole_pile=True)


@compiled
def _write_rests(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[PLAY]:
        _rests_of(seen, seen.table, MAX_PACKS, read_bits(seen.fits, 0, JOKER), out, first)


@compiled
def _write_offers(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[DRAW]:
        _offers_of(seen, seen.table, 0, MAX_PACKS, read_bits(seen.fits, 0, JOKER), out, first)


FEATURES = features_of(
    OBSERVATION_FIELDS,
    "oklahoma",
    num_faces=NUM_FACES,
    num_cards=JOKER,
    extra=write_combining,
    extra_columns=COMBINING,
    rests=_write_rests,
    rests_columns=(*RESTS, *GIVES),
    offers=_write_offers,
    faces=FACE_TABLE,
)
