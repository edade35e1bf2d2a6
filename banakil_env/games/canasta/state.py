"""The record of a whole game (`STATE`), the table of actions, and the deal (C2)."""

from __future__ import annotations

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.canasta.records import State
from banakil_env.games.canasta.rules import Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.books import table as B
from banakil_env.kit.books.kinds import (
    ACE,
    BOOK_KINDS,
    LOWEST_WILD,
    NUM_KINDS,
    THREE,
    add_wild_block,
    is_red_three,
    kind_block,
    pair_block,
)
from banakil_env.kit.books.kinds import JOKER_FACE as JOKER_FACE
from banakil_env.kit.books.melds import meld_fields, value_of_books

SEATS = (2, 4)
MAX_SEATS = SEATS[-1]
PACKS, JOKERS = 2, 4
NUM_CARDS = 52 * PACKS + JOKERS

# Cards dealt to each seat and drawn in a turn, by the number of players (C2.1, C3.1).
HAND_SIZE = np.array([0, 0, 15, 0, 11], np.int64)
DRAWN = np.array([0, 0, 2, 0, 1], np.int64)

# The endings of a round or match, with the words for them in positions.
ENDINGS = {T.OUT: "out", T.EXHAUSTED: "exhausted", T.TURNS: "turns", T.MATCH: "match", T.ROUNDS: "rounds"}

# Books are of the black Three and of 4 to A. The index of a book is its kind.
NUM_PLACES = ACE + 1
MAX_WILDS = 3  # most wild cards in a book (C4.1)

# All cards are worth 1180, eleven natural canastas 5500, four red Threes 800, going out concealed 200.
MAX_POINTS = 1180 + 5500 + 800 + 200

STATE_FIELDS = Fields(
    *B.table_fields(MAX_SEATS, PACKS, JOKERS),
    *meld_fields(NUM_PLACES, PACKS, MAX_WILDS),
    *B.turn_fields(Rules, SEATS, max_points=MAX_POINTS, ending=T.OUT),
    B.turn_field(
        *("concealed", "the side to move had no meld before this turn, and its melds have reached their value"),
        word="concealed",
    ),
)
STATE = STATE_FIELDS.dtype

ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block("pass", "decline the pile when the stock is empty; the round ends", ("pass",), effect="end_exhausted"),
    Block("take_add", "take the pile, its top card to the side's meld", ("take add",), effect="take"),
    pair_block("take", "take the pile, its top card melded with two cards of the hand", with_own=False),
    pair_block("open", "open a meld", with_own=True),
    Block("open_threes", "open black Threes", ("open 3 3 3",), ((THREE,) * 3,), effect="meld"),
    kind_block("add", "add a natural card to a meld", BOOK_KINDS, "meld"),
    Block("add_three", "add the fourth black Three", ("add 3",), ((THREE,),), effect="meld"),
    add_wild_block(joker_melds=False),
    kind_block("discard", "discard a card", tuple(range(NUM_KINDS))),
    Block("stop", "end the last turn, and the round", ("stop",), effect="end_exhausted"),
    Block("ask", "ask the partner: may I go out?", ("ask",)),
    Block("answer", "answer the partner", ("yes", "no"), verb="answer", yes=(True, False)),
)
DRAW, PASS, TAKE_ADD, TAKE, OPEN, OPEN_THREES, ADD, ADD_THREE, WILD, DISCARD, STOP, ASK, SAY_YES = (
    ACTIONS.first(block.name) for block in ACTIONS.blocks
)
SAY_NO = SAY_YES + 1
NUM_ACTIONS = len(ACTIONS)


# The round -----------------------------------------------------------------------------------------------------------


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode (C2): hands, the upcard, and then the cards that replace red Threes."""
    T.clear_table(state)
    B.shuffle_pack(state, PACKS, JOKERS)
    owed = scratch(MAX_SEATS)
    B.deal_hands(state, HAND_SIZE[state.num_players], owed)
    face = JOKER_FACE
    while face >= LOWEST_WILD or is_red_three(face):
        face = T.pop_stock(state)
        T.push_pile(state, face)
    B.replace_red_threes(state, owed)
    T.begin_turn(state, T.next_seat(state, state.dealer), T.DRAW)


@compiled
def has_melds(state: State, side: int) -> bool:
    """Return whether a side has a meld."""
    cards = 0
    for kind in range(NUM_PLACES):
        cards |= state.naturals[side, kind]
    return cards != 0


@inlined
def minimum(state: State, side: int) -> int:
    """Return the value that the first meld of a side must reach, in points (C5.1)."""
    score = state.scores[side]
    if score < 0:
        return 15
    return 50 if score < 1500 else 90 if score < 3000 else 120


@compiled
def missing_value(state: State, side: int) -> int:
    """Return the points that the first meld of the side to move (or of the answering partner) still needs.

    0: the side has its first meld.
    """
    if state.opening:
        return minimum(state, side) - value_of_books(state, side)
    return 0 if has_melds(state, side) else minimum(state, side)
