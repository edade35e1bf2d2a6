"""The record of a whole game (`STATE`), the table of actions, the contracts and the deal (K1)."""

from __future__ import annotations

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import ROUND, Field
from banakil_env.core.jit import compiled
from banakil_env.games.kalooki.records import State
from banakil_env.games.kalooki.rules import CONTRACTS, Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.pack54 import FACES, VALUES
from banakil_env.kit.rounds import begin_match

SEATS = K.SEATS

# By the number of the contract (K1.3): its threes and its fours. A seat is dealt as many cards as they need.
THREES = np.array([0, 3, 2, 1, 0, 4, 3, 2, 1, 0], np.int64)
FOURS = np.array([0, 0, 1, 2, 3, 0, 1, 2, 3, 4], np.int64)

NUM_JOKERS = 4
BENT = T.OUT + 1  # the ending of a seat that goes out in the turn of its first melds (K7.3)

# Values by face (K8.1): a Joker 50, a black Ace 15, a red Ace 1, other cards the usual values.
POINTS = VALUES.copy()
POINTS[FACES.parse_all("Ac As")] = 15
POINTS[-1] = 50
MAX_POINTS = 2 * int(K.COPIES * POINTS[:-1].sum() + NUM_JOKERS * POINTS[-1])

STATE_FIELDS = K.state_fields(
    Rules,
    (
        Field(
            *("renewed", "the stock has been renewed in this round (K2.8)"),
            public=True,
            lives=ROUND,
            line="renewed",
        ),
    ),
    max_points=MAX_POINTS,
    contracts=CONTRACTS,
    phase=K.ANSWER,
    ending=BENT,
    taker="caller",
)
STATE = STATE_FIELDS.dtype


@K.num_jokers.fill(STATE)
def _num_jokers(state: State) -> int:
    return NUM_JOKERS


ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block("take", "take the upcard", ("take",), subject="depth"),
    Block("call", "call the upcard out of turn, with a card of the stock as a penalty", ("call",), subject="depth"),
    Block("pass", "leave the upcard that is offered", ("pass",), effect="leave"),
    Block("allow", "the mover leaves the upcard to the caller", ("allow",), verb="answer", yes=(True,)),
    Block(
        "refuse",
        "the mover takes the upcard instead of the caller",
        ("refuse",),
        subject="depth",
        verb="answer",
        yes=(False,),
        effect="take",
    ),
    W.set_block("open_three", "open a three: rank, two or three suits"),
    W.run_block("open_four", "open a four: suit, lowest place, where its Jokers lie", W.NUM_APART),
    W.ADD,
    W.ADD_JOKER,
    W.SWAP,
    FACES.block("discard", "discard a card"),
    W.MELD,
)
DRAW, TAKE, CALL, PASS, ALLOW, REFUSE, OPEN_THREE, OPEN_FOUR, ADD, ADD_JOKER, SWAP, DISCARD, MELD = (
    ACTIONS.first(block.name) for block in ACTIONS.blocks
)
NUM_ACTIONS = len(ACTIONS)


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode (K1.3, K1.4)."""
    T.deal_hands(state, W.SET_SIZE * THREES[state.contract] + W.RUN_SIZE * FOURS[state.contract])


@begin_match.fill(STATE)
def _begin_match(state: State) -> None:
    state.contract = K.first_contract(state, state.rules.contract, CONTRACTS)
