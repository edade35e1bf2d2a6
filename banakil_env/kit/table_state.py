"""The fields and functions of the card table, for any game with hands: match, turn, hands, stock, pile, moving cards.

A game declares its state as fields: `match_fields`, `hand_fields`, `heap_fields`, the fields of its melds, and fields
of that game only (`one_pack.table`, `wilds.table` and `contracts.table` do so for several games each). The functions
here use the common fields by name, and call hooks for the differences between games. A field without meaning in a phase
has a fixed value (`Field.nothing`), so that equal games have equal bytes. The lifetime of a field (`Field.lives`)
determines when it gets this value.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.fields import HIDDEN, ONE_HOT, PLAYERS, ROUND, SCALED, SEAT, Field
from banakil_env.core.fields import MATCH as OF_MATCH
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import shuffle
from banakil_env.core.records import clear_fields
from banakil_env.kit.pack54 import NUM_FACES, add_card, has_card, remove_card
from banakil_env.kit.switches import Rules

# Phases. The phases of single games follow. In CHOOSE an action has named a card, and its meld is chosen next.
OVER, DRAW, PLAY, CHOOSE = range(4)

# How the last round, or the game, ended. TURNS and ROUNDS are truncations. The endings of single games follow.
RUNNING, MATCH, ROUNDS, TURNS, EXHAUSTED, OUT = range(6)

EPISODES = ("round", "match")
ROUND_EPISODE, MATCH_EPISODE = range(2)

NO_SEAT = -1

MAX_TURNS = MAX_ROUNDS = 100_000  # the highest values of the switches `max_turns` and `max_rounds`


def in_phases(*phases: int) -> int:
    """The mask of these phases, for `Field.absent_in`."""
    return sum(1 << phase for phase in phases)


def but_in_phases(*phases: int) -> int:
    """The mask of all phases except these."""
    return ~in_phases(*phases)


# The phases before the first action of a turn, in most games.
BETWEEN = in_phases(OVER, DRAW)


def match_fields(
    rules: type[Rules],
    seats: tuple[int, ...],
    *,
    max_points: int,
    phase: int,
    ending: int,
    signed: bool = False,
    max_score: int | None = None,
    max_turns: int = MAX_TURNS,
    max_rounds: int = MAX_ROUNDS,
    count: str = "<i4",
    scores: float = 100,
    turns: float = 100,
    rounds: float = 10,
    last_seat: bool = False,
) -> tuple[Field, ...]:
    """The fields of rules, round and match, and of the seat to move.

    Args:
        rules: the class of the rules.
        seats: the possible numbers of players.
        max_points: the most points that a seat can score in a round.
        phase: the highest number of a phase.
        ending: the highest number of an ending.
        signed: whether a round can also cost points, up to `max_points`.
        max_score: the highest score of a seat in a match; None: twice the most points of all rounds, since a match can
            begin with given scores.
        max_turns: the most turns in a round.
        max_rounds: the most rounds in a match.
        count: the dtype of turns and rounds.
        scores, turns, rounds: the divisors of these numbers for a network.
        last_seat: whether `seat` is the last seat to act when the game is over; otherwise it is 0 then.
    """
    most, sign = seats[-1], -1 if signed else 0
    if max_score is None:  # a match can start with given scores; half of the range is left for its rounds
        max_score = 2 * max_points * MAX_ROUNDS

    def counted(name: str, note: str, highest: int, scale: float, lives: str) -> Field:
        return Field(name, note, highest, role=SCALED, scale=scale, public=True, dtype=count, lives=lives)

    return (
        Field("rng", "the generator (core.random)", 2**64 - 1),
        Field(
            *("scores", "the match score of each seat", max_score, (most,), sign * max_score),
            role=SCALED,
            scale=scores,
            by_seat=True,
            dtype="<i4",
            lives=OF_MATCH,
            filled=PLAYERS,
        ),
        Field(
            *("points", "of the last finished round, by seat", max_points, (most,), sign * max_points),
            dtype="<i4",
            lives=OF_MATCH,
            filled=PLAYERS,
        ),
        counted("turns", "turns ended in this round", max_turns, turns, ROUND),
        counted("rounds", "rounds ended in this match", max_rounds, rounds, OF_MATCH),
        Field("rules", "the switches", record=rules.fields(), public=True),
        Field("num_players", "players", most, lowest=seats[0], role=ONE_HOT, public=True),
        Field("episode", "0 a round, 1 a match", public=True),
        Field("dealer", "a seat", most - 1, code=SEAT),
        Field(
            *("seat", f"to move; when the game is over, {'the last to act' if last_seat else 0}", most - 1),
            code=SEAT,
            absent_in=0 if last_seat else in_phases(OVER),
        ),
        Field("phase", "OVER, DRAW, PLAY, CHOOSE, ...", phase),
        Field("ending", "how the game ended; 0 while it goes on", ending, role=HIDDEN, public=True, lives=ROUND),
        Field(
            *("winner", "the seat that is out, or the first that has won the match", most - 1),
            lowest=NO_SEAT,
            absent=NO_SEAT,
            code=SEAT,
            lives=ROUND,
        ),
    )


def hand_fields(seats: int, layers: int, faces: int) -> tuple[Field, ...]:
    """The fields of the hands, which are rows of masks (`pack54`).

    Args:
        seats: the largest number of players.
        layers: the number of masks in a hand; 1 if each card exists once.
        faces: the mask of all faces.
    """
    return (
        Field("hands", "the cards of each seat (kit/pack54.py)", faces, (seats, layers), lives=ROUND, filled=PLAYERS),
        Field("known", "those of them that everybody knows", faces, (seats, layers), lives=ROUND, filled=PLAYERS),
    )


def heap_fields(cards: int, face: int, *, stock: float, pile: float) -> tuple[Field, ...]:
    """The fields of stock and pile.

    Args:
        cards: the number of cards in the game.
        face: the highest face.
        stock: the divisor of the stock's size for a network.
        pile: the divisor of the pile's size for a network.
    """
    return (
        Field("stock_size", "cards in the stock", cards, role=SCALED, scale=stock, public=True, lives=ROUND),
        Field("pile_size", "cards in the pile", cards, role=SCALED, scale=pile, public=True, lives=ROUND),
        Field("stock", "the next card is stock[stock_size - 1]", face, (cards,), lives=ROUND, filled="stock_size"),
        Field("pile", "the top card is pile[pile_size - 1]", face, (cards,), lives=ROUND, filled="pile_size"),
    )


def meld_fields(melds: Field, seats: int, owner: str = "the owner of each meld") -> tuple[Field, Field, Field]:
    """The fields of a list of melds in the order of opening: the melds, their number, and their owners.

    Args:
        melds: the field `melds`; its lifetime is set here.
        seats: the largest number of players.
        owner: the note of the field `meld_owner`.
    """
    [most] = melds.shape
    return (
        replace(melds, lives=ROUND, filled="num_melds"),
        Field("num_melds", "melds on the table", most, lives=ROUND),
        Field("meld_owner", owner, seats - 1, (most,), lives=ROUND, filled="num_melds", code=SEAT),
    )


# Hooks about the table of a game, filled in where the fields of its state are declared --------------------------------


@hook
def copies_of(state: Any, face: int) -> int:
    """The number of cards of this face in the game."""
    raise NotImplementedError


@hook
def count_meld(state: Any, slot: int, counts: Any, step: int) -> None:
    """Add `step` to `counts`, a row of numbers by face, for every card of the meld in a slot."""
    raise NotImplementedError


@hook
def count_table(state: Any, counts: Any, step: int) -> None:
    """Add `step` to `counts`, a row of numbers by face, for every card outside hands, stock and pile.

    By default these are the cards of the melds in the list of melds.
    """
    for slot in range(state.num_melds):
        count_meld(state, slot, counts, step)


@hook
def fields_of_turn(state: Any) -> str:
    """The names of the fields cleared with each turn (`Fields.cleared`). Filled in by `kit.assembly`."""
    raise NotImplementedError


@hook
def fields_of_round(state: Any) -> str:
    """The names of the fields cleared with each round. Filled in by `kit.assembly`."""
    raise NotImplementedError


@hook
def fields_of_match(state: Any) -> str:
    """The names of the fields cleared with each match. Filled in by `kit.assembly`."""
    raise NotImplementedError


@hook
def begin_turn(state: Any, seat: int, phase: int) -> None:
    """Begin a turn of this seat in this phase, and clear the fields of the turn."""
    state.seat, state.phase = seat, phase
    clear_fields(state, fields_of_turn(state))


@hook
def stock_is_seen(state: Any) -> bool:
    """Whether the order of the stock is public."""
    return False


# Seats and turns -----------------------------------------------------------------------------------------------------


@inlined
def num_seats(state: Any) -> int:
    """The number of seats with a player."""
    return state.num_players


@inlined
def next_seat(state: Any, seat: int) -> int:
    """The seat that plays after this one."""
    return seat + 1 if seat + 1 < state.num_players else 0


@compiled
def seat_to_move(state: Any) -> int:
    """The seat to move; -1 when the episode is over."""
    return (-1) if state.phase == OVER else state.seat


@inlined
def own_side(state: Any, seat: int) -> int:
    """The side of a seat in games where everybody plays alone: the seat itself."""
    return seat


@compiled
def owns_meld(state: Any, seat: int) -> bool:
    """Whether this seat owns a meld on the table, for games with a list of melds."""
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == seat:
            return True
    return False


# Stock and pile, in any game ------------------------------------------------------------------------------------------


@inlined
def pop_stock(state: Any) -> int:
    """Remove and return the next card of the stock, which must not be empty."""
    state.stock_size -= 1
    face = state.stock[state.stock_size]
    state.stock[state.stock_size] = 0
    return face


@inlined
def pop_pile(state: Any) -> int:
    """Remove and return the top card of the pile, which must not be empty."""
    state.pile_size -= 1
    face = state.pile[state.pile_size]
    state.pile[state.pile_size] = 0
    return face


@inlined
def push_pile(state: Any, face: int) -> None:
    """Put a card on the pile."""
    state.pile[state.pile_size] = face
    state.pile_size += 1


# Cards that move between hands and heaps -----------------------------------------------------------------------------


@compiled
def leave_hand(state: Any, seat: int, face: int) -> None:
    """Remove a card from a hand, publicly. If everybody knows a copy in the hand, that copy leaves first."""
    known = state.known[seat]
    remove_card(state.hands[seat], face)
    if known.shape[0] == 1 or has_card(known, face):  # with one layer, removing the card is cheaper than testing for it
        remove_card(known, face)


@compiled
def come_to_hand(state: Any, seat: int, face: int) -> None:
    """Add a card to a hand, publicly: everybody knows it there."""
    add_card(state.hands[seat], face)
    add_card(state.known[seat], face)


@compiled
def draw_stock(state: Any, seat: int) -> None:
    """Move the next card of the stock, which must not be empty, to a hand.

    Everybody knows the card if the order of the stock is public.
    """
    face = pop_stock(state)
    add_card(state.hands[seat], face)
    if stock_is_seen(state):
        add_card(state.known[seat], face)


@compiled
def take_top(state: Any, seat: int) -> int:
    """Move the top card of the pile, which must not be empty, to a hand. Returns its face."""
    face = pop_pile(state)
    come_to_hand(state, seat, face)
    return face


@compiled
def draw(state: Any) -> None:
    """Draw the next card of the stock, which must not be empty, for the seat to move; its phase becomes PLAY."""
    draw_stock(state, state.seat)
    state.phase = PLAY


@compiled
def take(state: Any) -> int:
    """Take the top card of the pile, which must not be empty, for the seat to move; its phase becomes PLAY.

    Returns the face.
    """
    face = take_top(state, state.seat)
    state.phase = PLAY
    return face


@compiled
def lay_on_pile(state: Any, seat: int, face: int) -> None:
    """Put a card of a hand on the pile."""
    leave_hand(state, seat, face)
    push_pile(state, face)


@compiled
def shuffle_pile_under(state: Any) -> None:
    """Make all cards of the pile except the top one the new stock, shuffled."""
    size = state.pile_size - 1
    for i in range(size):
        state.stock[i] = state.pile[i]
        state.pile[i] = 0
    state.pile[0] = state.pile[size]
    state.pile[size] = 0
    state.stock_size, state.pile_size = size, 1
    shuffle(state, state.stock, size)


@compiled
def count_cards_in(cards: int, counts: Any, step: int) -> None:
    """Add `step` to the cell of each card of the mask `cards` in `counts`, a row of numbers by face."""
    while cards:
        counts[lowest(cards)] += step
        cards &= cards - 1


# Dealing -------------------------------------------------------------------------------------------------------------


@compiled
def clear_table(state: Any) -> None:
    """Remove all cards and clear the other fields of the round. Works for any game."""
    clear_fields(state, fields_of_round(state))


@compiled
def lay_pack(state: Any) -> None:
    """Put all cards of the game into the stock and shuffle it."""
    size = 0
    for face in range(NUM_FACES):
        for _ in range(copies_of(state, face)):
            state.stock[size] = face
            size += 1
    state.stock_size = size
    shuffle(state, state.stock, size)


@compiled
def deal_hands(state: Any, count: int) -> None:
    """Shuffle, deal `count` cards to every seat, and turn up the next card; the seat after the dealer is to draw."""
    clear_table(state)
    lay_pack(state)
    for seat in range(state.num_players):
        for _ in range(count):
            draw_stock(state, seat)
    push_pile(state, pop_stock(state))
    begin_turn(state, next_seat(state, state.dealer), DRAW)
