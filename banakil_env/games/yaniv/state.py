"""The record of a whole game (`STATE`), the table of actions, and the deal (Y1)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import MATCH as OF_MATCH
from banakil_env.core.fields import ROUND, SCALED, TURN, Field, Fields
from banakil_env.core.fields import SEATS as FLAGS
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.yaniv.discards import followers, is_discard
from banakil_env.games.yaniv.records import State
from banakil_env.games.yaniv.rules import AUTO_PACKS, MAX_PENALTY, MAX_ROUNDS, MAX_TURNS, Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.pack54 import ALL, FACES, LAYERS, MAX_CARDS, NUM_FACES, copies_of
from banakil_env.kit.table_state import MATCH, OUT, PLAY, ROUNDS, TURNS, next_seat

SEATS = (2, 3, 4, 5)
MAX_SEATS = SEATS[-1]
HAND_SIZE = 5  # also the most cards of a discard

# The endings, with the words for them in positions; the seat of YANIV is the caller. In phase DRAW at least one card is
# laid.
YANIV = OUT + 1
ENDINGS = {YANIV: "yaniv", TURNS: "turns", MATCH: "match", ROUNDS: "rounds"}

MAX_POINTS = 10 * HAND_SIZE + MAX_PENALTY
MAX_SCORE = 2 * MAX_POINTS * T.MAX_ROUNDS

_CELLS = (HAND_SIZE,)
STATE_FIELDS = Fields(
    *T.hand_fields(MAX_SEATS, LAYERS, ALL),
    *T.match_fields(
        *(Rules, SEATS),
        max_points=MAX_POINTS,
        phase=PLAY,
        ending=YANIV,
        max_turns=MAX_TURNS,
        max_rounds=MAX_ROUNDS,
        count="<i2",
        last_seat=True,
    ),
    Field("out", "seats that are out of the match, a mask", 2**MAX_SEATS - 1, lives=OF_MATCH, code=FLAGS, line="out"),
    Field(
        "last", "cards at the top of the pile that are the last discard", HAND_SIZE, lowest=1, lives=ROUND, line="last"
    ),
    Field(
        *("laid_size", "cards laid in this turn", HAND_SIZE),
        role=SCALED,
        scale=HAND_SIZE,
        public=True,
        lives=TURN,
        absent_in=T.but_in_phases(T.DRAW),
    ),
    Field("laid", "the cards laid in this turn, in order", NUM_FACES - 1, _CELLS, lives=TURN, filled="laid_size"),
    *T.heap_fields(MAX_CARDS, NUM_FACES - 1, stock=50, pile=50),
)
STATE = STATE_FIELDS.dtype

ACTIONS = ActionTable(
    Block("yaniv", "call, which ends the round", ("yaniv",), verb="drop", effect="call"),
    FACES.block("discard", "lay the first card of the discard"),
    FACES.block("also", "lay a further card of the discard"),
    Block("draw", "draw from the stock, and end the turn", ("draw",)),
    Block(
        "take",
        "take an end card of the previous discard, and end the turn",
        ("take first", "take last"),
        subject="depth",
    ),
)
CALL, DISCARD = 0, 1
ALSO = DISCARD + NUM_FACES
DRAW_STOCK = ALSO + NUM_FACES
TAKE_FIRST, TAKE_LAST = DRAW_STOCK + 1, DRAW_STOCK + 2
NUM_ACTIONS = TAKE_LAST + 1
assert [ACTIONS.first(block.name) for block in ACTIONS.blocks] == [CALL, DISCARD, ALSO, DRAW_STOCK, TAKE_FIRST]


@inlined
def num_packs(state: State) -> int:
    """Return the number of packs (Y1.2)."""
    return 1 + (state.num_players > 3) if state.rules.packs == AUTO_PACKS else state.rules.packs


@inlined
def is_out(state: State, seat: int) -> bool:
    """Return whether a seat is out of the match (Y6.1)."""
    return state.out >> seat & 1 != 0


@compiled
def next_in_game(state: State, seat: int) -> int:
    """Return the next seat after this one that is in the match."""
    for _ in range(MAX_SEATS):
        seat = next_seat(state, seat)
        if not is_out(state, seat):
            break
    return seat


@compiled
def seats_in_game(state: State) -> int:
    """Return the number of seats in the match."""
    count = 0
    for seat in range(state.num_players):
        count += not is_out(state, seat)
    return count


@compiled
def deal(state: State) -> None:
    """Deal a round to the seats in the match; the one after the dealer begins (Y1.5, Y1.6)."""
    T.clear_table(state)
    T.lay_pack(state)
    for seat in range(state.num_players):
        for _ in range(0 if is_out(state, seat) else HAND_SIZE):
            T.draw_stock(state, seat)
    T.push_pile(state, T.pop_stock(state))
    T.begin_turn(state, next_in_game(state, state.dealer), PLAY)


@T.copies_of.fill(STATE)
def copies_in_packs(state: State, face: int) -> int:
    """Return the number of cards of this face (Y1.2)."""
    return copies_of(face, num_packs(state))


@T.count_table.fill(STATE)
def count_laid(state: State, counts: Any, step: int) -> None:
    """Add `step` to `counts` for each card laid in this turn."""
    for i in range(state.laid_size):
        counts[state.laid[i]] += step


@compiled
def can_go_on(state: State) -> bool:
    """Return whether the laid cards are a discard, or can become one with cards of the hand (Y2.5)."""
    laid, size = state.laid, state.laid_size
    return size == 0 or is_discard(laid, size) or followers(laid, size, state.hands[state.seat]) != 0
