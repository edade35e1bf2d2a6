"""The record of a whole game (`STATE`), the table of actions, and the deal (T2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import CARD, ROUND, SEAT, TURN, Field
from banakil_env.core.fields import SEATS as FLAGS
from banakil_env.core.jit import compiled
from banakil_env.games.tonk.records import State
from banakil_env.games.tonk.rules import MAX_STAKE, Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import runs_and_sets
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.melds.high_ace import OPEN_RUN as OPEN_RUN_BLOCK
from banakil_env.kit.melds.high_ace import places
from banakil_env.kit.one_pack import table as O
from banakil_env.kit.pack52 import NUM_FACES, bit_of, card_block

SEATS = (2, 3, 4)
MAX_SEATS = SEATS[-1]
HAND_SIZE = 5

# The phases after those of the kit. In both, a seat decides out of turn (T2.3, T6.2).
ASK_TONK, ASK_CALL = range(T.CHOOSE + 1, T.CHOOSE + 3)

# The endings (T8), with the words for them in positions. The seat that an ending names is the one that is out, has the
# tonk or the lowest count, or has dropped.
TONKED, TONK, DROP, CAUGHT, LOWEST, DRAWN = range(T.OUT + 1, T.OUT + 7)
ENDINGS = {
    T.OUT: "out",
    TONKED: "tonked",
    TONK: "tonk",
    DROP: "drop",
    CAUGHT: "caught",
    LOWEST: "exhausted",
    T.EXHAUSTED: "exhausted",
    DRAWN: "draw",
    T.TURNS: "turns",
    T.MATCH: "match",
    T.ROUNDS: "rounds",
}

# A seat wins at most twice the stake of three others, or pays three seats twice, if it is caught by three that tie.
MAX_POINTS = 6 * MAX_STAKE

OWN_FIELDS = (
    Field(
        *("held", "the seat may neither spread nor hit in its next turn"),
        shape=(MAX_SEATS,),
        by_seat=True,
        lives=ROUND,
        code=FLAGS,
        line="held",
    ),
    Field(
        *("must", "the card that was called and must be played to a spread first (T6.4)", NUM_FACES),
        lives=TURN,
        absent=0,
        absent_in=T.but_in_phases(T.PLAY, T.CHOOSE),
        code=CARD,
        word="must",
    ),
    Field(
        *("after", "the seat whose discard may be called (T6.2)", MAX_SEATS),
        lives=ROUND,
        absent=0,
        absent_in=T.but_in_phases(ASK_CALL),
        code=SEAT,
        word="after",
    ),
)
STATE_FIELDS = O.state_fields(
    *(Rules, SEATS, OWN_FIELDS),
    max_points=MAX_POINTS,
    phase=ASK_CALL,
    ending=DRAWN,
    signed=True,
    scores=4,  # the largest difference between two players after a round for a stake of one
    played="the seat has opened a spread in this round",
)
STATE = STATE_FIELDS.dtype

ACTIONS = ActionTable(
    Block("tonk", "show a dealt tonk", ("tonk",), verb="show", effect="show_tonk"),
    Block("drop", "end the round by showing the hand", ("drop",)),
    Block("draw", "draw from the stock", ("draw",)),
    Block("take", "take the top card of the pile", ("take",), subject="depth"),
    Block("call", "slap the discard", ("call",), subject="depth"),
    Block("pass", "do not show the tonk, or do not slap the discard", ("pass",), effect="pass_question"),
    OPEN_RUN_BLOCK,
    runs_and_sets.OPEN_SET,
    card_block("add", "hit a spread with a card"),
    card_block("discard", "discard a card"),
    runs_and_sets.CHOOSE_MELD,
)
A_TONK, A_DROP, A_DRAW, A_TAKE, A_CALL, A_PASS, A_OPEN_RUN, A_OPEN_SET, A_ADD, A_DISCARD, A_MELD = (
    ACTIONS.first(block.name) for block in ACTIONS.blocks
)
NUM_ACTIONS = len(ACTIONS)


# The deal, and the seats with a tonk (T2) -----------------------------------------------------------------------------

_HIGH_TONK = np.array([50, 49, 51], np.int64)  # by the number of the switch; no hand counts 51


@compiled
def is_tonk(rules: Any, hand: int) -> bool:
    """Return whether five cards are a tonk (T2.2)."""
    count = points_in(hand)
    return count >= _HIGH_TONK[rules.high_tonk] or count <= rules.low_tonk


@compiled
def place_of(state: State, seat: int) -> int:
    """Return the place of a seat in the order of the round: 0 after the dealer; the dealer is last."""
    players = state.num_players
    return (seat + players - 1 - state.dealer) % players


@compiled
def next_with_tonk(state: State, place: int) -> int:
    """Return the first seat with a tonk from this place of the order on; NO_SEAT: there is none (T2.3)."""
    players = state.num_players
    for later in range(place, players):
        seat = (state.dealer + 1 + later) % players
        if is_tonk(state.rules, state.hands[seat, 0]):
            return seat
    return T.NO_SEAT


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode. The first seat that has a tonk decides whether to show it (T2)."""
    T.deal_hands(state, HAND_SIZE)
    asked = next_with_tonk(state, 0)
    if asked != T.NO_SEAT:
        T.begin_turn(state, asked, ASK_TONK)


# The decisions after a discard (T6) -----------------------------------------------------------------------------------


@compiled
def next_caller(state: State, seat: int) -> int:
    """Return the next seat after this one that can call the present discard; NO_SEAT: there is none (T6.2).

    The seat that discarded is `after - 1`, by the field `after` of the state.
    """
    seat = T.next_seat(state, seat)
    while seat != state.after - 1:
        if not state.held[seat]:
            return seat
        seat = T.next_seat(state, seat)
    return T.NO_SEAT


@compiled
def fitting(state: State) -> int:
    """Return the cards that fit any spread, as a mask (T5.1)."""
    return places(O.cards_in_runs(state), O.cards_in_sets(state))


@compiled
def is_called(state: State) -> bool:
    """Return whether some seat can call the present discard (T6.1, T6.3).

    The seat that discarded is `after - 1`, by the field `after` of the state.
    """
    card = bit_of(state.pile[state.pile_size - 1])
    return (
        state.rules.slaps != 0
        and next_caller(state, T.next_seat(state, state.after - 1)) != T.NO_SEAT
        and card & fitting(state) != 0
    )
