"""What can be said? The one table of 799 actions: index <-> text, and how an index is taken apart.

The same table serves every rule preset and number of players. A longer meld is an opening and additions within one
turn.
"""

from __future__ import annotations

import difflib

import numpy as np

from banakil_env.core.cards import JOKER_TEXT, SUITS
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

# The blocks of the table, for documentation and tests: first index, count, what it does, an example.
BLOCKS = (
    (DRAW_STOCK, 1, "draw from the stock"),
    (TAKE, MAX_TAKE, "take the top k cards of the pile"),
    (OPEN_SEQUENCE, OPEN_SET - OPEN_SEQUENCE, "open a sequence of three: suit, lowest rank, wild pattern"),
    (OPEN_SET, ADD - OPEN_SET, "open a set of three Threes or Aces"),
    (ADD, ADDITIONS, "add a natural; a Two low, high; a Joker low, high"),
    (SWAP, NUM_NATURALS, "exchange a natural for a Joker"),
    (DISCARD, NUM_FACES, "discard a card"),
    (CHOOSE_MELD, MAX_MELDS, "choose the meld for the card just named"),
)


class UnknownAction(ValueError):
    """An index or text that names no action."""


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


def action_text(action: int) -> str:
    """The text of an action, such as `open 5h 2 7h`. UnknownAction: the index is not of the table."""
    if isinstance(action, bool) or not hasattr(action, "__index__") or not 0 <= action < NUM_ACTIONS:
        raise UnknownAction(f"no action has the index {action!r}: they are whole numbers from 0 to {NUM_ACTIONS - 1}")
    return ACTION_TEXTS[action]


def action_kind(action: int) -> str:
    """The first word of it: draw, take, open, add, swap, discard, meld. UnknownAction: as `action_text`."""
    return action_text(action).split()[0]


def parse_action(text: str) -> int:
    """The index of the action that `text` names. UnknownAction: there is none; the nearest texts are named."""
    action = _INDEX.get(" ".join(str(text).split()).lower())
    if action is None:
        near = difflib.get_close_matches(str(text), ACTION_TEXTS, n=3, cutoff=0.5)
        hint = f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else "."
        raise UnknownAction(
            f"no action is called {text!r}{hint} Actions are draw, take K, open CARDS, add CARD [low|high], "
            f"swap CARD, discard CARD, meld K"
        )
    return action


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


def _all_texts() -> list[str]:
    naturals = FACES.names[:TWO]
    return [
        "draw",
        *(f"take {k}" for k in range(1, MAX_TAKE + 1)),
        *(_sequence_text(action) for action in range(OPEN_SEQUENCE, OPEN_SET)),
        *(_set_text(action) for action in range(OPEN_SET, ADD)),
        *(f"add {card}" for card in naturals),
        *(f"add {wild} {end}" for wild in ("2", FACES.names[JOKER]) for end in ("low", "high")),
        *(f"swap {card}" for card in naturals),
        *(f"discard {card}" for card in FACES.names),
        *(f"meld {k}" for k in range(MAX_MELDS)),
    ]


ACTION_TEXTS = tuple(_all_texts())
_INDEX = {text.lower(): action for action, text in enumerate(ACTION_TEXTS)}
