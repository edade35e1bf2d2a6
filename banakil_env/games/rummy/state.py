"""The record that is the whole game, the table of actions, the deal (R2), and what makes a record a sound state."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator
from banakil_env.games.rummy.rules import END, ONE_MELD, TURN_OVER, Rules
from banakil_env.kit import table_state
from banakil_env.kit.pack52 import NUM_FACES, bit_of, card_block
from banakil_env.kit.rounds import ROUND_FAULTS, begin_episode, fault_of_round
from banakil_env.kit.runs_and_sets import MAX_MELDS, NUM_RUNS, NUM_SETS, OPEN_RUN, OPEN_SET
from banakil_env.kit.table_state import (
    CARD_FAULTS,
    CHOOSE,
    DRAW,
    EXHAUSTED,
    MATCH,
    OUT,
    OVER,
    ROUNDS,
    TURNS,
    deal_hands,
    fault_of_cards,
)

SEATS = (2, 3, 4, 5, 6)
MAX_SEATS = SEATS[-1]

# Cards dealt to each seat, by the number of players (R2.1).
HAND_SIZE = np.array([0, 0, 10, 7, 7, 6, 6], np.int64)

# R7.1. The words for all endings are those of positions.
RUMMY = OUT + 1
ENDINGS = {
    OUT: "out",
    RUMMY: "rummy",
    EXHAUSTED: "exhausted",
    TURNS: "turns",
    MATCH: "match",
    ROUNDS: "rounds",
}

MAX_POINTS = 340 * 10  # all cards of the pack are worth 340, and rummy_factor is 10 at the most

STATE_FIELDS = table_state.state_fields(Rules, MAX_SEATS, max_points=MAX_POINTS, phase=CHOOSE, ending=RUMMY)
STATE = STATE_FIELDS.dtype

ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block("take", "take the top card of the pile", ("take",), subject="depth"),
    OPEN_RUN,
    OPEN_SET,
    card_block("add", "lay a card off on a meld"),
    card_block("discard", "discard a card"),
    Block("meld", "the meld for the card just named", tuple(f"meld {k}" for k in range(MAX_MELDS)), subject="meld"),
)
DRAW_STOCK, TAKE, OPEN = 0, 1, 2
OPEN_SETS = OPEN + NUM_RUNS
ADD = OPEN_SETS + NUM_SETS
DISCARD = ADD + NUM_FACES
MELD = DISCARD + NUM_FACES
NUM_ACTIONS = MELD + MAX_MELDS
assert [ACTIONS.first(block.name) for block in ACTIONS.blocks] == [
    DRAW_STOCK, TAKE, OPEN, OPEN_SETS, ADD, DISCARD, MELD
]  # fmt: skip


@compiled
def deal(state: Any) -> None:
    """Deal the next round of the episode (R2)."""
    deal_hands(state, wide(HAND_SIZE[state.num_players]))


@compiled
def start_episode(state: Any) -> None:
    """A new round or match with the same rules, from the generator as it stands; seat 0 begins."""
    begin_episode(state)
    deal(state)


@compiled
def start(state: Any, seed: int) -> None:
    """A new round or match from `seed` (uint64)."""
    seed_generator(state, seed)
    start_episode(state)


OWN_FAULTS = (
    "a card waits for its meld and fits fewer than two",
    "there is no action that would lead to a legal end of the turn",
    "a seat holds no card, and the round goes on",
    "the seat that is out holds cards",
    "the card banned from the discard has not just been taken: it is neither in the hand nor on the table",
    "a card waits for its meld that is not in the hand, or none waits in the phase in which one does",
    "before the draw nothing is banned, named or melded in the turn",
    "the order of the stock is public, and the rules never turn a pile over",
    "there is nothing to draw and nothing to take",
    "a second meld was opened in this turn by a seat that had played before",
)
FAULTS = CARD_FAULTS + ROUND_FAULTS + OWN_FAULTS
FEW_TAKERS, NO_END, *_ = range(len(FAULTS) - len(OWN_FAULTS) + 1, len(FAULTS) + 1)


@compiled
def fault_of_state(state: Any) -> int:
    """0, or a place in FAULTS plus 1, for all but what only the legal actions can tell (`moves.check`)."""
    fault = fault_of_cards(state)
    if fault:
        return fault
    fault = fault_of_round(state, wide(MAX_POINTS))
    if fault:
        return fault + len(CARD_FAULTS)
    first = wide(NO_END)
    if state.seen and state.rules.stock_out != TURN_OVER:
        return first + 6
    if state.phase == OVER:
        out = (state.ending == OUT or state.ending == RUMMY) and state.hands[state.winner] != 0
        return first + 2 if out else wide(0)
    for seat in range(wide(state.num_players)):
        if state.hands[seat] == 0:
            return first + 1
    hand, banned, named = wide(state.hands[state.seat]), bit_of(wide(state.banned)), bit_of(wide(state.named))
    if banned:
        on_table = hand
        for slot in range(wide(state.num_melds)):
            on_table |= wide(state.melds[slot])
        if not banned & on_table:
            return first + 3
    if (state.phase == CHOOSE) != (named != 0) or named & ~hand:
        return first + 4
    if state.rules.melds == ONE_MELD and state.opened >= 2 and not state.in_one_turn:
        return first + 8
    if state.phase == DRAW:
        if banned or state.opened or state.in_one_turn:
            return first + 5
        if state.stock_size == 0 and (state.pile_size == 0 or state.rules.stock_out == END):
            return first + 7
    return wide(0)
