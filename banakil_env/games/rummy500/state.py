"""The record of a whole game (`STATE`), the table of actions, and the deal (F2)."""

from __future__ import annotations

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import ROUND, SCALED, SEAT, TURN, Field
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.rummy500.records import Observation, State
from banakil_env.games.rummy500.rules import ONE_PACK, Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import wild_melds as M
from banakil_env.kit.pack54 import FACES, JOKER, MAX_CARDS
from banakil_env.kit.wilds import table as wild_table

SEATS = (2, 3, 4, 5, 6, 7, 8)
MAX_SEATS = SEATS[-1]
MAX_MELDS = MAX_CARDS // 3
MAX_TAKE = 72  # F12.1

# Phases after those of the kit: CALL is the decision of F7; in TAKE_CALLED the caller takes the cards.
CALL, TAKE_CALLED = T.CHOOSE + 1, T.CHOOSE + 2

ENDINGS = {T.OUT: "out", T.EXHAUSTED: "exhausted", T.TURNS: "turns", T.MATCH: "match", T.ROUNDS: "rounds"}

MAX_POINTS = 2 * (4 * 99 + 2 * 15)  # all cards of two packs: a suit is worth 99, the Ace 15 (F9.2)

# The seats that laid off the cards of a meld: 4 bits per place. 0 is the seat that opened the meld, else the bits are 1
# + the seat that laid the card off.
SEAT_BITS = 4
SEATS_MASK = (1 << SEAT_BITS) - 1
MAX_LAID_OFF = (1 << SEAT_BITS * M.NUM_PLACES) - 1

OWN_FIELDS = (
    Field(
        *("laid_off", "the seats that laid cards off on melds of others, 4 bits for each place", MAX_LAID_OFF),
        shape=(MAX_MELDS,),
        lives=ROUND,
        filled="num_melds",
    ),
    Field(
        *("laid", "points that each seat has laid on the table", MAX_POINTS, (MAX_SEATS,)),
        role=SCALED,
        scale=100,
        by_seat=True,
        lives=ROUND,
    ),
    Field(
        *("discarder", "the seat whose discard may be called (F7.1)", MAX_SEATS - 1),
        lowest=T.NO_SEAT,
        lives=TURN,
        absent=T.NO_SEAT,
        absent_in=T.but_in_phases(CALL),
        code=SEAT,
        word="after",
    ),
)
STATE_FIELDS = wild_table.state_fields(
    Rules, SEATS, MAX_MELDS, OWN_FIELDS, max_points=MAX_POINTS, phase=TAKE_CALLED, ending=T.OUT
)
STATE = STATE_FIELDS.dtype

RUNS, SETS = M.all_runs(FACES.names[JOKER]), M.all_sets(FACES.names[JOKER])
OPENINGS = np.array([each.meld for each in RUNS + SETS], np.int64)
RUN_ROWS = M.rows_of_runs(RUNS)
NEEDS = np.array([each.needs for each in RUNS + SETS], np.int64)
RUN_NEEDS, SET_NEEDS = NEEDS[: len(RUNS)], NEEDS[len(RUNS) :]

ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    M.take_block(MAX_TAKE),
    M.opening_block("open_run", "open a run: suit, lowest rank, places of Jokers", RUNS),
    M.opening_block("open_set", "open a set: rank, three of the four suits, places of Jokers", SETS),
    M.add_block(),
    M.add_wild_block(FACES.names[JOKER], JOKER),
    FACES.block("discard", "discard a card, and end the turn"),
    M.meld_block(MAX_MELDS),
    Block("call", "call the rummy in the pile", ("call",), effect="answer"),
    Block("pass", "leave the pile as it is", ("pass",), effect="answer"),
)
DRAW, TAKE, OPEN_RUN, OPEN_SET, ADD, _, DISCARD, MELD, YES, NO = (ACTIONS.first(b.name) for b in ACTIONS.blocks)
NUM_ACTIONS = len(ACTIONS)

# Values of the cards in a run by place, in a set by rank, and in a hand by face (F9.2).
_RANKS = [15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
RUN_VALUES = np.array([1, *_RANKS[1:], 15], np.int64)
SET_VALUES = np.array(_RANKS, np.int64)
VALUES = np.array([*_RANKS * 4, 15], np.int64)
JOKER_VALUE = 15


@inlined
def num_packs(state: State | Observation) -> int:
    """Return the number of packs (F1.1)."""
    return 1 + (state.num_players > ONE_PACK)


@T.copies_of.fill(STATE)
def copies_of(state: State, face: int) -> int:
    """Return the number of cards of this face."""
    packs = num_packs(state)
    return packs * state.rules.jokers if face == JOKER else packs


@inlined
def can_be_dealt(players: int, hand_cards: int, jokers: int) -> bool:
    """Return whether the packs have cards for the hands, one to turn up and one for the stock (F11.1)."""
    return players * hand_cards + 2 <= (1 + (players > ONE_PACK)) * (52 + jokers)


@compiled
def value_at(meld: int, place: int) -> int:
    """Return the value of the card at a place of a meld (F9.2)."""
    if M.wilds_in(meld) >> place & 1:
        return JOKER_VALUE
    return RUN_VALUES[place] if M.is_run(meld) else SET_VALUES[M.kind_of(meld) - M.SET]


@compiled
def note_card(state: State, seat: int, slot: int, place: int) -> None:
    """Note that a card in a meld was laid down by this seat and scores for it (F6.3)."""
    if seat != state.meld_owner[slot]:
        state.laid_off[slot] |= (seat + 1) << SEAT_BITS * place
    state.laid[seat] += value_at(state.melds[slot], place)


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode (F2)."""
    T.deal_hands(state, state.rules.hand_cards)
