"""The record that is the whole game, the table of actions, and the deal (Y1)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.bits import wide
from banakil_env.core.fields import Field, Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import shuffle
from banakil_env.games.yaniv.discards import followers, is_discard
from banakil_env.games.yaniv.rules import AUTO_PACKS, MAX_PENALTY, MAX_ROUNDS, MAX_TURNS, Rules
from banakil_env.kit import table_state
from banakil_env.kit.pack54 import (
    ALL,
    FACES,
    LAYERS,
    MAX_CARDS,
    NUM_FACES,
    add_card,
    fill_packs,
)
from banakil_env.kit.rounds import begin_episode
from banakil_env.kit.table_state import (
    MATCH,
    NO_SEAT,
    OUT,
    PLAY,
    ROUNDS,
    TURNS,
    next_seat,
    pop_stock,
)

SEATS = (2, 3, 4, 5)
MAX_SEATS = SEATS[-1]
HAND_SIZE = 5  # also the most cards of a discard

# The words for all endings are those of positions. The seat of YANIV is the caller.
YANIV = OUT + 1
ENDINGS = {YANIV: "yaniv", TURNS: "turns", MATCH: "match", ROUNDS: "rounds"}

MAX_POINTS = 10 * HAND_SIZE + MAX_PENALTY
MAX_SCORE = 2 * MAX_POINTS * table_state.MAX_ROUNDS

_CELLS = (HAND_SIZE,)
STATE_FIELDS = Fields(
    Field("hands", "the cards of each seat (kit/pack54.py)", ALL, (MAX_SEATS, LAYERS)),
    Field("known", "those of them that were taken from a discard", ALL, (MAX_SEATS, LAYERS)),
    Field("rng", "the generator (core.random)", 2**64 - 1),
    Field("scores", "points of the episode, by seat", MAX_SCORE, (MAX_SEATS,), dtype="<i4"),
    Field("points", "of the last finished round, by seat", MAX_POINTS, (MAX_SEATS,), dtype="<i2"),
    Field("turns", "turns ended in this round", MAX_TURNS, dtype="<i2"),
    Field("rounds", "rounds ended in this match", MAX_ROUNDS, dtype="<i2"),
    Field("rules", "the switches", record=Rules.fields()),
    Field("num_players", "how many began", MAX_SEATS, lowest=2),
    Field("episode", "ROUND_EPISODE, MATCH_EPISODE"),
    Field("dealer", "a seat", MAX_SEATS - 1),
    Field("seat", "to move; when over, the last to act", MAX_SEATS - 1),
    Field("phase", "OVER, DRAW: something is laid, PLAY: nothing yet", PLAY),
    Field("ending", "how the game ended; RUNNING while it goes on", YANIV),
    Field("winner", "the seat that called, or has won the match; NO_SEAT", MAX_SEATS - 1, lowest=NO_SEAT),
    Field("out", "seats that are out of the match, a mask", 2**MAX_SEATS - 1),
    Field("last", "cards at the top of the pile that are the last discard", HAND_SIZE, lowest=1),
    Field("laid_size", "cards laid in this turn", HAND_SIZE),
    Field("laid", "the cards laid in this turn, in order", NUM_FACES - 1, _CELLS),
    Field("stock_size", "cards in the stock", MAX_CARDS),
    Field("pile_size", "cards in the pile", MAX_CARDS),
    Field("stock", "the next card is stock[stock_size - 1]", NUM_FACES - 1, (MAX_CARDS,)),
    Field("pile", "the top card is pile[pile_size - 1]", NUM_FACES - 1, (MAX_CARDS,)),
)
STATE = STATE_FIELDS.dtype

ACTIONS = ActionTable(
    Block("yaniv", "call, which ends the round", ("yaniv",)),
    FACES.block("discard", "lay the first card of the discard"),
    FACES.block("also", "lay a further card of the discard"),
    Block("draw", "draw from the stock, and end the turn", ("draw",)),
    Block("take", "take an end of the discard before, and end the turn", ("take first", "take last"), subject="depth"),
)
CALL, DISCARD = 0, 1
ALSO = DISCARD + NUM_FACES
DRAW_STOCK = ALSO + NUM_FACES
TAKE_FIRST, TAKE_LAST = DRAW_STOCK + 1, DRAW_STOCK + 2
NUM_ACTIONS = TAKE_LAST + 1
assert [ACTIONS.first(block.name) for block in ACTIONS.blocks] == [CALL, DISCARD, ALSO, DRAW_STOCK, TAKE_FIRST]


@inlined
def num_packs(state: Any) -> int:
    """How many packs are played with (Y1.2)."""
    return 1 + (state.num_players > 3) if state.rules.packs == AUTO_PACKS else wide(state.rules.packs)


@inlined
def is_out(state: Any, seat: int) -> bool:
    """Whether a seat is out of the match (Y6.1)."""
    return state.out >> seat & 1 != 0


@compiled
def next_in_game(state: Any, seat: int) -> int:
    """The seat after this one that is in the game."""
    for _ in range(MAX_SEATS):
        seat = next_seat(state, seat)
        if not is_out(state, seat):
            break
    return wide(seat)


@compiled
def seats_in_game(state: Any) -> int:
    """How many seats are in the game."""
    count = wide(0)
    for seat in range(wide(state.num_players)):
        count += not is_out(state, seat)
    return count


@compiled
def deal(state: Any) -> None:
    """Deal a round to the seats in the game; the one after the dealer begins (Y1.5, Y1.6)."""
    for seat in range(MAX_SEATS):
        for layer in range(LAYERS):
            state.hands[seat, layer] = 0
            state.known[seat, layer] = 0
    for i in range(MAX_CARDS):
        state.stock[i] = 0
        state.pile[i] = 0
    state.stock_size = fill_packs(state.stock, num_packs(state))
    shuffle(state, state.stock, wide(state.stock_size))
    for seat in range(wide(state.num_players)):
        for _ in range(wide(0) if is_out(state, seat) else wide(HAND_SIZE)):
            add_card(state.hands[seat], pop_stock(state))
    state.pile[0] = pop_stock(state)
    state.pile_size = state.last = 1
    state.turns = 0
    begin_turn(state, next_in_game(state, wide(state.dealer)))


@compiled
def begin_turn(state: Any, seat: int) -> None:
    """It is this seat's turn, and nothing is laid."""
    state.seat, state.phase = seat, PLAY
    for i in range(HAND_SIZE):
        state.laid[i] = 0
    state.laid_size = 0


@compiled
def can_go_on(state: Any) -> bool:
    """Whether what is laid is a discard, or becomes one with cards of the hand (Y2.5)."""
    laid, size = state.laid, wide(state.laid_size)
    return size == 0 or is_discard(laid, size) or followers(laid, size, state.hands[state.seat]) != 0


@compiled
def start_episode(state: Any) -> None:
    """A new round or match with the same rules, from the generator as it stands; seat 0 begins."""
    begin_episode(state)
    state.out = 0
    deal(state)
