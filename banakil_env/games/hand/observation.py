"""The observation of a seat: its hand, the table, the pile in order, and cards that were taken or exchanged publicly.

Seats are relative: 0 is the observer. Only this file decides what is hidden. Of other hands only the size and the known
cards are read. While another seat decides about a new deal, the observation shows the first seat at its discard (H2.5).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_record, lowest, write_counts
from banakil_env.core.fields import COUNTS, DEPTHS, FACE, HIDDEN, MELD_CELLS, SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.games.hand.records import Observation, State
from banakil_env.games.hand.state import (
    DISCARD,
    MAX_MELDS,
    MAX_SEATS,
    NOTHING,
    NUM_PLAYS,
    PACK_SIZE,
    PAIR_SWAPS,
    REDEAL,
    STATE_FIELDS,
    SWAPS,
)
from banakil_env.kit import table_state as T
from banakil_env.kit.features import features_of
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import FACE_TABLE, NUM_FACES, WILD
from banakil_env.kit.pack52 import NUM_RANKS, bit_of
from banakil_env.kit.rests import of_two_packs
from banakil_env.kit.seen import relative, write_hands, write_public, write_turn

GROUP = 5  # the kind of a group in `meld_kind`; 1-4 are the sequences of each suit
_FACES, _SEATS, _MELDS = (NUM_FACES,), (MAX_SEATS,), (MAX_MELDS,)

OBSERVATION_FIELDS = Fields(
    Field("hand", "the observer's cards, with the taken card", 2, _FACES, role=COUNTS),
    Field("known", "cards that everybody knows to be in each hand", 2, (MAX_SEATS, NUM_FACES), role=COUNTS),
    Field("laid", "cards in melds", 3, _FACES, role=COUNTS),
    Field("pile", "depths of both cards of each face in the pile, the lower first", 106, (NUM_FACES, 2), role=DEPTHS),
    Field(
        "meld_owner", "1 + the relative seat that owns the meld; 0: no such meld", MAX_SEATS, _MELDS, role=MELD_CELLS
    ),
    Field("meld_kind", "1-4 a sequence of clubs, diamonds, hearts, spades; 5 a group", GROUP, _MELDS, role=MELD_CELLS),
    Field(
        "meld_low",
        "1 + the lowest place: a low Ace is 0, a high Ace 13; for a group 1 + the rank",
        14,
        _MELDS,
        role=MELD_CELLS,
    ),
    Field("meld_size", "cards in the meld", 13, _MELDS, role=MELD_CELLS),
    Field("meld_wild", "1 + the place of the wild card; in a group 1; 0: none", 14, _MELDS, role=MELD_CELLS),
    Field("meld_suits", "the suits of the naturals of a group, a mask", 15, _MELDS, role=MELD_CELLS),
    Field("hand_size", "cards in each hand", PACK_SIZE, _SEATS, role=SCALED, scale=14),
    Field("melded", "the seat has melds", shape=_SEATS),
    Field("to_move", "the seat is to move; no seat when the game is over", shape=_SEATS),
    Field("dealer", "the seat deals", shape=_SEATS),
    Field("phase", "over, draw, play, choose a meld, a new deal?, first discard", shape=(DISCARD + 1,)),
    Field("indicator", "1 + the face of the card turned up, as printed; 0: none", WILD, role=FACE),
    Field("taken", "1 + the face of the taken card until it is on the table; 0: none", NUM_FACES, role=FACE),
    Field("named", "1 + the play that waits for its meld; 0: none", NUM_PLAYS, role=HIDDEN),
    Field("named_card", "1 + the face that waits for its meld, the lower of two; 0: none", NUM_FACES, role=FACE),
    Field("swapping", "the card that waits will be exchanged for a wild card"),
    *STATE_FIELDS.shown("in_one_turn laid_off down_to_one owes_wild need stock_size pile_size ending num_players"),
    *STATE_FIELDS.shown("partners episode scores turns rounds unscored rules"),
)
OBSERVATION = OBSERVATION_FIELDS.dtype


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of a seat into a record of OBSERVATION; see `core/engine.py`."""
    clear_record(out)
    write_hands(state, seat, out)
    size = state.pile_size
    for i in range(size):
        face = state.pile[i]
        out.pile[face, 1 if out.pile[face, 0] else 0] = size - i
    _write_melds(state, seat, out)
    _write_turn(state, seat, out)


