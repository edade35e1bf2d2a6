"""The state of a game of runs and sets with wild cards, one or two packs: hands, melds, stock and pile, the turn.

Hands are layers of masks (`pack54`), melds are numbers (`wild_melds`). A game declares its state as
`state_fields(Rules, own fields ...)`; the functions here know the common fields by name. Cells that hold nothing are
zero, so that equal games have equal bytes.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.fields import Field, Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import shuffle
from banakil_env.kit.melds.wild_melds import MAX_MELD, NUM_TAKEN, face_at, wilds_in
from banakil_env.kit.pack54 import (
    ALL,
    JOKER,
    LAYERS,
    MAX_CARDS,
    NUM_FACES,
    add_card,
    remove_card,
)
from banakil_env.kit.switches import Rules
from banakil_env.kit.table_state import DRAW, match_fields, next_seat, pop_pile, pop_stock, push_pile

NO_FACE = NUM_FACES
NOTHING = NUM_TAKEN  # no card is named


def state_fields(
    rules: type[Rules],
    seats: int,
    melds: int,
    own: tuple[Field, ...] = (),
    *,
    max_points: int,
    phase: int,
    ending: int,
) -> Fields:
    """The fields of a state.

    Args:
        rules: the switches. seats: the most that can play. melds: the most that can lie on the table.
        own: the game's own fields.
        max_points: the most that a seat can win or lose in a round.
        phase, ending: the highest of each.
    """
    hands = (seats, LAYERS)
    return Fields(
        Field("hands", "the cards of each seat (kit/pack54.py)", ALL, hands),
        Field("known", "those of them that everybody knows", ALL, hands),
        Field("melds", "each meld, a number (kit/melds/wild_melds.py), in the order of opening", MAX_MELD, (melds,)),
        Field("rng", "the generator (core.random)", 2**64 - 1),
        *match_fields(rules, seats, max_points=max_points, phase=phase, ending=ending, signed=True),
        Field("must", "the face that the next play has to contain; NO_FACE", NO_FACE),
        Field("named", "CHOOSE: what waits for its meld, a face or a wild card LOW or HIGH; NOTHING", NOTHING),
        Field("num_melds", "melds on the table", melds),
        Field("meld_owner", "who opened each meld", seats - 1, (melds,)),
        Field("stock_size", "cards in the stock", MAX_CARDS),
        Field("pile_size", "cards in the pile", MAX_CARDS),
        Field("stock", "the next card is stock[stock_size - 1]", NUM_FACES - 1, (MAX_CARDS,)),
        Field("pile", "the top card is pile[pile_size - 1]", NUM_FACES - 1, (MAX_CARDS,)),
        *own,
    )


@compiled
def begin_turn(state: Any, seat: int, phase: int) -> None:
    """This seat is to move, and nothing has to be played or waits for its meld."""
    state.seat = seat
    state.phase = phase
    state.must = NO_FACE
    state.named = NOTHING


# Cards changing hands ------------------------------------------------------------------------------------------------


@inlined
def leave_hand(state: Any, seat: int, face: int) -> None:
    """A card leaves a hand before everybody's eyes: a known one, if there is one."""
    remove_card(state.hands[seat], face)
    if state.known[seat, 0]:
        remove_card(state.known[seat], face)


@compiled
def draw_stock(state: Any, seat: int) -> None:
    """The next card of the stock, which must not be empty, goes to a hand."""
    add_card(state.hands[seat], pop_stock(state))


@compiled
def take_top(state: Any, seat: int, count: int) -> int:
    """The top cards of the pile go to a hand; the face of the deepest."""
    face = wide(NO_FACE)
    for _ in range(count):
        face = pop_pile(state)
        add_card(state.hands[seat], face)
        add_card(state.known[seat], face)
    return face


@compiled
def lay_on_pile(state: Any, seat: int, face: int) -> None:
    """A card of a hand goes on the pile."""
    leave_hand(state, seat, face)
    push_pile(state, face)


@compiled
def open_meld(state: Any, seat: int, meld: int) -> int:
    """A new meld lies before its seat; its number. The cards have left the hand."""
    slot = wide(state.num_melds)
    state.melds[slot] = meld
    state.meld_owner[slot] = seat
    state.num_melds += 1
    return slot


# Dealing -------------------------------------------------------------------------------------------------------------


@compiled
def clear_table(state: Any) -> None:
    """Take away all cards, and begin to count turns."""
    for seat in range(state.hands.shape[0]):
        for layer in range(LAYERS):
            state.hands[seat, layer] = 0
            state.known[seat, layer] = 0
    for slot in range(state.melds.shape[0]):
        state.melds[slot] = 0
        state.meld_owner[slot] = 0
    for i in range(MAX_CARDS):
        state.stock[i] = 0
        state.pile[i] = 0
    state.stock_size = state.pile_size = state.num_melds = state.turns = 0


@compiled
def deal_hands(state: Any, count: int, packs: int, jokers: int) -> None:
    """Shuffle, deal `count` cards to every seat, turn the next one up; the seat after the dealer is to draw.

    Args:
        packs: of 52 cards, one or two. jokers: in each of them.
    """
    clear_table(state)
    size = wide(0)
    for face in range(NUM_FACES):
        for _ in range(packs * jokers if face == JOKER else packs):
            state.stock[size] = face
            size += 1
    state.stock_size = size
    shuffle(state, state.stock, size)
    for seat in range(wide(state.num_players)):
        for _ in range(count):
            draw_stock(state, seat)
    push_pile(state, pop_stock(state))
    begin_turn(state, next_seat(state, wide(state.dealer)), wide(DRAW))


# What a game with Jokers says of its cards, where the kit asks it ---------------------------------------


@compiled
def joker_or_named(state: Any) -> int:
    """The face of the card that waits for its meld; NO_FACE: none does."""
    return wide(NO_FACE) if state.named == NOTHING else min(wide(state.named), wide(JOKER))


@compiled
def joker_or_face(state: Any, slot: int, place: int) -> int:
    """The card that lies at a place of a meld, in a game whose wild cards are Jokers."""
    meld = wide(state.melds[slot])
    return wide(JOKER) if wilds_in(meld) >> place & 1 else face_at(meld, place)
