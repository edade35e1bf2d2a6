"""The record that is the whole game, the table of actions, and the deal (G2)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import FACE, SCALED, Field
from banakil_env.core.jit import compiled
from banakil_env.games.gin.rules import MAX_BONUS, MAX_GAME_BONUS, NO_OKLAHOMA, SPADES_DOUBLE, Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.deadwood import LAY as LAY_BLOCK
from banakil_env.kit.one_pack import table as O
from banakil_env.kit.pack52 import ALL, NUM_FACES, NUM_RANKS, NUM_SUITS, VALUES, card_block
from banakil_env.kit.rounds import begin_match

SEATS = (2,)
MAX_SEATS = SEATS[-1]
HAND_SIZE = 10
WALL = 2  # cards that stay in the stock (G7.1)
SPADES = NUM_SUITS - 1

# The phases behind those of the kit. PLAY is the discard; nothing ever waits for its meld (T.CHOOSE).
UPCARD, KNOCK, LAY, LAY_OFF, DEFEND, AT_WALL = range(T.CHOOSE + 1, T.CHOOSE + 7)

# G8. The words for all endings are those of positions.
KNOCKED, GIN, BIG_GIN, UNDERCUT = range(T.OUT, T.OUT + 4)
ENDINGS = {
    KNOCKED: "knock",
    GIN: "gin",
    BIG_GIN: "big_gin",
    UNDERCUT: "undercut",
    T.EXHAUSTED: "drawn",
    T.TURNS: "turns",
    T.MATCH: "match",
    T.ROUNDS: "rounds",
}

# Ten cards of ten points at the most, and a bonus, doubled; a match ends with one game bonus, and a line bonus a round.
MAX_POINTS = 2 * (10 * HAND_SIZE + MAX_BONUS) + MAX_BONUS + 2 * MAX_GAME_BONUS
MAX_UPCARDS = 100_000

OWN_FIELDS = (
    Field(
        "taken", "1 + the face that was taken from the pile in this turn; 0: none", NUM_FACES, role=FACE, public=True
    ),
    Field("repeated", "the last turn took the top of the pile and discarded it again", public=True),
    Field(
        "upcards",
        "cards taken from the pile in this round",
        MAX_UPCARDS,
        dtype="<i4",
        role=SCALED,
        scale=50,
        public=True,
    ),
    Field("limit", "the most deadwood to knock with in this round", 10, role=SCALED, scale=10, public=True),
    Field("doubled", "the points of this round are doubled", public=True),
    Field("laid_off", "the cards that were laid off in this round, a mask", ALL),
    Field(
        *("boxes", "rounds of the match that each seat has won", T.MAX_ROUNDS, (MAX_SEATS,)),
        role=SCALED,
        scale=10,
        by_seat=True,
        dtype="<i4",
    ),
)
STATE_FIELDS = O.state_fields(Rules, SEATS, OWN_FIELDS, max_points=MAX_POINTS, phase=AT_WALL, ending=UNDERCUT)
STATE = STATE_FIELDS.dtype

ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block("take", "take the top card of the pile", ("take",), subject="depth"),
    Block("pass", "leave the upcard; stop laying cards", ("pass",), effect="do_pass"),
    Block("knock", "knock: the hand is shown", ("knock",)),
    Block("big_gin", "go out with eleven cards in melds", ("big gin",), verb="show"),
    LAY_BLOCK,
    card_block("add", "lay a card off on a meld of the knocker"),
    card_block("discard", "discard a card"),
)
A_DRAW, A_TAKE, A_PASS, A_KNOCK, A_BIG_GIN, A_LAY, A_ADD, A_DISCARD = (
    ACTIONS.first(block.name) for block in ACTIONS.blocks
)
NUM_ACTIONS = len(ACTIONS)


@compiled
def deal(state: Any) -> None:
    """Deal the next round of the episode (G2)."""
    T.deal_hands(state, HAND_SIZE)
    state.phase = UPCARD
    state.taken = state.repeated = state.upcards = state.doubled = state.laid_off = 0
    state.limit = state.rules.knock_card
    if state.rules.oklahoma != NO_OKLAHOMA:
        upcard = state.pile[0]
        rank = upcard % NUM_RANKS
        state.limit = VALUES[rank] if rank else 0
        state.doubled = state.rules.oklahoma == SPADES_DOUBLE and upcard // NUM_RANKS == SPADES


@begin_match.fill(STATE)
def _begin_match(state: Any) -> None:
    for seat in range(MAX_SEATS):
        state.boxes[seat] = 0


@compiled
def cards_in_melds(state: Any, seat: int) -> int:
    """The cards in all melds of a seat."""
    cards = 0
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == seat:
            cards |= state.melds[slot]
    return cards
