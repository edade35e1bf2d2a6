"""The record of a whole game (`STATE`), the table of actions, and the deal (M2)."""

from __future__ import annotations

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.fields import HIDDEN, MATCH, SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.games.mille.cards import KINDS, NUM_KINDS, NUM_NATURALS, NUM_RANKS, NUM_SLOTS, THE_TWO, slot_cards
from banakil_env.games.mille.records import State
from banakil_env.games.mille.rules import Rules
from banakil_env.kit import table_state as T
from banakil_env.kit.books import table as B
from banakil_env.kit.books.kinds import RANKS, kind_of, one_card

SEATS = (2,)
NUM_SEATS = 2
PACKS, HAND_SIZE = 2, 15
NUM_CARDS = 52 * PACKS

ENDINGS = {T.OUT: "out", T.EXHAUSTED: "exhausted", T.TURNS: "turns", T.MATCH: "match", T.ROUNDS: "rounds"}

# All cards are worth 1140, and count at most four times. In a round a seat has at most a natural of eight of each rank
# and a clean one. A match can be set up with scores and marks of up to half of these bounds.
MAX_POINTS = 4 * 1140
MAX_SCORE = 2 * MAX_POINTS * T.MAX_ROUNDS
ROUND_NATURALS = NUM_RANKS + 1
MAX_NATURALS, MAX_CHAPEAUX = 2 * ROUND_NATURALS * T.MAX_ROUNDS, 2 * T.MAX_ROUNDS
MAX_PAYMENT = 3 * (3 + 3 * MAX_NATURALS + 3 * MAX_CHAPEAUX + 2 * (MAX_SCORE // 100 + 1))

_BY_RANK = (NUM_SEATS, NUM_RANKS)


def _marks(name: str, note: str, highest: int) -> Field:
    return Field(
        *(name, note, highest, (NUM_SEATS,)), role=SCALED, scale=5, by_seat=True, dtype="<i4", lives=MATCH, line=name
    )


STATE_FIELDS = Fields(
    B.stack_field("hands", "the cards of each seat, one stack for each rank", _BY_RANK, PACKS),
    B.stack_field("known", "the cards of each hand that everybody knows, one stack for each rank", _BY_RANK, PACKS),
    B.stack_field("melds", "the melds of each seat, by rank: natural cards; the meld of Twos", _BY_RANK, PACKS),
    B.stack_field("wild", "the Twos in each meld of another rank", (NUM_SEATS, NUM_RANKS - 1), PACKS),
    *T.match_fields(Rules, SEATS, max_points=MAX_POINTS, phase=T.PLAY, ending=T.OUT, signed=True, scores=1200),
    _marks("naturals", "naturals of each seat in the match so far", MAX_NATURALS),
    _marks("chapeaux", "rounds in which each seat scored below zero", MAX_CHAPEAUX),
    Field(
        *("payment", "in a finished match the payment that each seat gains", MAX_PAYMENT, (NUM_SEATS,), -MAX_PAYMENT),
        role=HIDDEN,
        by_seat=True,
        dtype="<i4",
        lives=MATCH,
        line="payment",
    ),
    *T.heap_fields(NUM_CARDS, 51, stock=73, pile=20),
)
STATE = STATE_FIELDS.dtype


def _block(name: str, note: str, verb: str, cards: list[tuple[int, ...]]) -> Block:
    """Return a block with one action for each tuple of kinds in `cards`, such as `open J J Jd`.

    The `pattern` of an action is its number of Jd or Qs, which tells actions of one rank apart.
    """
    texts = tuple(" ".join([verb, *(KINDS[kind] for kind in each)]) for each in cards)
    special = tuple(sum(len(KINDS[kind]) == 2 for kind in each) for each in cards)
    return Block(name, note, texts, tuple(cards), special, effect="open_meld" if verb == "open" else name)


_SLOTS, _NATURALS = range(NUM_SLOTS), range(NUM_NATURALS)
ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    _block("take", "take the pile, its top card melded with two naturals", "take", [slot_cards(i, 2) for i in _SLOTS]),
    _block("open", "open a meld with three naturals", "open", [slot_cards(i, 3) for i in _SLOTS]),
    _block(
        "open_two", "open a meld with two naturals and a Two", "open", [(*slot_cards(i, 2), THE_TWO) for i in _SLOTS]
    ),
    _block("open_twos", "open a meld with a natural and two Twos", "open", [(i, THE_TWO, THE_TWO) for i in _NATURALS]),
    _block("twos", "open a meld of Twos", "open", [(THE_TWO,) * 3]),
    _block("add", "add a natural card to a meld", "add", [(kind,) for kind in _NATURALS]),
    Block(
        "add_two",
        "add a Two to a meld",
        tuple(f"add 2 to {rank}" for rank in RANKS),
        tuple((THE_TWO, KINDS.index(rank)) for rank in RANKS),
    ),
    _block("discard", "discard a card", "discard", [(kind,) for kind in range(NUM_KINDS)]),
)
DRAW, TAKE, OPEN, OPEN_TWO, OPEN_TWOS, TWOS, ADD, ADD_TWO, DISCARD = (
    ACTIONS.first(block.name) for block in ACTIONS.blocks
)
NUM_ACTIONS = len(ACTIONS)


# The round -----------------------------------------------------------------------------------------------------------


@compiled
def draw_card(state: State, seat: int) -> None:
    """Move the next card of the stock to a hand."""
    face = T.pop_stock(state)
    state.hands[seat, kind_of(face)] += one_card(face)


@compiled
def deal(state: State) -> None:
    """Deal the next round of the episode (M2.1): hands, the upcard, the stock."""
    T.clear_table(state)
    B.shuffle_pack(state, PACKS, 0)
    for seat in range(NUM_SEATS):
        for _ in range(HAND_SIZE):
            draw_card(state, seat)
    T.push_pile(state, T.pop_stock(state))
    T.begin_turn(state, 1 - state.dealer, T.DRAW)
