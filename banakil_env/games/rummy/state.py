"""The record of a whole game (`STATE`), the table of actions, and the deal (R2)."""

from __future__ import annotations

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.jit import compiled
from banakil_env.games.rummy.records import State
from banakil_env.games.rummy.rules import Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import runs_and_sets
from banakil_env.kit.one_pack import table as O
from banakil_env.kit.pack52 import card_block

SEATS = (2, 3, 4, 5, 6)
MAX_SEATS = SEATS[-1]

# Cards dealt to each seat, by the number of players (R2.1).
HAND_SIZE = np.array([0, 0, 10, 7, 7, 6, 6], np.int64)

# The endings of a round or match, with the words for them in positions (R7.1: going rummy).
RUMMY = T.OUT + 1
ENDINGS = {
    T.OUT: "out",
    RUMMY: "rummy",
    T.EXHAUSTED: "exhausted",
    T.TURNS: "turns",
    T.MATCH: "match",
    T.ROUNDS: "rounds",
}

MAX_POINTS = 340 * 10  # all cards of the pack are worth 340 points, and rummy_factor is at most 10

STATE_FIELDS = O.state_fields(Rules, SEATS, max_points=MAX_POINTS, phase=T.CHOOSE, ending=RUMMY)
STATE = STATE_FIELDS.dtype

ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block("take", "take the top card of the pile", ("take",), subject="depth"),
    runs_and_sets.OPEN_RUN,
    runs_and_sets.OPEN_SET,
    card_block("add", "lay a card off on a meld"),
    card_block("discard", "discard a card"),
    runs_and_sets.CHOOSE_MELD,
)
DRAW, TAKE, OPEN_RUN, OPEN_SET, ADD, DISCARD, MELD = (ACTIONS.first(block.name) for block in ACTIONS.blocks)
NUM_ACTIONS = len(ACTIONS)


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode (R2)."""
    T.deal_hands(state, HAND_SIZE[state.num_players])
