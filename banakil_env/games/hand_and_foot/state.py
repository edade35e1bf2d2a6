"""The record of a whole game (`STATE`), piles of seven, the table of actions, and the deal (HF1, HF2).

A side has at most one incomplete meld of a rank. Incomplete melds are the books of `kit.books.melds`. Their index is
their kind; the meld of wild cards has the index of the Two. A meld of seven cards becomes one word of `complete`.
"""

from __future__ import annotations

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import ROUND, Field, Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.games.hand_and_foot.records import State
from banakil_env.games.hand_and_foot.rules import Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.books import table as B
from banakil_env.kit.books.kinds import (
    BOOK_KINDS,
    FOUR,
    JOKER,
    LOWEST_WILD,
    NUM_KINDS,
    THREE,
    TWO,
    VALUES,
    add_wild_block,
    is_red_three,
    kind_block,
    pair_block,
    size_of,
)
from banakil_env.kit.books.melds import meld_fields, value_of_books
from banakil_env.kit.two_sides import NUM_SIDES

SEATS = (4,)
MAX_SEATS = 4
PACKS, JOKERS = 5, 10
NUM_CARDS = 52 * PACKS + JOKERS
HAND_SIZE = FOOT_SIZE = 11  # HF2.1
DRAWN, TAKEN = 2, 6  # cards of a draw (HF3.1), and cards taken with the upcard (HF6.1)
NUM_ROUNDS = 4  # HF10.3
MINIMUM = np.array([50, 90, 120, 150], np.int64)  # HF5.1, by round

DRAWN_MATCH = T.OUT + 1  # the ending of a match with equal scores
ENDINGS = {
    **{T.OUT: "out", T.EXHAUSTED: "exhausted", T.TURNS: "turns"},
    **{T.MATCH: "match", DRAWN_MATCH: "match, draw"},
}

# Melds are of 4 to A, and of wild cards, W. Of five cards at most one is wild, of seven at most two (HF4.1).
W = TWO
NUM_PLACES = W + 1
PILE = 7
MAX_PILES = 4  # most piles of a rank: 20 naturals with two wild cards for each five; 30 wild cards

# All cards but Threes are worth 2900. Of a rank a side has at most two clean piles and a dirty one. Five packs have ten
# red Threes. A side cannot lose more than this maximum.
MAX_POINTS = 2900 + 11 * (2 * 500 + 300) + MAX_PILES * 1500 + 10 * 100 + 100 + 2 * 100
MAX_SCORE = 2 * NUM_ROUNDS * MAX_POINTS  # a match can be set up with scores of up to half of this

STATE_FIELDS = Fields(
    *B.table_fields(MAX_SEATS, PACKS, JOKERS),
    B.stack_field("feet", "the foot of each seat; without cards it has been taken up", (MAX_SEATS, NUM_KINDS), PACKS),
    *meld_fields(NUM_PLACES, PACKS, PILE - 1),
    Field(
        "complete",
        "complete piles of each side, by kind, in the order of opening; 0: none (see `packed`)",
        0x2D2D2DAD,
        (NUM_SIDES, NUM_PLACES, MAX_PILES),
        dtype="<u4",
        lives=ROUND,
    ),
    *B.turn_fields(Rules, SEATS, max_points=MAX_POINTS, max_score=MAX_SCORE, max_rounds=NUM_ROUNDS, ending=DRAWN_MATCH),
    Field(
        *("deal_bonus", "the seat has the bonus of the deal"),
        shape=(MAX_SEATS,),
        by_seat=True,
        lives=ROUND,
        line="deal bonus",
    ),
)
STATE = STATE_FIELDS.dtype

_WILDS = ((TWO,) * 3, (TWO, TWO, JOKER), (TWO, JOKER, JOKER), (JOKER,) * 3)
ACTIONS = ActionTable(
    Block("draw", "draw two cards from the stock", ("draw",)),
    Block("pass", "decline the pile when the stock is empty; the round ends", ("pass",), effect="end_exhausted"),
    pair_block("take", "take seven cards of the pile, the top one melded with two of the hand", with_own=False),
    Block(
        *(
            "take_wild",
            "take seven cards of the pile with a wild card on top",
            ("take 2 2", "take JK JK"),
            ((TWO, TWO), (JOKER, JOKER)),
        ),
        effect="take",
    ),
    pair_block("open", "open a meld", with_own=True),
    Block(
        "open_wild",
        "open a meld of wild cards, with none to three Jokers",
        ("open 2 2 2", "open 2 2 JK", "open 2 JK JK", "open JK JK JK"),
        _WILDS,
        (0, 1, 2, 3),
        effect="meld",
    ),
    kind_block("add", "add a natural card to a meld", BOOK_KINDS, "meld"),
    add_wild_block(joker_melds=True),
    kind_block("discard", "discard a card", tuple(range(NUM_KINDS))),
    Block("stop", "end the turn without a discard", ("stop",)),
    Block("ask", "ask the partner: may I go out?", ("ask",)),
    Block("answer", "answer the partner", ("yes", "no"), verb="answer", yes=(True, False)),
)
DRAW, PASS, TAKE, TAKE_WILD, OPEN, OPEN_WILD, ADD, WILD, DISCARD, STOP, ASK, SAY_YES = (
    ACTIONS.first(block.name) for block in ACTIONS.blocks
)
SAY_NO = SAY_YES + 1
NUM_ACTIONS = len(ACTIONS)


