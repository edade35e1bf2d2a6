"""The record of a whole game (`STATE`), the table of actions, and the deal (H2).

Cards are named by their roles in this deal (H1.3): faces are those of `kit.melds.one_wild_melds`, with W for a wild
card.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.bits import lowest, popcount
from banakil_env.core.fields import CARD, MATCH, ROUND, SCALED, TURN, Field, Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below, shuffle
from banakil_env.games.hand.records import State
from banakil_env.games.hand.rules import (
    ACES,
    ACES_SINGLE,
    AS_ACE,
    AS_ACE_OF_GROUP,
    JOKERS,
    MAX_ROUNDS,
    MAX_TURNS,
    MAX_UNSCORED,
    Rules,
)
from banakil_env.kit import pack54
from banakil_env.kit import table_state as T
from banakil_env.kit.event_moves import knows_mover
from banakil_env.kit.melds.one_wild_melds import (
    FACES,
    MELD_BITS,
    NUM_FACES,
    OPEN_GROUP,
    OPEN_SEQUENCE,
    PAIR_FACES,
    WILD,
    naturals_of,
    wild_in,
)
from banakil_env.kit.pack52 import ACES as ALL_ACES
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS

SEATS = (2, 3, 4)
MAX_SEATS = SEATS[-1]
HAND_SIZE, LAYERS, PACK_SIZE = 14, 2, 106
MAX_MELDS = PACK_SIZE // 3  # every meld has three cards or more
NOTHING = NUM_FACES  # no card, in the fields `taken` and `indicator`
PAIRS_FOR_REDEAL = 4

# Phases and endings added to those of `kit.table_state`. In REDEAL a seat decides about a new deal. DISCARD is the
# first turn (H3.1).
REDEAL, DISCARD = T.CHOOSE + 1, T.CHOOSE + 2
ENDINGS = {T.OUT: "out", T.EXHAUSTED: "exhausted", T.TURNS: "turns", T.MATCH: "match", T.ROUNDS: "rounds"}

# Two opponents who have melded hold at most two wild cards and twelve Aces each, and factors are at most 32.
MAX_POINTS = 2 * 32 * (2 * 15 + 12 * 11)
MAX_NEED = 200  # more than the value of fifteen cards, the most that a seat can meld in one turn

ACTIONS = ActionTable(
    Block(
        "redeal",
        "the answers: keep the hand, or throw all hands in",
        ("keep", "redeal"),
        verb="answer",
        yes=(False, True),
        effect="answer",
    ),
    Block("draw", "draw from the stock", ("draw",)),
    Block("take", "take the top of the pile", ("take",), subject="depth"),
    OPEN_SEQUENCE,
    OPEN_GROUP,
    Block(
        "add",
        "add a natural to a meld; a wild card, low or high",
        (*(f"add {name}" for name in FACES.names[:WILD]), "add W low", "add W high"),
        (*((face,) for face in range(WILD)), (WILD,), (WILD,)),
        pattern=(*(0 for _ in range(WILD)), 1, 2),
        effect="play_somewhere",
    ),
    Block(
        "swap",
        "exchange a natural for a wild card, or both missing cards of a group",
        (*(f"swap {name}" for name in FACES.names[:WILD]), *(f"swap {FACES.text(pair)}" for pair in PAIR_FACES)),
        (*((face,) for face in range(WILD)), *PAIR_FACES),
        effect="play_somewhere",
    ),
    Block(
        "discard",
        "discard, and end the turn",
        (*(f"discard {name}" for name in FACES.names), "discard W W"),
        (*((face,) for face in range(NUM_FACES)), (WILD, WILD)),
        pattern=(*(0 for _ in range(NUM_FACES)), 1),
    ),
    Block(
        "meld",
        "choose the meld",
        tuple(f"meld {slot}" for slot in range(MAX_MELDS)),
        subject="meld",
        verb="choose",
        effect="choose_meld",
    ),
)
KEEP, DRAW, TAKE, OPEN, _, ADD, SWAP, DROP, MELD = (ACTIONS.first(block.name) for block in ACTIONS.blocks)
THROW_IN = KEEP + 1
NUM_ACTIONS = len(ACTIONS)

# Plays are actions on one meld, numbered as the actions from ADD on.
ADD_LOW, ADD_HIGH, SWAPS, PAIR_SWAPS, NUM_PLAYS = WILD, WILD + 1, SWAP - ADD, SWAP - ADD + WILD, DROP - ADD


def _word(name: str, note: str, word: str) -> Field:
    """Return the field of a flag of the turn; `word` names the flag in the line `turn` of a position."""
    return Field(name, note, public=True, lives=TURN, absent_in=~_IN_TURN, word=word)


_IN_TURN = T.in_phases(T.PLAY, T.CHOOSE)
_MELDS, _NUM_MELDS, _MELD_OWNER = T.meld_fields(
    Field(
        "melds",
        "the melds in the order of opening, packed as in kit/melds/one_wild_melds.py",
        MELD_BITS,
        (MAX_MELDS,),
        dtype="<i4",
    ),
    MAX_SEATS,
)
STATE_FIELDS = Fields(
    *T.hand_fields(MAX_SEATS, LAYERS, (1 << NUM_FACES) - 1),
    *T.match_fields(
        *(Rules, SEATS),
        max_points=MAX_POINTS,
        phase=DISCARD,
        ending=T.OUT,
        signed=True,
        max_turns=MAX_TURNS,
        max_rounds=MAX_ROUNDS,
        count="<i2",
        scores=200,
        rounds=7,
        last_seat=True,
    ),
    _MELDS,
    Field(
        *("unscored", "unscored deals since the last scored round (H10.3)", MAX_UNSCORED),
        dtype="<i2",
        role=SCALED,
        scale=3,
        public=True,
        lives=MATCH,
        line="unscored",
    ),
    Field("partners", "seats 0 and 2 play against 1 and 3", public=True),
    Field(
        *("indicator", "the card turned up, as printed (H2.2)", NOTHING),
        lives=ROUND,
        absent=NOTHING,
        code=CARD,
        line="indicator",
    ),
    Field(
        *("need", "points that the next first meld needs (H5.1)", MAX_NEED),
        role=SCALED,
        scale=51,
        public=True,
        lives=ROUND,
        line="need",
    ),
    Field(
        *("taken", "the card taken from the pile in this turn, which is not laid yet (H7.1)", NOTHING),
        lives=TURN,
        absent=NOTHING,
        absent_in=~_IN_TURN,
        code=CARD,
        word="taken",
    ),
    Field(
        *("named", "in phase CHOOSE the play that waits for its meld, an action minus ADD", NUM_PLAYS - 1),
        lives=TURN,
        absent_in=T.but_in_phases(T.CHOOSE),
    ),
    _word("in_one_turn", "the turn began without melds of the seat, and it has melds now (H9.2)", "in one turn"),
    _word("laid_off", "in a turn that began without melds, a card was added to another seat's meld (H9.2)", "laid off"),
    _word("down_to_one", "the turn must end with at most one card (H6.3)", "down to one"),
    _word("owes_wild", "the next play lays a wild card (`reuse_wild`)", "owes wild"),
    _NUM_MELDS,
    _MELD_OWNER,
    *T.heap_fields(PACK_SIZE, WILD, stock=60, pile=20),
)
STATE = STATE_FIELDS.dtype


# Names of cards (H1.2, H1.3) -----------------------------------------------------------------------------------------


@compiled
def wild_suit(state: State) -> int:
    """Return the suit whose printed Aces are wild; -1: the Jokers are wild."""
    return wild_suit_by(state, state.indicator)


@compiled
def wild_suit_by(state: State, indicator: int) -> int:
    """Return the suit whose printed Aces are wild, given the printed face of the card that is turned up; -1: the
    Jokers.

    `state` is a state or an observation.
    """
    wilds = state.rules.wilds
    if wilds == JOKERS or (wilds != ACES and wilds != ACES_SINGLE and indicator % NUM_RANKS == 0):
        return -1
    return indicator // NUM_RANKS


@inlined
def num_jokers(state: State) -> int:
    """Return the number of Jokers in the pack."""
    return 0 if state.rules.wilds == ACES or state.rules.wilds == ACES_SINGLE else 2


@compiled
def name_of(state: State, printed: int) -> int:
    """Return the face of a card in this deal, given its printed face. A printed Joker has the number of W."""
    return named_by(wild_suit(state), printed)


@inlined
def named_by(suit: int, printed: int) -> int:
    """Return the face of a card in this deal, given the suit whose Aces are wild and its printed face."""
    if printed == WILD:
        return WILD if suit < 0 else NUM_RANKS * suit
    return WILD if printed == NUM_RANKS * suit else printed


@T.copies_of.fill(STATE)
def copies_of(state: State, face: int) -> int:
    """Return the number of cards of a face in this deal, without the indicator.

    A wild card that became an Ace (H7.4) still counts as a wild card.
    """
    return copies_in_deal(state, face, state.indicator)


@compiled
def copies_in_deal(state: State, face: int, indicator: int) -> int:
    """Return the number of cards of a face in this deal, given the printed face of the card that is turned up.

    `state` is a state or an observation.
    """
    # The two faces that change their names exchange them.
    printed = named_by(wild_suit_by(state, indicator), face)
    return (num_jokers(state) if printed == WILD else 2) - (printed == indicator)


@compiled
def aces_for_taken(state: State) -> int:
    """Return the natural Aces that a taken wild card can become (H7.4), as a mask; 0 if it stays a wild card."""
    suit = wild_suit(state)
    if state.rules.wild_discard != AS_ACE and state.rules.wild_discard != AS_ACE_OF_GROUP:
        return 0
    return ALL_ACES if suit < 0 else 1 << NUM_RANKS * suit


@T.count_meld.fill(STATE)
def _count_meld(state: State, slot: int, counts: Any, step: int) -> None:
    meld = state.melds[slot]
    T.count_cards_in(naturals_of(meld), counts, step)
    counts[WILD] += step * (wild_in(meld) != 0)


@knows_mover.fill(STATE)
def _knows_mover(state: State, seat: int) -> bool:
    """Return whether a seat knows which seat has to decide.

    While a seat decides about a new deal, the other seats believe that the first seat is at its discard (H2.5).
    """
    if state.phase != REDEAL or seat == state.seat:
        return True
    return state.seat == T.next_seat(state, state.dealer)


@T.count_table.fill(STATE)
def count_table(state: State, counts: Any, step: int) -> None:
    """Add `step` to `counts` for each card in melds.

    An Ace beyond the number in the packs was a wild card, and counts as one (H7.4).
    """
    aces = aces_for_taken(state)
    for suit in range(NUM_SUITS):
        aces &= ~(int(counts[NUM_RANKS * suit] < 0) << NUM_RANKS * suit)
    for slot in range(state.num_melds):
        T.count_meld(state, slot, counts, step)
    while aces:
        face = lowest(aces)
        aces &= aces - 1
        if counts[face] < 0:
            counts[WILD] += counts[face]
            counts[face] = 0


# Sides ----------------------------------------------------------------------------------------------------------------


@inlined
def side_of(state: State, seat: int) -> int:
    """Return the side of a seat: partners sit opposite each other."""
    return seat & 1 if state.partners else seat


has_melded = T.owns_meld


# The deal (H2) -------------------------------------------------------------------------------------------------------


@compiled
def may_throw_in(state: State, seat: int) -> bool:
    """Return whether a hand entitles its seat to a new deal, and a new deal is possible (H2.4, H2.6)."""
    if state.unscored >= state.rules.max_unscored - 1:
        return False
    last_round = state.episode == T.MATCH_EPISODE and state.rounds == state.rules.rounds - 1
    if last_round and state.unscored >= state.rules.last_deals - 1:
        return False
    pairs = popcount(state.hands[seat, 1] & ~(1 << WILD))
    return pairs + pack54.count_of(state.hands[seat], WILD) >= PAIRS_FOR_REDEAL


@compiled
def ask_from(state: State, place: int) -> None:
    """Let the next seat that can demand a new deal decide, starting at a place after the dealer; else begin the
    first turn.
    """
    first = T.next_seat(state, state.dealer)
    for i in range(place, state.num_players):
        seat = (first + i) % state.num_players
        if may_throw_in(state, seat):
            T.begin_turn(state, seat, REDEAL)
            return
    T.begin_turn(state, first, DISCARD)


@compiled
def turn_indicator(state: State, at: int) -> None:
    """Turn up the card at this place of the stock (H2.2). A card that cannot be the indicator changes places with
    a lower one.
    """
    while True:
        printed = state.stock[at]
        if printed != WILD and (state.rules.wilds != ACES or printed % NUM_RANKS):
            break
        other = random_below(state, at + 1)
        state.stock[at], state.stock[other] = state.stock[other], printed
    state.indicator = printed
    state.stock[at] = 0


@compiled
def deal(state: State) -> None:
    """Deal a round: the hands and the indicator. Then let the seats that can demand a new deal decide."""
    T.clear_table(state)
    size = 0
    for printed in range(NUM_FACES):
        for _ in range(num_jokers(state) if printed == WILD else 2):
            state.stock[size] = printed
            size += 1
    shuffle(state, state.stock, size)
    dealt = HAND_SIZE * state.num_players + 1
    if state.rules.wilds != JOKERS:
        turn_indicator(state, size - dealt - 1)
    state.stock_size = size
    for i in range(size):
        if i != size - dealt - 1 or state.indicator == NOTHING:
            state.stock[i] = name_of(state, state.stock[i])
    first = T.next_seat(state, state.dealer)
    T.draw_stock(state, first)
    for seat in range(state.num_players):
        for _ in range(HAND_SIZE):
            T.draw_stock(state, seat)
    state.stock_size -= state.indicator != NOTHING
    state.need = state.rules.first_meld
    ask_from(state, 0)
