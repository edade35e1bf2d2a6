"""What can be said? The one table of 799 actions: index <-> text, and how an index is taken apart.

The same table serves every rule preset and number of players. A longer meld is an opening and additions within one
turn.
"""

from __future__ import annotations

import numpy as np

from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.jit import compiled
from banakil_env.games.banakil.faces import (
    ACE,
    FACES,
    JOKER,
    NUM_FACES,
    NUM_NATURALS,
    NUM_RANKS,
    NUM_SUITS,
    RANKS,
    TWO,
)
from banakil_env.games.banakil.state import MAX_MELDS, MAX_TAKE
from banakil_env.kit.cards import JOKER_TEXT, SUITS

NUM_LOWEST = NUM_RANKS - 2  # a sequence of three begins at 3..Q

# The 13 wild patterns of a sequence of three: at which place (1..3) its Two and its Joker lie, 0 for none.
PATTERN_TWO = np.array([0, 1, 2, 3, 0, 0, 0, 1, 1, 2, 2, 3, 3], np.int64)
PATTERN_JOKER = np.array([0, 0, 0, 0, 1, 2, 3, 2, 3, 1, 3, 1, 2], np.int64)
NUM_PATTERNS = len(PATTERN_TWO)

# The 10 sets of three of one rank: the suits of its naturals, as a mask; with two of them a Joker is the third.
SET_SUITS = np.array([0b0111, 0b1011, 0b1101, 0b1110, 0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100], np.int64)
NUM_SET_PATTERNS = len(SET_SUITS)
NUM_NATURAL_SETS = 4

ADDITIONS = NUM_NATURALS + 4  # naturals, then a Two low, a Two high, a Joker low, a Joker high

DRAW_STOCK = 0
TAKE = DRAW_STOCK + 1  # TAKE + k - 1 takes k cards
OPEN_SEQUENCE = TAKE + MAX_TAKE
OPEN_SET = OPEN_SEQUENCE + NUM_SUITS * NUM_LOWEST * NUM_PATTERNS
ADD = OPEN_SET + 2 * NUM_SET_PATTERNS
ADD_TWO_LOW, ADD_TWO_HIGH, ADD_JOKER_LOW, ADD_JOKER_HIGH = range(ADD + NUM_NATURALS, ADD + ADDITIONS)
SWAP = ADD + ADDITIONS
DISCARD = SWAP + NUM_NATURALS
CHOOSE_MELD = DISCARD + NUM_FACES
NUM_ACTIONS = CHOOSE_MELD + MAX_MELDS


@compiled
def open_sequence_action(suit: int, lowest_rank: int, pattern: int) -> int:
    """The index of opening a sequence of three."""
    return OPEN_SEQUENCE + (suit * NUM_LOWEST + lowest_rank) * NUM_PATTERNS + pattern


@compiled
def open_sequence_parts(action: int) -> tuple[int, int, int]:
    """Suit, lowest rank and wild pattern of an opening."""
    index = action - OPEN_SEQUENCE
    return (
        index // (NUM_LOWEST * NUM_PATTERNS),
        index // NUM_PATTERNS % NUM_LOWEST,
        index % NUM_PATTERNS,
    )


@compiled
def open_set_parts(action: int) -> tuple[int, int]:
    """Whether Aces (1) or Threes (0), and the pattern of a set that is opened."""
    index = action - OPEN_SET
    return index // NUM_SET_PATTERNS, index % NUM_SET_PATTERNS


def _sequence_text(action: int) -> str:
    suit, lowest_rank, pattern = open_sequence_parts(action)
    cards = [RANKS[lowest_rank + place] + SUITS[suit] for place in range(3)]
    if PATTERN_TWO[pattern]:
        cards[PATTERN_TWO[pattern] - 1] = "2"
    if PATTERN_JOKER[pattern]:
        cards[PATTERN_JOKER[pattern] - 1] = JOKER_TEXT
    return "open " + " ".join(cards)