# Piles of seven ------------------------------------------------------------------------------------------------------

_THERE, _STACK = 0x80, 0x07070707


@inlined
def packed(naturals: int, twos: int) -> int:
    """Pack a pile into one word: each byte has the naturals and Twos of a suit, three bits each. The other cards
    are Jokers.
    """
    return naturals | twos << 3 | _THERE


@inlined
def naturals_of(pile: int) -> int:
    """Return the natural cards of a pile, as a stack."""
    return pile & _STACK


@inlined
def twos_of(pile: int) -> int:
    """Return the Twos of a pile, as a stack."""
    return pile >> 3 & _STACK


@inlined
def jokers_of(pile: int) -> int:
    """Return the number of Jokers in a pile."""
    return PILE - size_of(pile & _STACK) - size_of(pile >> 3 & _STACK)


@inlined
def is_clean(pile: int) -> bool:
    """Return whether a pile of a rank has no wild card."""
    return size_of(pile & _STACK) == PILE


@compiled
def complete_pile(state: State, side: int, place: int) -> None:
    """Move a book of seven cards to the complete piles; it takes no more cards (HF4.4)."""
    slot = 0
    while state.complete[side, place, slot]:
        slot += 1
    state.complete[side, place, slot] = packed(state.naturals[side, place], state.twos[side, place])
    state.naturals[side, place] = 0
    state.twos[side, place] = 0
    state.jokers[side, place] = 0


@compiled
def has_melds(state: State, side: int) -> bool:
    """Return whether a side has a meld."""
    cards = state.twos[side, W] | state.jokers[side, W]
    for place in range(FOUR, NUM_PLACES):
        cards |= state.naturals[side, place] | state.complete[side, place, 0]
    return cards != 0


@compiled
def laid_value(state: State, side: int) -> int:
    """Return the value of all melded cards of a side, in points."""
    value = value_of_books(state, side)
    for place in range(FOUR, NUM_PLACES):
        for slot in range(MAX_PILES):
            pile = state.complete[side, place, slot]
            if pile == 0:
                break
            value += VALUES[place] * size_of(naturals_of(pile)) + VALUES[TWO] * size_of(twos_of(pile))
            value += VALUES[JOKER] * jokers_of(pile)
    return value


@inlined
def minimum(state: State) -> int:
    """Return the points that a first meld must reach in this round (HF5.1).

    After the last round, return the points of the last round.
    """
    return MINIMUM[min(state.rounds, NUM_ROUNDS - 1)]


@compiled
def missing_value(state: State, side: int) -> int:
    """Return the points that the first meld of the side to move (or of the answering partner) still needs.

    0: the side has its first meld.
    """
    if state.opening:
        return minimum(state) - laid_value(state, side)
    return 0 if has_melds(state, side) else minimum(state)


# The deal ------------------------------------------------------------------------------------------------------------


@compiled
def has_foot(state: State, seat: int) -> bool:
    """Return whether the foot of a seat has not been taken up."""
    cards = 0
    for kind in range(NUM_KINDS):
        cards |= state.feet[seat, kind]
    return cards != 0


@compiled
def deal_foot(state: State, seat: int) -> None:
    """Deal the next cards of the stock as a foot; red Threes stay in it."""
    for _ in range(FOOT_SIZE):
        face = T.pop_stock(state)
        state.feet[seat, face >> 2] += 1 << 8 * (face & 3)


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode (HF2): hands, feet, the upcard, and then the cards that replace red Threes."""
    T.clear_table(state)
    B.shuffle_pack(state, PACKS, JOKERS)
    owed = scratch(MAX_SEATS)
    B.deal_hands(state, HAND_SIZE, owed)
    for seat in range(MAX_SEATS):
        deal_foot(state, seat)
        state.deal_bonus[seat] = state.rules.deal_bonus != 0 and random_below(state, 100) < state.rules.deal_bonus
    # HF2.4: a card that may not begin the pile goes back to a place that nobody knows.
    top = state.stock[state.stock_size - 1]
    while top >= LOWEST_WILD or is_red_three(top):
        shuffle(state, state.stock, state.stock_size)
        top = state.stock[state.stock_size - 1]
    T.push_pile(state, T.pop_stock(state))
    B.replace_red_threes(state, owed)
    T.begin_turn(state, T.next_seat(state, state.dealer), T.DRAW)


@compiled
def take_up_foot(state: State, seat: int) -> None:
    """Take up the foot into the empty hand (HF7). Red Threes in it are laid down and replaced from the stock."""
    reds = state.feet[seat, THREE]
    for kind in range(NUM_KINDS):
        state.hands[seat, kind] += state.feet[seat, kind]
        state.feet[seat, kind] = 0
    for face in range(1, 3):
        number = reds >> 8 * face & 0xFF
        state.hands[seat, THREE] -= number << 8 * face
        for _ in range(number):
            B.lay_red_three(state, seat, face)
            B.draw_cards(state, seat, 1)
