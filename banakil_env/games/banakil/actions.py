"""What can be said? The one table of 799 actions: index <-> text, and where each block begins.

The same table serves every rule preset and number of players. A longer meld is an opening and additions within one
turn.
"""

from __future__ import annotations

from banakil_env.core.actions import ActionTable, Block
from banakil_env.games.banakil.faces import FACES, JOKER, NUM_FACES, NUM_NATURALS, PACK_SIZE, TWO
from banakil_env.games.banakil.openings import NUM_LOWEST as NUM_LOWEST
from banakil_env.games.banakil.openings import NUM_NATURAL_SETS as NUM_NATURAL_SETS
from banakil_env.games.banakil.openings import NUM_PATTERNS as NUM_PATTERNS
from banakil_env.games.banakil.openings import NUM_SET_PATTERNS as NUM_SET_PATTERNS
from banakil_env.games.banakil.openings import SEQUENCES, SETS, Opening
from banakil_env.games.banakil.openings import SET_SUITS as SET_SUITS
from banakil_env.games.banakil.rules import HAND_SIZE

# Every meld has three cards or more: 106 // 3.
MAX_MELDS = PACK_SIZE // 3

# A player's hand and melds never have fewer than 18 cards between turns, so pile and stock never more than 106 - 2 *
# 18. Packs and hands of other sizes are refused when they could give more (B10.4).
MAX_TAKE = PACK_SIZE - 2 * HAND_SIZE

ADDITIONS = NUM_NATURALS + 4  # naturals, then a Two low, a Two high, a Joker low, a Joker high

DRAW_STOCK = 0
TAKE = DRAW_STOCK + 1  # TAKE + k - 1 takes k cards
OPEN_SEQUENCE = TAKE + MAX_TAKE
OPEN_SET = OPEN_SEQUENCE + len(SEQUENCES)
ADD = OPEN_SET + len(SETS)
ADD_TWO_LOW, ADD_TWO_HIGH, ADD_JOKER_LOW, ADD_JOKER_HIGH = range(ADD + NUM_NATURALS, ADD + ADDITIONS)
SWAP = ADD + ADDITIONS
DISCARD = SWAP + NUM_NATURALS
CHOOSE_MELD = DISCARD + NUM_FACES
NUM_ACTIONS = CHOOSE_MELD + MAX_MELDS


_NATURALS = FACES.names[:TWO]


def _open_block(name: str, note: str, openings: tuple[Opening, ...]) -> Block:
    texts, cards = tuple(each.text for each in openings), tuple(each.naturals for each in openings)
    middle = tuple(each.middle for each in openings if each.middle is not None)
    return Block(name, note, texts, cards, tuple(each.pattern for each in openings), middle=middle)


ACTIONS = ActionTable(
    Block("draw", "draw from the stock", ("draw",)),
    Block(
        "take",
        "take the top k cards of the pile",
        tuple(f"take {k}" for k in range(1, MAX_TAKE + 1)),
        subject="depth",
    ),
    _open_block("open_sequence", "open a sequence of three: suit, lowest rank, wild pattern", SEQUENCES),
    _open_block("open_set", "open a set of three Threes or Aces", SETS),
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
action_text, parse_action = ACTIONS.text, ACTIONS.parse

# The compiled functions know the table by the numbers above.
assert [ACTIONS.first(name) for name in ("draw", "take", "open_sequence", "open_set", "add", "swap", "discard")] == [
    DRAW_STOCK, TAKE, OPEN_SEQUENCE, OPEN_SET, ADD, SWAP, DISCARD
]  # fmt: skip
assert ACTIONS.first("meld") == CHOOSE_MELD
assert len(ACTIONS) == NUM_ACTIONS
