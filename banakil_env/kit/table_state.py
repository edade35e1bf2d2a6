"""The state of a game with one pack of 52 cards: hands, melds, stock and pile, the turn, the round and the match.

A game declares its state as `state_fields(Rules, own fields ...)`; the functions here know the common fields by name.
Cells that hold nothing are zero, so that equal games have equal bytes.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.fields import Field, Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import shuffle
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, is_run
from banakil_env.kit.pack52 import ALL, NO_FACE, NUM_FACES, bit_of
from banakil_env.kit.switches import Rules

# Phases. A game's own come behind these. In CHOOSE a card has been named and waits for its meld.
OVER, DRAW, PLAY, CHOOSE = range(4)

# How the last round, or the game, ended. TURNS and ROUNDS are truncations. A game's own come behind these.
RUNNING, MATCH, ROUNDS, TURNS, EXHAUSTED, OUT = range(6)

EPISODES = ("round", "match")
ROUND_EPISODE, MATCH_EPISODE = range(2)

NO_SEAT = -1

MAX_TURNS = MAX_ROUNDS = 100_000  # that a switch can say


def match_fields(
    rules: type[Rules], seats: int, *, max_points: int, phase: int, ending: int, signed: bool = False
) -> tuple[Field, ...]:
    """The fields of round and match; the arguments as in `state_fields`."""
    max_score = 2 * max_points * MAX_ROUNDS  # a match may be set up with scores; half of it is left for its rounds
    sign = -1 if signed else 0
    return (
        Field("scores", "the match score, by seat", max_score, (seats,), sign * max_score, dtype="<i4"),
        Field("points", "of the last finished round, by seat", max_points, (seats,), sign * max_points, dtype="<i4"),
        Field("turns", "turns ended in this round", MAX_TURNS, dtype="<i4"),
        Field("rounds", "rounds ended in this match", MAX_ROUNDS, dtype="<i4"),
        Field("rules", "the switches", record=rules.fields()),
        Field("num_players", "how many play", seats, lowest=2),
        Field("episode", "ROUND_EPISODE, MATCH_EPISODE"),
        Field("dealer", "a seat", seats - 1),
        Field("seat", "to move; 0 when the game is over", seats - 1),
        Field("phase", "OVER, DRAW, PLAY, CHOOSE, ...", phase),
        Field("ending", "how the last round, or the game, ended; RUNNING while it goes on", ending),
        Field("winner", "the seat that is out, or has won the match; NO_SEAT", seats - 1, lowest=NO_SEAT),
    )


def state_fields(
    rules: type[Rules],
    seats: int,
    own: tuple[Field, ...] = (),
    *,
    max_points: int,
    phase: int,
    ending: int,
    signed: bool = False,
) -> Fields:
    """The fields of a state.

    Args:
        rules: the switches. seats: the most that can play.
        own: the game's own fields.
        max_points: the most that a seat can score in a round.
        phase, ending: the highest of each.
        signed: points are also lost, `max_points` at the most.
    """
    return Fields(
        Field("hands", "the cards of each seat, a mask of faces", ALL, (seats,)),
        Field("known", "those of them that everybody knows", ALL, (seats,)),
        Field("melds", "the cards of each meld, a mask, in the order of opening", ALL, (MAX_MELDS,)),
        Field("rng", "the generator (core.random)", 2**64 - 1),
        *match_fields(rules, seats, max_points=max_points, phase=phase, ending=ending, signed=signed),
        Field("banned", "the card that may not be discarded in this turn; NO_FACE", NO_FACE),
        Field("named", "CHOOSE: the card that waits for its meld; NO_FACE", NO_FACE),
        Field("opened", "melds opened in this turn", MAX_MELDS),
        Field("in_one_turn", "the seat has played something in this round, and all of it in this turn"),
        Field("played", "seats that have put a card on the table in this round, a mask", 2**seats - 1),
        Field("seen", "the order of the stock is public"),
        Field("num_melds", "melds on the table", MAX_MELDS),
        Field("meld_owner", "whose each meld is", seats - 1, (MAX_MELDS,)),
        Field("stock_size", "cards in the stock", NUM_FACES),
        Field("pile_size", "cards in the pile", NUM_FACES),
        Field("stock", "the next card is stock[stock_size - 1]", NUM_FACES - 1, (NUM_FACES,)),
        Field("pile", "the top card is pile[pile_size - 1]", NUM_FACES - 1, (NUM_FACES,)),
        *own,
    )


# Whose turn ----------------------------------------------------------------------------------------------------------


@inlined
def num_seats(state: Any) -> int:
    """How many seats play."""
    return wide(state.num_players)


@inlined
def next_seat(state: Any, seat: int) -> int:
    """The seat that plays after this one."""
    return seat + 1 if seat + 1 < state.num_players else wide(0)


@compiled
def seat_to_move(state: Any) -> int:
    """The seat to move, -1 when the episode is over."""
    return wide(-1) if state.phase == OVER else wide(state.seat)


@inlined
def own_side(state: Any, seat: int) -> int:
    """The side of a seat where everybody plays alone."""
    return seat


@compiled
def begin_turn(state: Any, seat: int, phase: int) -> None:
    """It is this seat's turn, and nothing has happened in it."""
    state.seat = seat
    state.phase = phase
    state.banned = NO_FACE
    state.named = NO_FACE
    state.opened = 0
    state.in_one_turn = 0


@compiled
def owns_meld(state: Any, seat: int) -> bool:
    """Whether a meld on the table is of this seat. In any game with a list of melds."""
    for slot in range(wide(state.num_melds)):
        if state.meld_owner[slot] == seat:
            return True
    return False


