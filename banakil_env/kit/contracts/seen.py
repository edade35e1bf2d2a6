"""The fields that observations of all games of contracts have, and the function that writes them.

Seats are relative: 0 is the observer, 1 the next in the order of play. A game declares `seen_fields(STATE_FIELDS,
...)`, calls `write_seen` and then writes its additional fields. Of hands and stock, this module reads only the
observer's hand, known cards and sizes. It is the only place where an observation could reveal hidden cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import clear_record, lowest, read_bits, write_bits
from banakil_env.core.features import OF_CARDS, Columns, Features
from banakil_env.core.fields import COUNTS, DEPTHS, HIDDEN, MELD_CELLS, ONE_HOT, SCALED, Field, Fields
from banakil_env.core.hooks import hook
from banakil_env.core.jit import bind, compiled
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.contracts.distance import DISTANCES, write_distances
from banakil_env.kit.features import features_of
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.fours import completing_by_fours, melded_by_fours
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS
from banakil_env.kit.pack54 import FACE_TABLE, JOKER, LAYERS, MAX_CARDS, MAX_PACKS, NUM_FACES
from banakil_env.kit.rests import GIVES, RESTS, with_gives
from banakil_env.kit.seen import MATCH_SEEN, NO_MELD, RUN, SET, relative, turn_seen, write_hands, write_round

NATURAL_CELL, JOKER_CELL = 1, 2


def seen_fields(
    state: Fields,
    own: tuple[Field, ...] = (),
    *,
    phases: str = "over, draw, play, choose a meld, asked about the upcard",
) -> Fields:
    """The fields of an observation.

    Args:
        state: the fields of the state.
        own: additional fields of the game's observation.
        phases: the words for the phases, separated by commas.
    """
    melds, faces, seats, cards = (W.MAX_MELDS,), (NUM_FACES,), (K.MAX_SEATS,), (MAX_CARDS,)
    by_seat = (K.MAX_SEATS, NUM_FACES)
    to_move, dealer, phase = turn_seen(phases, K.MAX_SEATS, "decide")
    return Fields(
        Field("hand", "the observer's cards", LAYERS, faces, role=COUNTS),
        Field("known", "cards that everybody knows to be in the hand of each seat", LAYERS, by_seat, role=COUNTS),
        Field("table", "cards in melds", LAYERS, faces, role=COUNTS),
        Field("discards", "cards in the pile", LAYERS, faces, role=COUNTS),
        Field(
            "upcards",
            "for each face: 1 if it is the upcard, 2 if it is the card under the upcard",
            2,
            faces,
            role=DEPTHS,
        ),
        Field("pile", "1 + the face of each card in the pile, from the bottom", NUM_FACES, cards, role=HIDDEN),
        Field("meld_kind", "of each meld, in the order of opening: 0 none, 1 run, 2 set", SET, melds, role=ONE_HOT),
        Field("meld_owner", "1 + the relative seat whose meld it is; 0: none", K.MAX_SEATS, melds, role=ONE_HOT),
        Field("meld_of", "the suit of a run, the rank of a set", NUM_RANKS - 1, melds, role=HIDDEN),
        Field(
            "meld_cells",
            "a run: by place, A 2 .. K A, 1 a natural, 2 a Joker; a set: naturals by suit, then its Jokers",
            LAYERS,
            (W.MAX_MELDS, W.NUM_PLACES),
            role=MELD_CELLS,
        ),
        Field("fits", "naturals that a meld on the table takes", shape=(JOKER,)),
        Field("exchanges", "naturals for which a Joker stands in a run on the table", shape=(JOKER,)),
        Field("hand_size", "cards in each hand", MAX_CARDS, seats, role=SCALED, scale=12),
        Field("down", "the seat has melds", shape=seats),
        *state.shown("calls"),
        to_move,
        Field("active", "the seat is the mover; no seat when the game is over", shape=seats),
        Field("took", "offered: the seat took the card before the upcard; answering: it calls the upcard", shape=seats),
        dealer,
        phase,
        *state.shown(f"contract named first {MATCH_SEEN}"),
        *own,
    )


@hook
def naturals_taken(state: Any, meld: int) -> int:
    """The natural cards that can be added to a meld, as a mask."""
    return W.naturals_taken(meld)


@hook
def exchanged(state: Any, meld: int) -> int:
    """The natural cards that can be exchanged for a Joker in a meld, as a mask."""
    return W.jokers_for(meld)


@compiled
def fitting(state: Any) -> int:
    """The natural cards that can be added to some meld on the table, as a mask."""
    fits = 0
    for slot in range(state.num_melds):
        fits |= naturals_taken(state, state.melds[slot])
    return fits


@compiled
def write_seen(state: Any, seat: int, out: Any) -> None:
    """Write the common fields of the observation of `seat`; all other bytes of `out` become zero."""
    clear_record(out)
    write_hands(state, seat, out)
    size = state.pile_size
    for i in range(size):
        face = state.pile[i]
        out.pile[i] = 1 + face
        out.discards[face] += 1
    if size > 1:
        out.upcards[state.pile[size - 2]] = 2
    if size:
        out.upcards[state.pile[size - 1]] = 1
    _write_melds(state, seat, out)
    _write_turn(state, seat, out)


@compiled
def _write_melds(state: Any, seat: int, out: Any) -> None:
    fits, exchanges = 0, 0
    for slot in range(state.num_melds):
        meld, place = state.melds[slot], relative(state, seat, state.meld_owner[slot])
        out.meld_kind[slot], out.meld_owner[slot], out.down[place] = RUN if W.is_run(meld) else SET, 1 + place, 1
        fits, exchanges = fits | naturals_taken(state, meld), exchanges | exchanged(state, meld)
        cells, jokers = out.meld_cells[slot], W.jokers_in(meld)
        out.table[JOKER] += jokers
        if W.is_run(meld):
            out.meld_of[slot] = W.suit_of(meld)
            places, naturals = W.occupied(meld), W.naturals_at(meld)
            for at in range(lowest(places), W.NUM_PLACES):
                natural = naturals >> at & 1
                cells[at] = JOKER_CELL * (places >> at & 1) - natural
                out.table[W.suit_of(meld) * NUM_RANKS + at % NUM_RANKS] += natural
        else:
            out.meld_of[slot] = W.rank_of(meld)
            for suit in range(NUM_SUITS):
                cells[suit] = meld >> 2 * suit & 3
                out.table[suit * NUM_RANKS + W.rank_of(meld)] += meld >> 2 * suit & 3
            cells[NUM_SUITS] = jokers
    if fits:
        write_bits(out.fits, 0, fits, JOKER)
    if exchanges:
        write_bits(out.exchanges, 0, exchanges, JOKER)


@compiled
def _write_turn(state: Any, seat: int, out: Any) -> None:
    write_round(state, seat, out)
    if state.phase != T.OVER:
        out.active[relative(state, seat, state.active)] = 1
    if state.took != T.NO_SEAT:
        out.took[relative(state, seat, state.took)] = 1


@compiled
def meld_seen(seen: Any, slot: int) -> int:
    """The meld in this slot of an observation (kit/melds/joker_melds.py); 0 if the slot is empty."""
    cells, meld = seen.meld_cells[slot], 0
    if seen.meld_kind[slot] == NO_MELD:
        return meld
    if seen.meld_kind[slot] == SET:
        for suit in range(NUM_SUITS):
            meld |= cells[suit] << 2 * suit
        return W.new_set(seen.meld_of[slot], meld, cells[NUM_SUITS])
    jokers = 0
    for at in range(W.NUM_PLACES):
        meld |= int(cells[at] == NATURAL_CELL) << at
        jokers |= int(cells[at] == JOKER_CELL) << at
    return W.new_run(seen.meld_of[slot], meld, jokers)


# Additional features: which cards of the hand can go to a meld ------------------------------------------------------

USES = (
    Columns("held_fits", "cards of the hand that a meld on the table takes", JOKER, OF_CARDS),
    Columns("held_exchanges", "cards of the hand that could be exchanged for a Joker", JOKER, OF_CARDS),
)


@compiled
def write_uses(seen: Any, out: Any, first: int) -> None:
    """Write the columns USES: the cards of the hand that fit a meld, and those that can be exchanged for a Joker.

    `out` is float32 and zero from index `first` on.
    """
    for face in range(JOKER):
        if seen.hand[face]:
            out[first + face] = np.float32(seen.fits[face])
            out[first + JOKER + face] = np.float32(seen.exchanges[face])


# Names that `features_for` binds: the writer of RESTS and GIVES, and the numbers of sets and runs of each contract.
_rests_of: Any = None
_sets: Any = None
_runs: Any = None
_apart = False

_DISTANCES_FIRST = (len(RESTS) + len(GIVES)) * JOKER  # the columns DISTANCES come after RESTS and GIVES


def _write_rests(seen: Any, out: Any, first: int) -> None:
    fits, sets, runs = 0, _sets[seen.contract], _runs[seen.contract]
    if seen.down[0]:
        fits, sets, runs = read_bits(seen.fits, 0, JOKER), 0, 0
    if seen.phase[T.PLAY]:
        _rests_of(seen, seen.table, MAX_PACKS, fits, out, first)
    write_distances(seen, fits, sets, runs, _apart, out, first + _DISTANCES_FIRST)


def features_for(game: str, seen: Fields, sets: Any, runs: Any, apart: bool = False) -> Features:
    """The features of an observation with these fields.

    Args:
        game: the name of the game.
        seen: the fields of the observation.
        sets: int64, the number of sets in each contract.
        runs: int64, the number of runs in each contract.
        apart: whether all runs of a contract need different suits.
    """
    rests = with_gives(game, (melded_by_fours, completing_by_fours), counts=True).rests
    return features_of(
        seen,
        game,
        num_faces=NUM_FACES,
        num_cards=JOKER,
        version=2,  # since version 2, the rules have more switches
        extra=write_uses,
        extra_columns=USES,
        rests=bind(_write_rests, f"{game}_rests", _rests_of=rests, _sets=sets, _runs=runs, _apart=apart),
        rests_columns=(*RESTS, *GIVES, *DISTANCES),
        faces=FACE_TABLE,
    )
