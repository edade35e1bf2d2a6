"""The table of a game with one pack of 52 cards: fields of the turn, and melds as masks of cards.

A game declares its state as `state_fields(Rules, own fields ...)`. The other parts of the table are in `table_state`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.fields import CARD, ROUND, SCALED, TURN, Field, Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, is_run
from banakil_env.kit.pack52 import ALL, NO_FACE, NUM_FACES, bit_of
from banakil_env.kit.switches import Rules


def state_fields(
    rules: type[Rules],
    seats: tuple[int, ...],
    own: tuple[Field, ...] = (),
    *,
    max_points: int,
    phase: int,
    ending: int,
    signed: bool = False,
    scores: float = 100,
    played: str = "the seat has put a card on the table in this round",
) -> Fields:
    """The fields of a state.

    Args:
        own: additional fields of the game.
        played: the note of the field `played`.
        rules, seats, max_points, phase, ending, signed, scores: see `table_state.match_fields`.
    """
    most = seats[-1]
    melds, num_melds, meld_owner = T.meld_fields(
        Field("melds", "the cards of each meld, a mask, in the order of opening", ALL, (MAX_MELDS,)), most
    )
    fields = Fields(
        *T.hand_fields(most, 1, ALL),
        melds,
        *T.match_fields(rules, seats, max_points=max_points, phase=phase, ending=ending, signed=signed, scores=scores),
        Field(
            *("banned", "the card that was taken from the pile in this turn and may not be discarded", NO_FACE),
            lives=TURN,
            absent=NO_FACE,
            absent_in=T.BETWEEN,
            code=CARD,
            word="banned",
        ),
        Field(
            *("named", "the card that waits for its meld", NO_FACE),
            lives=TURN,
            absent=NO_FACE,
            absent_in=T.but_in_phases(T.CHOOSE),
            code=CARD,
        ),
        Field(
            *("opened", "melds opened in this turn", MAX_MELDS),
            role=SCALED,
            scale=2,
            public=True,
            lives=TURN,
            absent_in=T.BETWEEN,
            word="melds",
        ),
        Field(
            "in_one_turn",
            "the seat to move has played something in this round, and all of it in this turn",
            public=True,
            lives=TURN,
            absent_in=T.BETWEEN,
            word="in one turn",
        ),
        Field("played", played, shape=(most,), by_seat=True, lives=ROUND),
        Field("seen", "the order of the stock is public", public=True, lives=ROUND),
        num_melds,
        meld_owner,
        *T.heap_fields(NUM_FACES, NUM_FACES - 1, stock=20, pile=20),
        *own,
    )
    T.copies_of.fill(fields.dtype)(_copies_of)
    T.count_meld.fill(fields.dtype)(_count_meld)
    T.stock_is_seen.fill(fields.dtype)(_stock_is_seen)
    return fields


@compiled
def _copies_of(state: Any, face: int) -> int:
    return int(face < NUM_FACES)


@compiled
def _count_meld(state: Any, slot: int, counts: Any, step: int) -> None:
    T.count_cards_in(state.melds[slot], counts, step)


@compiled
def _stock_is_seen(state: Any) -> bool:
    return state.seen != 0


@inlined
def leave_hand(state: Any, seat: int, cards: int) -> None:
    """Remove cards (a mask) from a hand, publicly."""
    state.hands[seat, 0] &= ~cards
    state.known[seat, 0] &= ~cards


@compiled
def turn_pile_over(state: Any) -> None:
    """Make the whole pile the new stock, with its lowest card first; the order of the stock is then public."""
    size = state.pile_size
    for i in range(size):
        state.stock[i] = state.pile[size - 1 - i]
    for i in range(size):
        state.pile[i] = 0
    state.stock_size, state.pile_size, state.seen = size, 0, 1


# Melds on the table --------------------------------------------------------------------------------------------------


@compiled
def cards_in_runs(state: Any) -> int:
    """The cards in all runs on the table, as a mask."""
    cards = 0
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        cards |= meld if is_run(meld) else 0
    return cards


@compiled
def cards_in_sets(state: Any) -> int:
    """The cards in all sets on the table, as a mask."""
    cards = 0
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        cards |= 0 if is_run(meld) else meld
    return cards


@inlined
def _note_play(state: Any, seat: int) -> None:
    if not state.played[seat]:
        state.in_one_turn = 1
        state.played[seat] = 1


@inlined
def put_down(state: Any, seat: int, cards: int) -> None:
    """Open a meld with cards of a hand, without changing the fields of the turn."""
    leave_hand(state, seat, cards)
    state.melds[state.num_melds] = cards
    state.meld_owner[state.num_melds] = seat
    state.num_melds += 1


@inlined
def put_on(state: Any, seat: int, slot: int, face: int) -> None:
    """Add a card of a hand to a meld, without changing the fields of the turn."""
    leave_hand(state, seat, bit_of(face))
    state.melds[slot] |= bit_of(face)


@compiled
def open_meld(state: Any, seat: int, cards: int) -> None:
    """Open a meld with cards of a hand, and update the fields of the turn."""
    put_down(state, seat, cards)
    state.opened += 1
    _note_play(state, seat)


@compiled
def lay_off(state: Any, seat: int, slot: int, face: int) -> None:
    """Add a card of a hand to a meld, and update the fields of the turn."""
    put_on(state, seat, slot, face)
    _note_play(state, seat)
