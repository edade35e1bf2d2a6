"""The fields that observations of games with one pack of 52 cards have, and the function that writes them.

Seats are relative: 0 is the observer, 1 the next in the order of play. A game declares `seen_fields(STATE_FIELDS,
...)`, calls `write_seen` and then writes its additional fields. Of hands and stock, this module reads only the
observer's hand, known cards and sizes. It is the only place where an observation could reveal hidden cards.

The last functions read such an observation, for players: they return masks of cards.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_record, popcount, read_bits, write_bits
from banakil_env.core.fields import COUNTS, DEPTHS, FACE, HIDDEN, ONE_HOT, SCALED, Field, Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, is_run, lowest_in_order
from banakil_env.kit.pack52 import ALL, NO_FACE, NUM_FACES, NUM_RANKS, bit_of
from banakil_env.kit.seen import MATCH_SEEN, RUN, SET, relative, turn_seen, write_hands, write_round


def seen_fields(
    state: Fields,
    own: tuple[Field, ...] = (),
    *,
    phases: str = "over, draw, play, choose a meld",
) -> Fields:
    """The fields of an observation.

    Args:
        state: the fields of the state.
        own: additional fields of the game's observation.
        phases: the words for the phases, separated by commas.
    """
    [seats] = state["scores"].shape
    melds, faces = (MAX_MELDS,), (NUM_FACES,)
    return Fields(
        Field("hand", "the observer's cards", shape=faces, role=COUNTS),
        Field(
            "known", "cards that everybody knows to be in the hand of each seat", shape=(seats, NUM_FACES), role=COUNTS
        ),
        Field("runs", "cards in runs on the table", shape=faces, role=COUNTS),
        Field("sets", "cards in sets on the table", shape=faces, role=COUNTS),
        Field("pile", "depth in the pile: 1 on top; 0: not in it", NUM_FACES, faces, role=DEPTHS),
        Field("stock", "depth in the stock where its order is public: 1 the next card; else 0", 52, faces, role=DEPTHS),
        Field("meld_kind", "of each meld, in the order of opening: 0 none, 1 run, 2 set", SET, melds, role=ONE_HOT),
        Field("meld_owner", "1 + the relative seat whose meld it is; 0: no meld", seats, melds, role=ONE_HOT),
        Field("meld_low", "1 + the lowest face of the meld; 0: no meld", NUM_FACES, melds, role=HIDDEN),
        Field("meld_size", "cards in the meld", NUM_RANKS, melds, role=SCALED, scale=NUM_RANKS),
        Field("hand_size", "cards in each hand", NUM_FACES, (seats,), role=SCALED, scale=10),
        *state.shown("played"),
        *turn_seen(phases, seats),
        Field("banned", "1 + the face that may not be discarded in this turn; 0: none", NUM_FACES, role=FACE),
        Field("named", "1 + the face that waits for its meld; 0: none", NUM_FACES, role=FACE),
        *state.shown(f"opened in_one_turn seen {MATCH_SEEN}"),
        *own,
    )


@compiled
def write_seen(state: Any, seat: int, out: Any) -> None:
    """Write the common fields of the observation of `seat`; all other bytes of `out` become zero."""
    clear_record(out)
    _write_cards(state, seat, out)
    _write_melds(state, seat, out)
    _write_turn(state, seat, out)


@compiled
def _write_cards(state: Any, seat: int, out: Any) -> None:
    write_hands(state, seat, out)
    size = state.pile_size
    for i in range(size):
        out.pile[state.pile[i]] = size - i
    if state.seen:
        for i in range(state.stock_size):
            out.stock[state.stock[i]] = state.stock_size - i


@compiled
def _write_melds(state: Any, seat: int, out: Any) -> None:
    runs, sets = 0, 0
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        run = is_run(meld)
        runs |= meld if run else 0
        sets |= 0 if run else meld
        out.meld_kind[slot] = RUN if run else SET
        out.meld_owner[slot] = 1 + relative(state, seat, state.meld_owner[slot])
        out.meld_low[slot] = 1 + lowest_in_order(meld)
        out.meld_size[slot] = popcount(meld)
    if runs:
        write_bits(out.runs, 0, runs, NUM_FACES)
    if sets:
        write_bits(out.sets, 0, sets, NUM_FACES)


@inlined
def _one_more(face: int) -> int:
    """1 + the face, or 0 for NO_FACE."""
    return 0 if face == NO_FACE else face + 1


@compiled
def _write_turn(state: Any, seat: int, out: Any) -> None:
    write_round(state, seat, out)
    out.banned, out.named = _one_more(state.banned), _one_more(state.named)


@compiled
def pile_of(seen: Any) -> int:
    """The cards of the pile, as a mask."""
    cards = 0
    for face in range(NUM_FACES):
        if seen.pile[face]:
            cards |= bit_of(face)
    return cards


@compiled
def unseen_of(seen: Any, gone: int) -> int:
    """The cards that can be in the stock or unknown in a hand, as a mask.

    Args:
        gone: the mask of the observer's hand and the melds on the table. The function itself excludes the pile and the
            known cards of other hands.
    """
    gone |= pile_of(seen)
    for place in range(1, seen.num_players):
        gone |= read_bits(seen.known[place], 0, NUM_FACES)
    return ALL & ~gone


@compiled
def top_of(seen: Any) -> int:
    """The top card of the pile as a mask; 0 if the pile is empty."""
    for face in range(NUM_FACES):
        if seen.pile[face] == 1:
            return bit_of(face)
    return 0
