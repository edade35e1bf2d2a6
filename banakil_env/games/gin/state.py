"""The record of a whole game (`STATE`), the table of actions, and the deal (G2)."""

from __future__ import annotations

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import CARD, CARDS, FACE, MATCH, ROUND, SCALED, TURN, Field
from banakil_env.core.jit import compiled
from banakil_env.games.gin.records import State
from banakil_env.games.gin.rules import MAX_BONUS, MAX_GAME_BONUS, NO_OKLAHOMA, SPADES_DOUBLE, Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.deadwood import LAY as LAY_BLOCK
from banakil_env.kit.one_pack import table as O
from banakil_env.kit.pack52 import ALL, NUM_FACES, NUM_RANKS, NUM_SUITS, VALUES, card_block

SEATS = (2,)
MAX_SEATS = SEATS[-1]
HAND_SIZE = 10
WALL = 2  # cards that stay in the stock (G7.1)
SPADES = NUM_SUITS - 1

# The phases after those of the kit. PLAY is the discard. T.CHOOSE is not used, because no card waits for its meld.
UPCARD, KNOCK, LAY, LAY_OFF, DEFEND, AT_WALL = range(T.CHOOSE + 1, T.CHOOSE + 7)

# The endings of a round or match, with the words for them in positions (G8).
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

# The most points in a round: ten cards of ten points and a bonus, doubled. A match adds one game bonus, which can be
# doubled, and a line bonus for each round.
MAX_POINTS = 2 * (10 * HAND_SIZE + MAX_BONUS) + MAX_BONUS + 2 * MAX_GAME_BONUS
MAX_UPCARDS = 100_000

OWN_FIELDS = (
    Field(
        *("taken", "the card that was taken from the pile in this turn", NUM_FACES),
        role=FACE,
        public=True,
        lives=TURN,
        absent=0,
        absent_in=T.but_in_phases(T.PLAY, KNOCK),
        code=CARD,
        line="taken",
    ),
    Field(
        *("repeated", "the last turn took the top of the pile and discarded it again (G7.2)"),
        public=True,
        lives=ROUND,
        line="repeated",
    ),
    Field(
        *("upcards", "cards taken from the pile in this round (G7.3)", MAX_UPCARDS),
        dtype="<i4",
        role=SCALED,
        scale=50,
        public=True,
        lives=ROUND,
        line="upcards",
    ),
    Field(
        *("limit", "the most deadwood to knock with in this round (G5.2)", 10),
        role=SCALED,
        scale=10,
        public=True,
        lives=ROUND,
        line="limit",
    ),
    Field(
        *("doubled", "the points of this round are doubled (G5.2)"),
        public=True,
        lives=ROUND,
        line="doubled",
    ),
    Field(
        *("laid_off", "the cards that were laid off in this round (G6.1)", ALL),
        lives=ROUND,
        code=CARDS,
        line="laid off",
    ),
    Field(
        *("boxes", "rounds of the match that each seat has won (G9.4)", T.MAX_ROUNDS, (MAX_SEATS,)),
        role=SCALED,
        scale=10,
        by_seat=True,
        dtype="<i4",
        lives=MATCH,
        line="boxes",
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
def deal(state: State) -> None:
    """Deal the next round of the episode (G2)."""
    T.deal_hands(state, HAND_SIZE)
    state.phase = UPCARD
    state.limit = state.rules.knock_card
    if state.rules.oklahoma != NO_OKLAHOMA:
        upcard = state.pile[0]
        rank = upcard % NUM_RANKS
        state.limit = VALUES[rank] if rank else 0
        state.doubled = state.rules.oklahoma == SPADES_DOUBLE and upcard // NUM_RANKS == SPADES


@compiled
def cards_in_melds(state: State, seat: int) -> int:
    """Return the cards in all melds of a seat, as a mask."""
    cards = 0
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == seat:
            cards |= state.melds[slot]
    return cards
