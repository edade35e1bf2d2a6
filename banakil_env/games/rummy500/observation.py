"""What does a seat see? The common fields (`kit/wild_seen.py`), who laid what, the question; and the whole state."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import lowest, only_if, read_bits, wide, write_bits
from banakil_env.core.features import OF_FACES, Columns
from banakil_env.core.fields import HIDDEN, SCALED, Field
from banakil_env.core.jit import compiled
from banakil_env.games.rummy500.moves import fits_of
from banakil_env.games.rummy500.rules import Rules
from banakil_env.games.rummy500.state import MAX_MELDS, MAX_POINTS, MAX_SEATS, SEAT_BITS, SEATS_MASK, TAKE_CALLED
from banakil_env.kit.features import features_of
from banakil_env.kit.pack54 import FACE_TABLE, JOKER, JOKER_BIT, NATURALS, NUM_FACES
from banakil_env.kit.seen import relative
from banakil_env.kit.table_state import NO_SEAT, OUT, next_seat
from banakil_env.kit.wild_melds import BOTH_ENDS, NUM_PLACES, completing, melded
from banakil_env.kit.wild_seen import full_dtype, seen_fields, write_hidden, write_seen

OWN_FIELDS = (
    Field("fits", "a card of this face fits a meld on the table", shape=(NUM_FACES,)),
    Field(
        "laid_off",
        "1 + the relative seat that laid a card off, at each place of a meld of another seat; 0: nobody",
        MAX_SEATS,
        (MAX_MELDS, NUM_PLACES),
        role=HIDDEN,
    ),
    Field("laid", "points that each seat has laid on the table", MAX_POINTS, (MAX_SEATS,), role=SCALED, scale=100),
    Field("discarder", "the seat whose discard is asked about", shape=(MAX_SEATS,)),
)
OBSERVATION_FIELDS = seen_fields(
    Rules,
    MAX_SEATS,
    MAX_MELDS,
    OWN_FIELDS,
    max_points=MAX_POINTS,
    phase=TAKE_CALLED,
    ending=OUT,
    phases="over, draw, play, choose a meld, call or pass, take after a call",
)
OBSERVATION = OBSERVATION_FIELDS.dtype
FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS)


@compiled
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what a seat sees into a record of OBSERVATION; see `core.game.Engine`."""
    write_seen(state, seat, out)
    fits = fits_of(state)
    write_bits(out.fits, 0, fits & NATURALS | only_if(fits & BOTH_ENDS != 0, JOKER_BIT), NUM_FACES)
    for slot in range(wide(state.num_melds)):
        laid_off = wide(state.laid_off[slot])
        while laid_off:
            place = lowest(laid_off) // SEAT_BITS
            out.laid_off[slot, place] = 1 + relative(state, seat, (laid_off >> SEAT_BITS * place & SEATS_MASK) - 1)
            laid_off &= ~(wide(SEATS_MASK) << SEAT_BITS * place)
    other = wide(seat)
    for place in range(wide(state.num_players)):
        out.laid[place] = state.laid[other]
        other = next_seat(state, other)
    if state.discarder != NO_SEAT:
        out.discarder[relative(state, seat, wide(state.discarder))] = 1


def write_full_state(state: Any) -> npt.NDArray[np.uint8]:
    """The bytes of a FULL_STATE record."""
    full = np.zeros(1, FULL_STATE)
    seat = int(state.seat)
    observe(state, seat, full[0].observation)
    write_hidden(state, seat, full[0].hands, full[0].stock)
    return full.view(np.uint8)


# What a network sees: the fields by their roles, and how the cards combine -------------------------------------------

COMBINING = (
    Columns("melded", "cards of the hand that are in a meld of its own", NUM_FACES, OF_FACES),
    Columns("completing", "cards that would make a meld with the hand", NUM_FACES, OF_FACES),
    Columns("held_fits", "cards of the hand that fit a meld on the table", NUM_FACES, OF_FACES),
)


@compiled
def _write_combining(seen: Any, out: Any, first: int) -> None:
    hand = read_bits(seen.hand, 0, NUM_FACES)
    cards = hand & NATURALS
    for i, found in enumerate((melded(cards), completing(cards), hand & read_bits(seen.fits, 0, NUM_FACES))):
        faces = wide(found)
        while faces:
            out[first + i * NUM_FACES + lowest(faces)] = np.float32(1)
            faces &= faces - 1


FEATURES = features_of(
    OBSERVATION_FIELDS,
    "rummy500",
    num_faces=NUM_FACES,
    num_cards=JOKER,
    extra=_write_combining,
    extra_columns=COMBINING,
    faces=FACE_TABLE,
)
