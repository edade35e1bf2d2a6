"""The record of a whole game (`STATE`), the table of actions, and the deal (O2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.bits import lowest, popcount
from banakil_env.core.fields import PLAYERS, ROUND, Field
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.oklahoma.melds import LONGEST, NAMED, OPEN_TWOS, QUEEN, RUNS, SETS, TWOS, takes
from banakil_env.games.oklahoma.records import State
from banakil_env.games.oklahoma.rules import DIFFERENT, END, FEWEST, USUAL, USUAL_OF_EIGHT, Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import wild_melds as M
from banakil_env.kit.melds.free_sets import SETS_A_RANK
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import FACES, JOKER
from banakil_env.kit.table_places import same_meld
from banakil_env.kit.wilds import table as wild_table

SEATS = (2, 3, 4, 5, 6, 7, 8)
MAX_SEATS = SEATS[-1]
PACKS, PACK_SIZE = 2, 104
LEFT = 2  # cards that must be left after the deal: one to turn up, one for the stock (O11.1)
MAX_MELDS = PACK_SIZE // 3

ENDINGS = {T.OUT: "out", T.EXHAUSTED: "exhausted", T.TURNS: "turns", T.MATCH: "match", T.ROUNDS: "rounds"}

# The bonus, and all cards: 2 Queens of spades, 8 Aces, 46 cards of 10, 40 of 5, and 8 Twos each worth 50 (O9).
MAX_POINTS = 1000 + 2 * 50 + 8 * 20 + 46 * 10 + 40 * 5 + 8 * 50

# The suits of the Twos that are wild cards of a meld: 2 bits each, in the order of their places.
SUIT_BITS = 2
MAX_STANDING = LONGEST - 1
OWN_FIELDS = (
    Field(
        *(
            "fits",
            "the cards that fit the melds of each seat, a mask: faces, and a Two LOW and HIGH",
            M.MAX_TAKEN,
            (MAX_SEATS,),
        ),
        lives=ROUND,
        filled=PLAYERS,
    ),
    Field(
        *("twos", "suits of the Twos in a meld that represent other cards", 4**MAX_STANDING - 1, (MAX_MELDS,)),
        lives=ROUND,
        filled="num_melds",
    ),
)
STATE_FIELDS = wild_table.state_fields(
    Rules, SEATS, MAX_MELDS, OWN_FIELDS, max_points=MAX_POINTS, phase=T.CHOOSE, ending=T.OUT
)
STATE = STATE_FIELDS.dtype


def _naming(verb: str, note: str, faces: list[int]) -> Block:
    """Return the block of the actions that name one of these cards; TWO names a Two of any suit."""
    texts = [f"{verb} {name}" for name in FACES.names_of(faces)]
    return Block(verb, note, tuple(texts), tuple((face,) for face in faces))


_SHED = [face for face in NAMED if face != QUEEN]
ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block("take", "take the pile", ("take all",)),
    M.opening_block("open_run", "open a run: suit, lowest rank, places of Twos", RUNS),
    M.opening_block("open_set", "open a set: rank, three to one naturals, and Twos", SETS),
    M.opening_block("open_twos", "open a meld of Twos", [OPEN_TWOS]),
    _naming("add", "add a natural to one of the seat's melds", NAMED),
    Block(
        "add_two",
        "add a Two at the low or the high end; in a set always high",
        ("add 2 low", "add 2 high"),
        pattern=(0, 1),
        effect="add",
    ),
    _naming("discard", "discard a natural, and end the turn", _SHED),
    Block("discard_two", "discard a Two, and end the turn", ("discard 2",)),
    Block("pass", "end the turn without a discard", ("pass",), effect="end_turn"),
    M.meld_block(MAX_MELDS),
)
DRAW, TAKE, OPEN, ADD, DISCARD, DISCARD_TWO, PASS, MELD = (
    ACTIONS.first(name) for name in ("draw", "take", "open_run", "add", "discard", "discard_two", "pass", "meld")
)
OPEN_MELD_OF_TWOS = ACTIONS.first("open_twos")
FIRST_SETS = ACTIONS.first("open_set") + SETS_A_RANK * np.array([0, 0, *range(1, NUM_RANKS - 1)])  # by rank
NUM_ACTIONS = len(ACTIONS)
ADDED = np.array([*NAMED, M.LOW, M.HIGH], np.int64)  # by the place of an action in `add` and `add_two`
SHED = np.array(_SHED, np.int64)


@T.copies_of.fill(STATE)
def copies_of(state: State, face: int) -> int:
    """Return the number of cards of this face (O1.1)."""
    return 0 if face == JOKER else PACKS


@inlined
def lowest_two(hand: Any) -> int:
    """Return the Two of a hand that is used first (O5.3). The hand must have a Two."""
    return lowest(hand[0] & TWOS)


@inlined
def num_twos(hand: Any) -> int:
    """Return the number of Twos in a hand."""
    return popcount(hand[0] & TWOS) + popcount(hand[1] & TWOS)


@inlined
def different_suits(state: State) -> bool:
    """Return whether the naturals of a set must be of different suits (O4.2)."""
    return state.rules.set_suits == DIFFERENT


@wild_table.card_at.fill(STATE)
def card_at(state: State, slot: int, place: int) -> int:
    """Return the card at a place of a meld; for a wild card the face of the Two."""
    meld = state.melds[slot]
    wilds = M.wilds_in(meld)
    if wilds >> place & 1 == 0:
        return M.face_at(meld, place)
    suit = state.twos[slot] >> SUIT_BITS * popcount(wilds & (1 << place) - 1) & 3
    return NUM_RANKS * suit + 1


@same_meld.fill(STATE)
def _same_meld(before: Any, after: Any, slot: int) -> bool:
    return before.melds[slot] == after.melds[slot] and before.twos[slot] == after.twos[slot]


@compiled
def fits_of(state: State, seat: int) -> int:
    """Return the cards that fit the melds of a seat, for the field `fits`."""
    fits = 0
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == seat:
            fits |= takes(state.melds[slot], different_suits(state))
    return fits


@wild_table.named_face.fill(STATE)
def named_face(state: State) -> int:
    """Return the card that waits for its meld; for a Two the one that is used. NO_FACE: no card waits."""
    if state.named == wild_table.NOTHING:
        return wild_table.NO_FACE
    hand = state.hands[state.seat]
    if state.named < M.LOW:
        return state.named
    return lowest_two(hand) if hand[0] & TWOS else wild_table.NO_FACE


@compiled
def has_run_out(state: State) -> bool:
    """Return whether no turn can begin, because there is nothing to draw (O8.2)."""
    return state.stock_size == 0 and (state.rules.stock_out == END or state.pile_size < 2)


# The deal ------------------------------------------------------------------------------------------------------------


@compiled
def cards_dealt(players: int, chosen: int) -> int:
    """Return the number of cards of each hand; `chosen` is the number of the switch `hand_cards` (O2.1)."""
    if chosen:
        return chosen + FEWEST - 1
    return USUAL_OF_EIGHT if players == MAX_SEATS else USUAL


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode (O2)."""
    T.deal_hands(state, cards_dealt(state.num_players, state.rules.hand_cards))