@compiled
def _write_melds(state: State, seat: int, out: Any) -> None:
    one, two, three = 0, 0, 0
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        cards, place = M.naturals_of(meld), relative(state, seat, state.meld_owner[slot])
        if M.wild_in(meld):
            cards |= 1 << WILD
        one, two, three = one | cards, two | (one & cards), three | (two & cards)
        out.melded[place] = 1
        out.meld_owner[slot] = 1 + place
        out.meld_size[slot] = M.size_of(meld)
        out.meld_wild[slot] = M.wild_in(meld)
        if M.is_group(meld):
            out.meld_kind[slot] = GROUP
            out.meld_low[slot] = 1 + M.what_of(meld) - M.what_of_group(0)
            out.meld_suits[slot] = M.places_of(meld)
        else:
            out.meld_kind[slot] = 1 + M.what_of(meld)
            out.meld_low[slot] = 1 + lowest(M.places_of(meld))
    write_counts(out.laid, 0, one, two, NUM_FACES)
    while three:  # a third Ace of a face was a taken wild card (H7.4)
        out.laid[lowest(three)] += 1
        three &= three - 1


@compiled
def _write_turn(state: State, seat: int, out: Any) -> None:
    mover, phase = state.seat, state.phase
    if phase == REDEAL and seat != mover:
        mover, phase = T.next_seat(state, state.dealer), DISCARD
    write_turn(state, seat, phase, mover, out)
    out.indicator = 0 if state.indicator == NOTHING else 1 + state.indicator
    out.taken = 0 if state.taken == NOTHING else 1 + state.taken
    if phase == T.CHOOSE:
        out.named, out.swapping = 1 + state.named, state.named >= SWAPS
        out.named_card = 1 + lowest(named_cards(state.named))
    write_public(state, out)


@compiled
def named_cards(play: int) -> int:
    """Return the cards of the hand that a play names, as a mask."""
    if play < SWAPS:
        return 1 << min(play, WILD)
    return 1 << play - SWAPS if play < PAIR_SWAPS else M.PAIRS[play - PAIR_SWAPS]


# The features ---------------------------------------------------------------------------------------------------------


@compiled
def fits_of(seen: Observation) -> int:
    """Return the naturals that the observer can add to a meld on the table (H5.3), as a mask; 0 for a seat
    without melds.
    """
    fits = 0
    for slot in range(MAX_MELDS):
        kind, low, size = seen.meld_kind[slot], seen.meld_low[slot] - 1, seen.meld_size[slot]
        if kind == GROUP:
            fits |= M.fitting(M.packed(M.what_of_group(low), seen.meld_suits[slot], seen.meld_wild[slot]))
        elif kind:
            fits |= M.fitting(M.packed(kind - 1, ((1 << size) - 1) << low, 0))
    return fits if seen.melded[0] else 0


_rests_of, _offers_of = of_two_packs("hand")


@compiled
def _write_rests(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[T.PLAY] or seen.phase[DISCARD]:
        _rests_of(seen, seen.laid, _out_of_play(seen), fits_of(seen), out, first)


@compiled
def _write_offers(seen: Observation, out: Any, first: int) -> None:
    if seen.phase[T.DRAW]:
        _offers_of(seen, seen.laid, _out_of_play(seen), 2, fits_of(seen), out, first)


@compiled
def _out_of_play(seen: Observation) -> int:
    """Return the card that is turned up, as a mask; 0 for an Ace or a Joker, which the count of wild cards includes."""
    turned = seen.indicator - 1
    return bit_of(turned) if 0 <= turned < WILD and turned % NUM_RANKS else 0


FEATURES = features_of(
    OBSERVATION_FIELDS,
    "hand",
    num_faces=NUM_FACES,
    num_cards=WILD,
    rests=_write_rests,
    offers=_write_offers,
    faces=FACE_TABLE,
)

FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS, cards=PACK_SIZE)
write_full_state = full_state_writer("hand", observe, write_layers)
