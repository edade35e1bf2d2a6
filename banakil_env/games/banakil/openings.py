"""Every opening as a row of tables made at import: the cards that it needs, its wild cards, and the meld that it makes.

Legality, effects, texts and players read the same rows. Rows have the order of the actions from `OPEN_SEQUENCE` on:
first the sequences of three by suit, lowest rank and wild pattern, then the sets of Threes and of Aces.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from banakil_env.core.jit import inlined
from banakil_env.games.banakil.faces import ACE, FACES, JOKER, NUM_RANKS, NUM_SUITS, THREE
from banakil_env.games.banakil.melds import ACES, THREES, Meld, owned_by, with_two_of
from banakil_env.kit.cards import JOKER_TEXT

NUM_LOWEST = NUM_RANKS - 2  # a sequence of three can begin at the ranks 3 to Q

# The 13 wild patterns of a sequence of three: the places (1 to 3) of its Two and of its Joker; 0 for none.
PATTERN_TWO = np.array([0, 1, 2, 3, 0, 0, 0, 1, 1, 2, 2, 3, 3], np.int64)
PATTERN_JOKER = np.array([0, 0, 0, 0, 1, 2, 3, 2, 3, 1, 3, 1, 2], np.int64)
NUM_PATTERNS = len(PATTERN_TWO)

# The 10 sets of three of one rank: the suits of the naturals, as a mask. With two naturals the third card is a Joker.
SET_SUITS = np.array([0b0111, 0b1011, 0b1101, 0b1110, 0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100], np.int64)
NUM_SET_PATTERNS = len(SET_SUITS)
NUM_NATURAL_SETS = 4

NUM_SEQUENCES = NUM_SUITS * NUM_LOWEST * NUM_PATTERNS


class Opening(NamedTuple):
    """One opening: its text, its cards, and the meld that it makes for seat 0. The suit of a Two is not decided yet."""

    text: str
    naturals: tuple[int, ...]
    pattern: int  # the number of its wild pattern
    two: bool
    joker: bool
    free: Meld
    fixed: Meld
    on_offer: bool = True  # whether it is an action under free wilds; under fixed wilds all openings are
    middle: int | None = None  # the natural of the middle place of a sequence, even if a wild card is there


def _stands_for_its_cards(low: int, two: int, joker: int) -> bool:
    """Return whether this pattern represents its cards under free wilds, where places do not matter.

    Of all patterns with the same cards only one is an action. Its wild fills the gap, or else takes the highest place
    with room, and the Two comes before the Joker. A wild takes the first place only if the naturals are King and Ace,
    or the other wild is between.
    """
    if two and joker and two > joker:
        return False
    return low == NUM_LOWEST - 1 or 1 not in (two, joker)


def _sequences() -> Iterator[Opening]:
    for suit, low, pattern in itertools.product(range(NUM_SUITS), range(NUM_LOWEST), range(NUM_PATTERNS)):
        two, joker = int(PATTERN_TWO[pattern]), int(PATTERN_JOKER[pattern])
        naturals = [low + place for place in range(3) if place + 1 not in (two, joker)]
        cards = [FACES.names[suit * NUM_RANKS + low + place] for place in range(3)]
        if two:
            cards[two - 1] = "2"
        if joker:
            cards[joker - 1] = JOKER_TEXT
        free = Meld(1 + suit, 0, sum(1 << rank for rank in naturals), 0, int(joker > 0))
        places = {"two_at": low + two - 1} if two else {}
        places |= {"joker_at": low + joker - 1} if joker else {}
        faces = tuple(suit * NUM_RANKS + rank for rank in naturals)
        text = "open " + " ".join(cards)
        offered = _stands_for_its_cards(low, two, joker)
        fixed, middle = free._replace(**places), suit * NUM_RANKS + low + 1
        yield Opening(text, faces, pattern, two > 0, joker > 0, free, fixed, offered, middle)


def _sets() -> Iterator[Opening]:
    for aces, pattern in itertools.product(range(2), range(NUM_SET_PATTERNS)):
        suits, joker = int(SET_SUITS[pattern]), pattern >= NUM_NATURAL_SETS
        faces = tuple(suit * NUM_RANKS + (ACE if aces else THREE) for suit in range(NUM_SUITS) if suits >> suit & 1)
        text = " ".join(["open", *FACES.names_of(faces), *([JOKER_TEXT] if joker else [])])
        meld = Meld(ACES if aces else THREES, 0, suits, 0, int(joker))
        yield Opening(text, faces, int(joker), False, joker, meld, meld)


SEQUENCES, SETS = tuple(_sequences()), tuple(_sets())
OPENINGS = SEQUENCES + SETS

# The rows for compiled code. An axis of two is free wilds, then fixed wilds.
CARDS = np.array([sum(1 << face for face in each.naturals) | each.joker << JOKER for each in OPENINGS], np.int64)
USES_TWO = np.array([each.two for each in OPENINGS], np.int64)
MELDS = np.array([[each.free.pack(), each.fixed.pack()] for each in OPENINGS], np.int64)
ON_OFFER = np.array([[each.on_offer, True] for each in OPENINGS])

# All suits at once. LOWEST_CARDS: for each pattern the lowest cards of the sequences that are actions with it, as a
# mask of faces. FIRST_ROW: the row of the sequence without wild cards that begins at a face.
LOWEST_CARDS = np.zeros((NUM_PATTERNS, 2), np.int64)
FIRST_ROW = np.zeros(NUM_SUITS * NUM_RANKS, np.int64)
for _row in range(NUM_SEQUENCES):
    _low = _row // NUM_PATTERNS // NUM_LOWEST * NUM_RANKS + _row // NUM_PATTERNS % NUM_LOWEST
    FIRST_ROW[_low] = _row // NUM_PATTERNS * NUM_PATTERNS
    LOWEST_CARDS[_row % NUM_PATTERNS] |= ON_OFFER[_row].astype(np.int64) << _low


@inlined
def meld_opened(row: int, fixed: bool, owner: int, two: int) -> int:
    """Return the meld that the opening in this row makes for `owner`; `two` is 0, or 1 + the suit of its Two.

    `fixed` is true under fixed wilds (B9.5).
    """
    return with_two_of(owned_by(MELDS[row, 1 if fixed else 0], owner), two)
