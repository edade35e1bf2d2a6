"""The fields that observations of games with the fields of `wilds.table` have, and the function that writes them.

Seats are relative: 0 is the observer, 1 the next in the order of play. A game declares `seen_fields(STATE_FIELDS,
...)`, calls `write_seen` and then writes its additional fields. Of hands and stock, this module reads only the
observer's hand, known cards and sizes. It is the only place where an observation could reveal hidden cards.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_record, lowest, only_if, popcount, read_bits, write_bits, write_counts
from banakil_env.core.features import OF_FACES, Columns
from banakil_env.core.fields import COUNTS, DEPTHS, FACE, HIDDEN, ONE_HOT, SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.kit.features import write_face_columns
from banakil_env.kit.melds.wild_melds import (
    BOTH_ENDS,
    HIGH,
    LOW,
    NUM_PLACES,
    completing,
    doubled_in,
    face_at,
    is_run,
    melded,
    naturals_in,
    places_in,
    wilds_in,
)
from banakil_env.kit.pack54 import JOKER, JOKER_BIT, LAYERS, MAX_CARDS, NATURALS, NUM_FACES
from banakil_env.kit.seen import MATCH_SEEN, RUN, SET, relative, turn_seen, write_hands, write_round
from banakil_env.kit.wilds.table import NO_FACE

NO_END, LOW_END, HIGH_END = range(3)


def seen_fields(
    state: Fields,
    own: tuple[Field, ...] = (),
    *,
    phases: str,
    cells: str = "(a run: A 2 .. K A; a set: c d h s) 0 nothing, 1 the card, 2 a wild card",
    highest_cell: int = 2,
) -> Fields:
    """The fields of an observation.

    Args:
        state: the fields of the state.
        own: additional fields of the game's observation.
        phases: the words for the phases, separated by commas.
        cells: the meaning of the cells of a meld, for games that write further values; even values are wild cards.
        highest_cell: the highest value of such a cell.
    """
    [seats], slots = state["scores"].shape, state["melds"].shape
    faces = (NUM_FACES,)
    return Fields(
        Field("hand", "the observer's cards", LAYERS, faces, role=COUNTS),
        Field("known", "cards that everybody knows to be in each hand", LAYERS, (seats, NUM_FACES), role=COUNTS),
        Field("table", "cards in melds", LAYERS, faces, role=COUNTS),
        Field("fits", "a card of the face fits a meld to which the seat can add", shape=faces),
        Field(
            "pile",
            "depths in the pile: 1 on top; 0: no further card of the face",
            MAX_CARDS,
            (NUM_FACES, LAYERS),
            role=DEPTHS,
        ),
        Field("meld_kind", "of each meld, in the order of opening: 0 none, 1 run, 2 set", SET, slots, role=ONE_HOT),
        Field("meld_owner", "1 + the relative seat that opened the meld; 0: no meld", seats, slots, role=ONE_HOT),
        Field("meld_size", "cards in the meld", NUM_PLACES, slots, role=SCALED, scale=NUM_PLACES),
        Field("meld_low", "1 + the face at the first place of the meld; 0: no meld", NUM_FACES, slots, role=HIDDEN),
        Field("meld_cells", f"at each place of a meld {cells}", highest_cell, (*slots, NUM_PLACES), role=HIDDEN),
        Field("hand_size", "cards in each hand", MAX_CARDS, (seats,), role=SCALED, scale=10),
        *turn_seen(phases, seats),
        Field("must", "1 + the face that the next play must contain; 0: none", NUM_FACES, role=FACE),
        Field("named", "1 + the face that waits for its meld; 0: none", NUM_FACES, role=FACE),
        Field("named_end", "the end for a wild card that waits: 0 none, 1 low, 2 high", HIGH_END, role=ONE_HOT),
        *state.shown(MATCH_SEEN),
        *own,
    )


@compiled
def write_seen(state: Any, seat: int, fits: int, out: Any) -> None:
    """Write the common fields of the observation of `seat`; all other bytes of `out` become zero.

    Wild cards in melds are counted as Jokers. A game with other wild cards counts them itself.

    Args:
        fits: the mask of cards that fit melds to which the seat can add: faces, and LOW or HIGH for a wild card.
    """
    clear_record(out)
    write_bits(out.fits, 0, fits & NATURALS | only_if(fits & BOTH_ENDS != 0, JOKER_BIT), NUM_FACES)
    _write_cards(state, seat, out)
    _write_melds(state, seat, out)
    _write_turn(state, seat, out)


@compiled
def _write_cards(state: Any, seat: int, out: Any) -> None:
    write_hands(state, seat, out)
    size = state.pile_size
    one, two, three = 0, 0, 0  # faces found once, twice, three times so far; masks avoid branches that are mispredicted
    for depth in range(1, size + 1):
        face = state.pile[size - depth]
        card = 1 << face
        out.pile[face, (one >> face & 1) + (two >> face & 1) + (three >> face & 1)] = depth
        one, two, three = one | card, two | one & card, three | two & card


@compiled
def _write_melds(state: Any, seat: int, out: Any) -> None:
    one, two, wild = 0, 0, 0
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        places, wilds, cards = places_in(meld), wilds_in(meld), naturals_in(meld)
        out.meld_kind[slot] = RUN if is_run(meld) else SET
        out.meld_owner[slot] = 1 + relative(state, seat, state.meld_owner[slot])
        out.meld_size[slot] = popcount(places)
        out.meld_low[slot] = 1 + face_at(meld, lowest(places))
        write_counts(out.meld_cells[slot], 0, places, wilds, NUM_PLACES)
        one, two, wild = one | cards, two | one & cards | doubled_in(meld), wild + popcount(wilds)
    if state.num_melds:
        write_counts(out.table, 0, one, two, NUM_FACES)
        out.table[JOKER] = wild


@compiled
def _write_turn(state: Any, seat: int, out: Any) -> None:
    write_round(state, seat, out)
    out.must = 0 if state.must == NO_FACE else state.must + 1
    if state.named <= HIGH:
        out.named = min(state.named, JOKER) + 1
        out.named_end = int(state.named == LOW) * LOW_END + int(state.named == HIGH) * HIGH_END


# Additional features: which cards combine ---------------------------------------------------------------------------

COMBINING = (
    Columns("melded", "cards of the hand that form a meld among themselves", NUM_FACES, OF_FACES),
    Columns("completing", "cards that would make a meld with the hand", NUM_FACES, OF_FACES),
    Columns("held_fits", "cards of the hand that fit a meld to which the seat can add", NUM_FACES, OF_FACES),
)


@compiled
def write_combining(seen: Any, out: Any, first: int) -> None:
    """Write the columns COMBINING, for games whose sets have no suit twice; see `kit.features.features_of`."""
    hand = read_bits(seen.hand, 0, NUM_FACES)
    write_combined(melded(hand & NATURALS), completing(hand & NATURALS), seen, out, first)


@compiled
def write_combined(own: int, missing: int, seen: Any, out: Any, first: int) -> None:
    """Write the columns COMBINING.

    Args:
        own: the mask of cards that are in a meld of the hand.
        missing: the mask of cards that complete a meld of the hand.
    """
    held_fits = read_bits(seen.hand, 0, NUM_FACES) & read_bits(seen.fits, 0, NUM_FACES)
    write_face_columns((own, missing, held_fits), NUM_FACES, out, first)
