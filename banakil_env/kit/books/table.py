"""The table of a game of books: hands as stacks, known cards, red Threes, stock, pile, and functions that move cards.

A state has the fields of `table_fields` and `turn_fields`. Unused cells are zero, so that equal games have equal bytes.
The books themselves are in `books.melds`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.fields import ONE_HOT, PLAYERS, ROUND, TURN, Field, seen_otherwise
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import shuffle
from banakil_env.kit import table_state as T
from banakil_env.kit.books.kinds import (
    ALL_SUITS,
    JOKER_FACE,
    LOWEST_WILD,
    NUM_KINDS,
    RED_FACES,
    is_red_three,
    kind_of,
    one_card,
    suit_to_play,
)
from banakil_env.kit.switches import Rules
from banakil_env.kit.table_state import next_seat, pop_pile, pop_stock
from banakil_env.kit.two_sides import ANSWER, NO, NUM_SIDES, side_of


def stack_field(name: str, note: str, shape: tuple[int, ...], packs: int, filled: str = "") -> Field:
    """A field of stacks that is cleared with each round; its cells have at most `packs` cards per suit."""
    return Field(name, note, packs * 0x01010101, shape, dtype="<u4", lives=ROUND, filled=filled)


def table_fields(seats: int, packs: int, jokers: int) -> tuple[Field, ...]:
    """The fields of the cards, for `packs` packs of 52 cards and `jokers` Jokers in all."""
    cards, hands = 52 * packs + jokers, (seats, NUM_KINDS)
    return (
        stack_field("hands", "the cards of each seat, a stack of each kind", hands, packs, PLAYERS),
        stack_field("known", "those of them that everybody knows", hands, packs, PLAYERS),
        Field(
            "red_threes", "red Threes laid down, by side: of diamonds, of hearts", packs, (NUM_SIDES, 2), lives=ROUND
        ),
        *T.heap_fields(cards, JOKER_FACE, stock=30 * packs, pile=20),
    )


def turn_fields(rules: type[Rules], seats: tuple[int, ...], **match: Any) -> tuple[Field, ...]:
    """The fields of match and turn, for games with a value for the first meld and questions to the partner.

    Observations show the scores by side, not by seat.

    Args:
        match: additional arguments of `table_state.match_fields`.
    """
    fields = T.match_fields(rules, seats, phase=ANSWER, signed=True, **match)
    return (
        *seen_otherwise(fields, "scores"),
        turn_field(
            *("opening", "the first meld of the side to move has been begun, and has not reached its value"),
            word="opening",
        ),
        turn_field(
            *("taking", "cards of the pile wait until the first meld has its value"),
            word="taking",
        ),
        turn_field("answer", "of the partner in this turn: 0 not asked, 1 yes, 2 no", NO, role=ONE_HOT),
        turn_field("last", "the last turn, without a discard", word="last"),
    )


def turn_field(name: str, note: str, highest: int = 1, **more: Any) -> Field:
    """A public field that is cleared with each turn; `more` has additional arguments of `Field`."""
    return Field(name, note, highest, public=True, lives=TURN, absent_in=T.BETWEEN, **more)


@compiled
def shuffle_pack(state: Any, packs: int, jokers: int) -> None:
    """Put the whole pack into the stock and shuffle it."""
    size = 0
    for face in range(JOKER_FACE + 1):
        for _ in range(jokers if face == JOKER_FACE else packs):
            state.stock[size] = face
            size += 1
    state.stock_size = size
    shuffle(state, state.stock, size)


@compiled
def deal_hands(state: Any, count: int, owed: Any) -> None:
    """Deal `count` cards to every seat, from seat 0 on. Red Threes are laid down, and `owed` counts them by seat."""
    for seat in range(state.num_players):
        owed[seat] = 0
        for _ in range(count):
            face = pop_stock(state)
            if is_red_three(face):
                lay_red_three(state, seat, face)
                owed[seat] += 1
            else:
                state.hands[seat, kind_of(face)] += one_card(face)


@compiled
def replace_red_threes(state: Any, owed: Any) -> None:
    """Draw the cards that each seat is owed for its red Threes, beginning with the seat after the dealer."""
    seat = state.dealer
    for _ in range(state.num_players):
        seat = next_seat(state, seat)
        for _ in range(owed[seat]):
            draw_card(state, seat)


# Cards that move between hands and heaps -----------------------------------------------------------------------------


@inlined
def lay_red_three(state: Any, seat: int, face: int) -> None:
    """Add a red Three to those that the side of a seat has laid down."""
    state.red_threes[side_of(state, seat), face - 1] += 1


@compiled
def draw_card(state: Any, seat: int) -> bool:
    """Move a card of the stock to a hand. Red Threes are laid down and replaced.

    Returns False if the stock had no card for the hand.
    """
    while state.stock_size:
        face = pop_stock(state)
        if not is_red_three(face):
            state.hands[seat, kind_of(face)] += one_card(face)
            return True
        lay_red_three(state, seat, face)
    return False


@compiled
def leave_hand(state: Any, seat: int, kind: int) -> int:
    """Remove a card of a kind from a hand: a known card first, of the lowest suit. Returns its face."""
    return leave_hand_of(state, seat, kind, ALL_SUITS)


@compiled
def leave_hand_of(state: Any, seat: int, kind: int, suits: int) -> int:
    """As `leave_hand`, for some suits only; `suits` has all the bits of these suits in a stack."""
    known = state.known[seat, kind] & suits
    suit = suit_to_play(state.hands[seat, kind] & suits, known)
    card = one_card(suit)
    state.hands[seat, kind] -= card
    if known:
        state.known[seat, kind] -= card
    return 4 * kind + suit


@compiled
def draw_cards(state: Any, seat: int, count: int) -> None:
    """Draw up to `count` cards for a seat.

    If the stock ends with a red Three, the hand gets no card for it, and the field `last` is set.
    """
    for _ in range(count):
        if state.stock_size:
            state.last = not draw_card(state, seat)


@compiled
def take_up_pile(state: Any, seat: int, most: int) -> None:
    """Move the top cards of the pile, at most `most`, into a hand, publicly.

    Red Threes among them are laid down without replacement.
    """
    for _ in range(min(most, state.pile_size)):
        face = pop_pile(state)
        if is_red_three(face):
            lay_red_three(state, seat, face)
        else:
            state.hands[seat, kind_of(face)] += one_card(face)
            state.known[seat, kind_of(face)] += one_card(face)


@compiled
def is_frozen(state: Any) -> bool:
    """Whether the pile contains a wild card or a red Three."""
    found = False
    for i in range(state.pile_size):
        face = state.pile[i]
        found |= (face >= LOWEST_WILD) | (face == RED_FACES[0]) | (face == RED_FACES[1])
    return found


@compiled
def red_threes_in(state: Any) -> int:
    """The number of red Threes in the pile."""
    count = 0
    for i in range(state.pile_size):
        face = state.pile[i]
        count += (face == RED_FACES[0]) | (face == RED_FACES[1])
    return count