@inlined
def has_played(state: Any, seat: int) -> bool:
    """Whether the seat has put a card on the table in this round."""
    return state.played >> seat & 1 != 0


# The two heaps, in any game -------------------------------------------------------------------------------------------


@inlined
def pop_stock(state: Any) -> int:
    """The next card of the stock, which must not be empty, taken from it."""
    state.stock_size -= 1
    face = wide(state.stock[state.stock_size])
    state.stock[state.stock_size] = 0
    return face


@inlined
def pop_pile(state: Any) -> int:
    """The top card of the pile, which must not be empty, taken from it."""
    state.pile_size -= 1
    face = wide(state.pile[state.pile_size])
    state.pile[state.pile_size] = 0
    return face


@inlined
def push_pile(state: Any, face: int) -> None:
    """A card goes on the pile."""
    state.pile[state.pile_size] = face
    state.pile_size += 1


# Cards changing hands ------------------------------------------------------------------------------------------------


@inlined
def leave_hand(state: Any, seat: int, cards: int) -> None:
    """Cards (a mask) leave a hand before everybody's eyes."""
    state.hands[seat] &= ~cards
    state.known[seat] &= ~cards


@compiled
def draw_stock(state: Any, seat: int) -> None:
    """The next card of the stock, which must not be empty, goes to a hand; all know it if the stock is seen."""
    card = bit_of(pop_stock(state))
    state.hands[seat] |= card
    if state.seen:
        state.known[seat] |= card


@compiled
def take_top(state: Any, seat: int) -> int:
    """The top card of the pile, which must not be empty, goes to a hand; the face."""
    face = pop_pile(state)
    state.hands[seat] |= bit_of(face)
    state.known[seat] |= bit_of(face)
    return face


@compiled
def lay_on_pile(state: Any, seat: int, face: int) -> None:
    """A card of a hand goes on the pile."""
    leave_hand(state, seat, bit_of(face))
    push_pile(state, face)


@compiled
def shuffle_pile_under(state: Any) -> None:
    """All cards of the pile but the top one become the new stock, shuffled."""
    size = wide(state.pile_size) - 1
    for i in range(size):
        state.stock[i] = state.pile[i]
        state.pile[i] = 0
    state.pile[0] = state.pile[size]
    state.pile[size] = 0
    state.stock_size, state.pile_size = size, 1
    shuffle(state, state.stock, size)


@compiled
def turn_pile_over(state: Any) -> None:
    """The whole pile becomes the new stock, its lowest card the next one, and everybody has seen the order."""
    size = wide(state.pile_size)
    for i in range(size):
        state.stock[i] = state.pile[size - 1 - i]
    for i in range(size):
        state.pile[i] = 0
    state.stock_size, state.pile_size, state.seen = size, 0, 1


# Melds on the table --------------------------------------------------------------------------------------------------


@compiled
def cards_in_runs(state: Any) -> int:
    """The cards in all runs on the table."""
    cards = wide(0)
    for slot in range(wide(state.num_melds)):
        meld = wide(state.melds[slot])
        cards |= meld if is_run(meld) else wide(0)
    return cards


@compiled
def cards_in_sets(state: Any) -> int:
    """The cards in all sets on the table."""
    cards = wide(0)
    for slot in range(wide(state.num_melds)):
        meld = wide(state.melds[slot])
        cards |= wide(0) if is_run(meld) else meld
    return cards


@inlined
def _note_play(state: Any, seat: int) -> None:
    if not has_played(state, seat):
        state.in_one_turn = 1
        state.played |= 1 << seat


@inlined
def put_down(state: Any, seat: int, cards: int) -> None:
    """Cards of a hand become a new meld before its seat; that is all."""
    leave_hand(state, seat, cards)
    state.melds[state.num_melds] = cards
    state.meld_owner[state.num_melds] = seat
    state.num_melds += 1


@inlined
def put_on(state: Any, seat: int, slot: int, face: int) -> None:
    """A card of a hand goes to a meld; that is all."""
    leave_hand(state, seat, bit_of(face))
    state.melds[slot] |= bit_of(face)


@compiled
def open_meld(state: Any, seat: int, cards: int) -> None:
    """Cards of a hand become a new meld before its seat, and the turn remembers it."""
    put_down(state, seat, cards)
    state.opened += 1
    _note_play(state, seat)


@compiled
def lay_off(state: Any, seat: int, slot: int, face: int) -> None:
    """A card of a hand goes to a meld, and the turn remembers it."""
    put_on(state, seat, slot, face)
    _note_play(state, seat)


# Dealing -------------------------------------------------------------------------------------------------------------


@compiled
def clear_table(state: Any) -> None:
    """Take away all cards, and what is remembered of the round."""
    for seat in range(state.hands.shape[0]):
        state.hands[seat] = 0
        state.known[seat] = 0
    for slot in range(MAX_MELDS):
        state.melds[slot] = 0
        state.meld_owner[slot] = 0
    for i in range(NUM_FACES):
        state.stock[i] = 0
        state.pile[i] = 0
    state.stock_size = state.pile_size = state.num_melds = 0
    state.played = state.seen = state.turns = 0


@compiled
def deal_hands(state: Any, count: int) -> None:
    """Shuffle, deal `count` cards to every seat, turn the next one up; the seat after the dealer is to draw."""
    clear_table(state)
    for face in range(NUM_FACES):
        state.stock[face] = face
    state.stock_size = NUM_FACES
    shuffle(state, state.stock, wide(NUM_FACES))
    for seat in range(wide(state.num_players)):
        for _ in range(count):
            draw_stock(state, seat)
    push_pile(state, pop_stock(state))
    begin_turn(state, next_seat(state, wide(state.dealer)), wide(DRAW))
