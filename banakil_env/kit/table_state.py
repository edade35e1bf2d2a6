"""The card table: match, turn, hands, stock and pile, and cards changing hands, in any game that holds cards in hands.

A game declares its state as fields: `match_fields`, `hand_fields`, `heap_fields`, those of its melds and its own
(`one_pack.table`, `wilds.table` and `contracts.table` do so for several games). The functions here know the common
fields by name, and call hooks for what differs. A field that says nothing has one value (`Field.nothing`): equal games
have equal bytes. The lifetime of a field (`Field.lives`) says when it gets this value.
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

# Phases. A game's own phases come after these. In CHOOSE a card has been named and waits for its meld.
OVER, DRAW, PLAY, CHOOSE = range(4)

# How the last round, or the game, ended. TURNS and ROUNDS are truncations. A game's own endings follow.
RUNNING, MATCH, ROUNDS, TURNS, EXHAUSTED, OUT = range(6)

EPISODES = ("round", "match")
ROUND_EPISODE, MATCH_EPISODE = range(2)

NO_SEAT = -1

MAX_TURNS = MAX_ROUNDS = 100_000  # the highest value of a switch


def in_phases(*phases: int) -> int:
    """These phases, as `Field.absent_in` has them."""
    return sum(1 << phase for phase in phases)


def but_in_phases(*phases: int) -> int:
    """All phases but these."""
    return ~in_phases(*phases)


# The phases in which nothing has happened in a turn yet, in most games.
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
    """The fields of rules, round and match, and whose turn it is.

    Args:
        rules: the switches. seats: the numbers of players.
        max_points: the most that a seat can score in a round. signed: whether a round can also cost points, at most as
            many.
        phase, ending: the highest number of each.
        max_score: the highest score of a seat in a match; None: the sum of the highest start and the points of all
            rounds.
        max_turns, max_rounds: of a round and a match; `count`: their dtype.
        scores, turns, rounds: the divisors of these numbers for a network.
        last_seat: when the game is over, `seat` is the last to act; otherwise 0.
    """
    most, sign = seats[-1], -1 if signed else 0
    if max_score is None:  # a match can be set up with scores; half of it is left for its rounds
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
    """The fields of the hands: rows of masks (`pack54`), one layer if each card exists once; `faces`: a mask."""
    return (
        Field("hands", "the cards of each seat (kit/pack54.py)", faces, (seats, layers), lives=ROUND, filled=PLAYERS),
        Field("known", "those of them that everybody knows", faces, (seats, layers), lives=ROUND, filled=PLAYERS),
    )


def heap_fields(cards: int, face: int, *, stock: float, pile: float) -> tuple[Field, ...]:
    """The fields of stock and pile.

    Args:
        cards: the number of cards. face: the highest face. stock, pile: the divisors of their sizes for a network.
    """
    return (
        Field("stock_size", "cards in the stock", cards, role=SCALED, scale=stock, public=True, lives=ROUND),
        Field("pile_size", "cards in the pile", cards, role=SCALED, scale=pile, public=True, lives=ROUND),
        Field("stock", "the next card is stock[stock_size - 1]", face, (cards,), lives=ROUND, filled="stock_size"),
        Field("pile", "the top card is pile[pile_size - 1]", face, (cards,), lives=ROUND, filled="pile_size"),
    )


def meld_fields(melds: Field, seats: int, owner: str = "the owner of each meld") -> tuple[Field, Field, Field]:
    """The fields of a list of melds in the order of opening: the melds, their number, whose they are.

    Args:
        melds: the field `melds`, without lifetime. owner: the note of the field `meld_owner`.
    """
    [most] = melds.shape
    return (
        replace(melds, lives=ROUND, filled="num_melds"),
        Field("num_melds", "melds on the table", most, lives=ROUND),
        Field("meld_owner", owner, seats - 1, (most,), lives=ROUND, filled="num_melds", code=SEAT),
    )


# What a game says of its table: filled in where the fields of its state are declared ----------------------------------


@hook
def copies_of(state: Any, face: int) -> int:
    """The number of cards of this face in the game."""
    raise NotImplementedError


@hook
def count_meld(state: Any, slot: int, counts: Any, step: int) -> None:
    """Add `step` to `counts`, a row of numbers by face, for every card of a numbered meld."""
    raise NotImplementedError


@hook
def count_table(state: Any, counts: Any, step: int) -> None:
    """Add `step` to `counts`, a row of numbers by face, for every card outside hands, stock and pile.

    By default these are the cards of numbered melds.
    """
    for slot in range(state.num_melds):
        count_meld(state, slot, counts, step)


@hook
def fields_of_turn(state: Any) -> str:
    """The fields that live for a turn (`Fields.cleared`); `kit.assembly` fills these three hooks in."""
    raise NotImplementedError


@hook
def fields_of_round(state: Any) -> str:
    """The fields that live for a round."""
    raise NotImplementedError


@hook
def fields_of_match(state: Any) -> str:
    """The fields that live for a match."""
    raise NotImplementedError


@hook
def begin_turn(state: Any, seat: int, phase: int) -> None:
    """Begin the turn of this seat in this phase: clear the fields of the turn."""
    state.seat, state.phase = seat, phase
    clear_fields(state, fields_of_turn(state))


@hook
def stock_is_seen(state: Any) -> bool:
    """Whether the order of the stock is public."""
    return False


# Whose turn ----------------------------------------------------------------------------------------------------------


@inlined
def num_seats(state: Any) -> int:
    """The number of seats that play."""
    return state.num_players


@inlined
def next_seat(state: Any, seat: int) -> int:
    """The seat that plays after this one."""
    return seat + 1 if seat + 1 < state.num_players else 0


@compiled
def seat_to_move(state: Any) -> int:
    """The seat to move, -1 when the episode is over."""
    return (-1) if state.phase == OVER else state.seat


@inlined
def own_side(state: Any, seat: int) -> int:
    """The side of a seat where everybody plays alone."""
    return seat


@compiled
def owns_meld(state: Any, seat: int) -> bool:
    """Whether this seat owns a meld on the table; for games with a list of melds."""
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == seat:
            return True
    return False


# The two heaps, in any game -------------------------------------------------------------------------------------------


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


# Cards changing hands ------------------------------------------------------------------------------------------------


@compiled
def leave_hand(state: Any, seat: int, face: int) -> None:
    """Remove a card from a hand, publicly: a card that everybody knows leaves first."""
    known = state.known[seat]
    remove_card(state.hands[seat], face)
    if known.shape[0] == 1 or has_card(known, face):  # with one layer, removing the card is cheaper than testing for it
        remove_card(known, face)


@compiled
def come_to_hand(state: Any, seat: int, face: int) -> None:
    """Add a card to a hand, publicly."""
    add_card(state.hands[seat], face)
    add_card(state.known[seat], face)


@compiled
def draw_stock(state: Any, seat: int) -> None:
    """Move the next card of the stock, which must not be empty, to a hand; everybody knows it if the stock is
    public.
    """
    face = pop_stock(state)
    add_card(state.hands[seat], face)
    if stock_is_seen(state):
        add_card(state.known[seat], face)


@compiled
def take_top(state: Any, seat: int) -> int:
    """Move the top card of the pile, which must not be empty, to a hand; returns its face."""
    face = pop_pile(state)
    come_to_hand(state, seat, face)
    return face


@compiled
def draw(state: Any) -> None:
    """The seat to move draws the next card of the stock, which must not be empty, and is then to play."""
    draw_stock(state, state.seat)
    state.phase = PLAY


@compiled
def take(state: Any) -> int:
    """The seat to move takes the top card of the pile, which must not be empty, and is then to play; returns
    the face.
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
    """Add `step` to the numbers of these cards (a mask) in a row of numbers by face."""
    while cards:
        counts[lowest(cards)] += step
        cards &= cards - 1


# Dealing -------------------------------------------------------------------------------------------------------------


@compiled
def clear_table(state: Any) -> None:
    """Remove all cards, and clear the other fields of the round. In any game."""
    clear_fields(state, fields_of_round(state))


@compiled
def lay_pack(state: Any) -> None:
    """Make the whole pack the stock, shuffled."""
    size = 0
    for face in range(NUM_FACES):
        for _ in range(copies_of(state, face)):
            state.stock[size] = face
            size += 1
    state.stock_size = size
    shuffle(state, state.stock, size)


@compiled
def deal_hands(state: Any, count: int) -> None:
    """Shuffle, deal `count` cards to every seat, turn the next one up; the seat after the dealer is to draw."""
    clear_table(state)
    lay_pack(state)
    for seat in range(state.num_players):
        for _ in range(count):
            draw_stock(state, seat)
    push_pile(state, pop_stock(state))
    begin_turn(state, next_seat(state, state.dealer), DRAW)
