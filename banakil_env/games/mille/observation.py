"""The observation of a seat: numbers of cards by kind, the observer first. Also the full state, for critics."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_record
from banakil_env.core.fields import COUNTS, ONE_HOT, SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.games.mille import state as S
from banakil_env.games.mille.cards import FACE_TABLE, KIND_OF, NUM_KINDS, held_of
from banakil_env.games.mille.records import State
from banakil_env.kit.books.kinds import TWO, size_of, size_of_stacks
from banakil_env.kit.features import features_of
from banakil_env.kit.full_state import full_dtype, full_state_writer
from banakil_env.kit.seen import turn_seen, write_numbers, write_round

_SEATS, _KINDS = (S.NUM_SEATS,), (S.NUM_SEATS, NUM_KINDS)


OBSERVATION_FIELDS = Fields(
    Field("hand", "the observer's cards, by kind: 3 .. T J Jd Q Qs K A 2", 8, (NUM_KINDS,), role=COUNTS),
    Field("known", "cards that everybody knows to be in each hand", 8, _KINDS, role=COUNTS),
    Field("melds", "the melds of each seat, by kind: natural cards; the meld of Twos", 8, _KINDS, role=COUNTS),
    Field("wild", "the Twos in each meld of a rank from 3 to A", 8, (S.NUM_SEATS, TWO), role=COUNTS),
    Field("pile", "the cards of the pile", 8, (NUM_KINDS,), role=COUNTS),
    Field("top", "1 + the kind of the top card of the pile; 0: no pile", NUM_KINDS, role=ONE_HOT),
    Field("hand_size", "cards in each hand", S.NUM_CARDS, _SEATS, role=SCALED, scale=15),
    *turn_seen("over, draw, play", S.NUM_SEATS),
    *S.STATE_FIELDS.shown("stock_size pile_size ending payment episode scores naturals chapeaux turns rounds rules"),
)
OBSERVATION = OBSERVATION_FIELDS.dtype
FEATURES = features_of(  # version 2: one more switch
    OBSERVATION_FIELDS, "mille", num_faces=NUM_KINDS, faces=FACE_TABLE, version=2
)


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of `seat` into `out`, a record of OBSERVATION.

    Of the other hand it reads only the known cards and the size, of the stock only the size.
    """
    clear_record(out)
    for kind in range(NUM_KINDS):
        out.hand[kind] = held_of(state.hands[seat], kind)
    for i in range(S.NUM_SEATS):
        other = seat ^ i
        for kind in range(NUM_KINDS):
            out.known[i, kind] = held_of(state.known[other], kind)
            out.melds[i, kind] = held_of(state.melds[other], kind)
        for rank in range(TWO):
            out.wild[i, rank] = size_of(state.wild[other, rank])
        out.hand_size[i] = size_of_stacks(state.hands[other])
        write_numbers(state, other, out, i)
    size = state.pile_size
    for i in range(size):
        out.pile[KIND_OF[state.pile[i]]] += 1
    if size:
        out.top = 1 + KIND_OF[state.pile[size - 1]]
    write_round(state, seat, out)


@compiled
def _write_hidden(state: State, seat: int, full: Any) -> None:
    """Write the hands, that of `seat` first, and the stock into the full state `full`, as kinds."""
    for i in range(S.NUM_SEATS):
        for kind in range(NUM_KINDS):
            full.hands[i, kind] = held_of(state.hands[seat ^ i], kind)
    size = state.stock_size
    for i in range(size):
        full.stock[i] = 1 + KIND_OF[state.stock[size - 1 - i]]


FULL_STATE = full_dtype(OBSERVATION, S.NUM_SEATS, faces=NUM_KINDS, cards=S.NUM_CARDS)
write_full_state = full_state_writer("mille", observe, _write_hidden)
