"""The record of a whole game (`STATE`), the table of actions, the contracts and the deal (N1)."""

from __future__ import annotations

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import SCALED, TURN, Field
from banakil_env.core.jit import compiled
from banakil_env.games.contract.records import State
from banakil_env.games.contract.rules import CONTRACTS, Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.pack54 import FACES, VALUES
from banakil_env.kit.rounds import begin_match

SEATS = K.SEATS

# By the number of the contract (N1.3): its sets of three, its runs of four, and the cards dealt to each seat.
SETS = np.array([0, 2, 1, 0, 3, 2, 1, 0], np.int64)
RUNS = np.array([0, 0, 1, 2, 0, 1, 2, 3], np.int64)
HAND_SIZE = np.array([0, 10, 10, 10, 12, 12, 12, 12], np.int64)
ALL_AT_ONCE = CONTRACTS  # the contract that is laid down whole, without a discard (N7)

# N8.2: a Joker and an Ace are worth 15, other cards have the usual values.
POINTS = np.where((VALUES == 1) | (VALUES == 0), 15, VALUES)
MAX_POINTS = int(K.COPIES * POINTS[:-1].sum() + 4 * POINTS[-1])

MAX_OWED = 4  # the Jokers of a game for five players

STATE_FIELDS = K.state_fields(
    Rules,
    (
        Field(
            *("owed", "Jokers taken from melds in this turn that must open a new meld (N6.4)", MAX_OWED),
            role=SCALED,
            scale=MAX_OWED,
            public=True,
            lives=TURN,
            absent_in=T.but_in_phases(T.PLAY, T.CHOOSE),
            word="owes",
        ),
    ),
    max_points=MAX_POINTS,
    contracts=CONTRACTS,
)
STATE = STATE_FIELDS.dtype

ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block("take", "take the upcard", ("take",), subject="depth"),
    Block("call", "buy the upcard out of turn, with a card of the stock as a penalty", ("call",), subject="depth"),
    Block("pass", "leave the upcard that is offered", ("pass",), effect="leave"),
    W.set_block("open_set", "open a set: rank, two or three suits"),
    W.run_block("open_run", "open a run: suit, lowest place, places of its Jokers"),
    W.ADD,
    W.ADD_JOKER,
    W.SWAP,
    FACES.block("discard", "discard a card"),
    W.MELD,
    *W.lone_blocks("open_lone_set", "open_lone_run"),
)
DRAW, TAKE, CALL, PASS, OPEN_SET, OPEN_RUN, ADD, ADD_JOKER, SWAP, DISCARD, MELD, OPEN_LONE_SET, OPEN_LONE_RUN = (
    ACTIONS.first(block.name) for block in ACTIONS.blocks
)
NUM_ACTIONS = len(ACTIONS)

# The actions that open a run, and those that open any meld.
OPEN_RUNS = np.array([*range(OPEN_RUN, ADD), *range(OPEN_LONE_RUN, NUM_ACTIONS)], np.int64)
OPENINGS = np.array([*range(OPEN_SET, ADD), *range(OPEN_LONE_SET, NUM_ACTIONS)], np.int64)


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode (N1.3, N1.4)."""
    T.deal_hands(state, HAND_SIZE[state.contract])


@begin_match.fill(STATE)
def _begin_match(state: State) -> None:
    state.contract = K.first_contract(state, state.rules.contract, CONTRACTS)