def _set_text(action: int) -> str:
    aces, pattern = open_set_parts(action)
    rank = RANKS[ACE if aces else 0]
    cards = [rank + suit for i, suit in enumerate(SUITS) if SET_SUITS[pattern] >> i & 1]
    return "open " + " ".join(cards if pattern < NUM_NATURAL_SETS else [*cards, JOKER_TEXT])


def _sequence_cards(action: int) -> tuple[int, ...]:
    """The naturals that stand in an opening's text."""
    suit, lowest_rank, pattern = open_sequence_parts(action)
    wild = PATTERN_TWO[pattern], PATTERN_JOKER[pattern]
    return tuple(suit * NUM_RANKS + lowest_rank + place for place in range(3) if place + 1 not in wild)


def _sequence_middle(action: int) -> int:
    suit, lowest_rank, _ = open_sequence_parts(action)
    return suit * NUM_RANKS + lowest_rank + 1


def _set_cards(action: int) -> tuple[int, ...]:
    aces, pattern = open_set_parts(action)
    return tuple(suit * NUM_RANKS + ACE * aces for suit in range(NUM_SUITS) if SET_SUITS[pattern] >> suit & 1)


_NATURALS = FACES.names[:TWO]
_SEQUENCES, _SETS = range(OPEN_SEQUENCE, OPEN_SET), range(OPEN_SET, ADD)

ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block(
        "take",
        "take the top k cards of the pile",
        tuple(f"take {k}" for k in range(1, MAX_TAKE + 1)),
        subject="depth",
    ),
    Block(
        "open_sequence",
        "open a sequence of three: suit, lowest rank, wild pattern",
        tuple(_sequence_text(action) for action in _SEQUENCES),
        tuple(_sequence_cards(action) for action in _SEQUENCES),
        tuple(open_sequence_parts(action)[2] for action in _SEQUENCES),
        middle=tuple(_sequence_middle(action) for action in _SEQUENCES),
    ),
    Block(
        "open_set",
        "open a set of three Threes or Aces",
        tuple(_set_text(action) for action in _SETS),
        tuple(_set_cards(action) for action in _SETS),
        tuple(int(open_set_parts(action)[1] >= NUM_NATURAL_SETS) for action in _SETS),
    ),
    Block("add", "add a natural", tuple(f"add {card}" for card in _NATURALS), tuple((face,) for face in range(TWO))),
    Block(
        "add_wild",
        "add a Two or a Joker at the low or the high end",
        tuple(f"add {wild} {end}" for wild in ("2", FACES.names[JOKER]) for end in ("low", "high")),
        pattern=(0, 1, 2, 3),
    ),
    Block(
        "swap",
        "exchange a natural for a Joker",
        tuple(f"swap {card}" for card in _NATURALS),
        tuple((face,) for face in range(TWO)),
    ),
    Block(
        "discard",
        "discard a card",
        tuple(f"discard {card}" for card in FACES.names),
        tuple((face,) for face in range(NUM_FACES)),
    ),
    Block(
        "meld",
        "choose the meld for the card just named",
        tuple(f"meld {k}" for k in range(MAX_MELDS)),
        subject="meld",
    ),
)
ACTION_TEXTS = ACTIONS.texts
action_text, parse_action = ACTIONS.text, ACTIONS.parse

# The compiled functions know the table by the numbers above.
assert [ACTIONS.first(name) for name in ("draw", "take", "open_sequence", "open_set", "add", "swap", "discard")] == [
    DRAW_STOCK, TAKE, OPEN_SEQUENCE, OPEN_SET, ADD, SWAP, DISCARD
]  # fmt: skip
assert ACTIONS.first("meld") == CHOOSE_MELD
assert len(ACTIONS) == NUM_ACTIONS


def action_kind(action: int) -> str:
    """The first word of an action's text: draw, take, open, add, swap, discard, meld."""
    return ACTIONS[ACTIONS.check(action)].verb
