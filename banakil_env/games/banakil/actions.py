"""The table of 799 actions: their texts, and the first action of each block.

The same table serves every rule preset and number of players. A longer meld is an opening followed by additions in the
same turn.
"""

from __future__ import annotations

from banakil_env.core.actions import ActionTable, Block
from banakil_env.games.banakil.faces import FACES, JOKER, PACK_SIZE, TWO
from banakil_env.games.banakil.openings import SEQUENCES, SETS, Opening
from banakil_env.games.banakil.rules import HAND_SIZE

# The most melds on the table: every meld has three cards or more.
MAX_MELDS = PACK_SIZE // 3

# The most cards that a seat can take. Between turns the hand and the melds of each player together never have fewer
# than 18 cards, so pile and stock together never have more than 106 - 2 * 18. Packs and hands of other sizes are
# invalid if they could exceed this (B10.4).
MAX_TAKE = PACK_SIZE - 2 * HAND_SIZE


def _open_block(name: str, note: str, openings: tuple[Opening, ...]) -> Block:
    texts, cards = tuple(each.text for each in openings), tuple(each.naturals for each in openings)
    middle = tuple(each.middle for each in openings if each.middle is not None)
    return Block(
        *(name, note, texts, cards, tuple(each.pattern for each in openings)), middle=middle, effect="open_meld"
    )


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
    FACES.block("add", "add a natural", TWO),
    Block(
        "add_wild",
        "add a Two or a Joker at the low or the high end",
        tuple(f"add {wild} {end}" for wild in ("2", FACES.names[JOKER]) for end in ("low", "high")),
        pattern=(0, 1, 2, 3),
        effect="add",
    ),
    FACES.block("swap", "exchange a natural for a Joker", TWO, effect="add"),
    FACES.block("discard", "discard a card"),
    Block(
        "meld",
        "choose the meld for the card just named",
        tuple(f"meld {k}" for k in range(MAX_MELDS)),
        subject="meld",
        verb="choose",
        effect="choose_meld",
    ),
)

NUM_ACTIONS = len(ACTIONS)

DRAW_STOCK, TAKE, OPEN_SEQUENCE, OPEN_SET, ADD, ADD_TWO_LOW, SWAP, DISCARD, CHOOSE_MELD = (
    ACTIONS.first(block.name) for block in ACTIONS.blocks
)  # TAKE + k - 1 takes k cards
ADD_JOKER_LOW = ADD_TWO_LOW + 2  # follows a Two low and a Two high; a Joker high is the last addition
ADDITIONS = SWAP - ADD
action_text, parse_action = ACTIONS.text, ACTIONS.parse
