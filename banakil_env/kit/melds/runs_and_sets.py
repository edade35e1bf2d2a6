"""Runs of a suit and sets of a rank from one pack of 52 cards: openings, and cards laid off on melds.

A meld is one mask of its cards: a run (three or more cards of one suit in consecutive ranks, with the Ace low), or a
set (three or four cards of one rank). A meld is opened with three cards and grows card by card. Each card exists once,
so melds can be processed together: below, `runs` and `sets` are the cards in all runs and in all sets on the table.

In some games the Ace is also high (Q K A). The functions about hands in these games are in the module `high_ace`. The
functions about melds on the table and in texts are here, with an argument `high_ace` where it matters.
"""

from __future__ import annotations

import itertools

import numpy as np

from banakil_env.core.actions import Block
from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.pack52 import (
    ACES,
    FACES,
    NUM_RANKS,
    NUM_SUITS,
    ONE_SUIT,
    above,
    below,
    cards_of,
    faces_of,
    mask_of,
    ranks_in,
)

# Every meld has at least three of the 52 cards.
MAX_MELDS = len(FACES) // 3

NUM_LOWEST = NUM_RANKS - 2  # a run of three begins at A..J
NUM_RUNS = NUM_SUITS * NUM_LOWEST
NUM_SETS = NUM_RANKS * NUM_SUITS

_RUNS = [
    tuple(suit * NUM_RANKS + low + place for place in range(3))
    for suit in range(NUM_SUITS)
    for low in range(NUM_LOWEST)
]
_SETS = [
    tuple(suit * NUM_RANKS + rank for suit in suits)
    for rank in range(NUM_RANKS)
    for suits in itertools.combinations(range(NUM_SUITS), 3)
]


def _block(name: str, note: str, melds: list[tuple[int, ...]], middle: tuple[int, ...] = ()) -> Block:
    texts = tuple(f"open {FACES.text(cards)}" for cards in melds)
    return Block(name, note, texts, tuple(melds), middle=middle, effect="open_meld")


OPEN_RUN = _block("open_run", "open a run: suit, lowest rank", _RUNS, tuple(run[1] for run in _RUNS))
OPEN_SET = _block("open_set", "open a set: rank, three of the four suits", _SETS)

CHOOSE_MELD = Block(
    "meld",
    "the meld for the card just named",
    tuple(f"meld {k}" for k in range(MAX_MELDS)),
    subject="meld",
    verb="choose",
    effect="choose_meld",
)

# The three cards of each opening, as masks: runs, then sets.
OPENINGS = np.array([mask_of(cards) for cards in _RUNS + _SETS], np.int64)

_STARTS = sum(((1 << NUM_LOWEST) - 1) << NUM_RANKS * suit for suit in range(NUM_SUITS))


@inlined
def run_starts(cards: int) -> int:
    """The lowest cards of all runs of three among these cards."""
    return cards & cards >> 1 & cards >> 2 & _STARTS


@inlined
def in_runs(cards: int) -> int:
    """The cards of the mask that are in a run of three or more."""
    starts = run_starts(cards)
    return starts | starts << 1 | starts << 2


@inlined
def set_ranks(cards: int) -> int:
    """The ranks with at least three cards in the mask, as a mask of ranks."""
    clubs, diamonds, hearts, spades = cards, cards >> NUM_RANKS, cards >> 2 * NUM_RANKS, cards >> 3 * NUM_RANKS
    return (clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)) & ONE_SUIT


@inlined
def pair_ranks(cards: int) -> int:
    """The ranks with at least two cards in the mask, as a mask of ranks."""
    clubs, diamonds, hearts, spades = cards, cards >> NUM_RANKS, cards >> 2 * NUM_RANKS, cards >> 3 * NUM_RANKS
    return (clubs & (diamonds | hearts | spades) | diamonds & (hearts | spades) | hearts & spades) & ONE_SUIT


@inlined
def melded(cards: int) -> int:
    """The cards of the mask that are in a run or set."""
    return in_runs(cards) | cards & cards_of(set_ranks(cards))


@inlined
def completing(cards: int) -> int:
    """The mask of other cards that complete a run or set with two cards of this mask."""
    up, down = above(cards), below(cards)
    return (up & down | up & above(up) | down & below(down) | cards_of(pair_ranks(cards))) & ~cards


@inlined
def near(cards: int) -> int:
    """The cards near these: cards of ranks held twice, and cards at most two ranks from one in their suit."""
    up, down = above(cards), below(cards)
    return up | above(up) | down | below(down) | cards_of(pair_ranks(cards))


@inlined
def thirds(face: int, cards: int) -> int:
    """The number of melds of three that a card forms with two of these cards."""
    card = 1 << face
    same = popcount(cards_of(ranks_in(card)) & cards & ~card)
    up, down = above(card), below(card)
    next_up, next_down = cards & above(up) != 0, cards & below(down) != 0
    is_up, is_down = cards & up != 0, cards & down != 0
    return same * (same - 1) // 2 + (is_up & next_up) + (is_up & is_down) + (is_down & next_down)


@compiled
def run_openings(cards: int) -> int:
    """The runs that can be opened with these cards, with a bit for each action of OPEN_RUN."""
    return packed_suits(run_starts(cards), NUM_LOWEST)


@compiled
def packed_suits(cards: int, ranks: int) -> int:
    """Keep the `ranks` lowest ranks of each suit, and pack the bits of all suits without gaps."""
    packed = 0
    for suit in range(NUM_SUITS):
        packed |= (cards >> NUM_RANKS * suit & (1 << ranks) - 1) << ranks * suit
    return packed


@compiled
def set_openings(cards: int) -> int:
    """The sets that can be opened with these cards, with a bit for each action of OPEN_SET."""
    openings = 0
    ranks = set_ranks(cards)
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        for i in range(NUM_SUITS * rank, NUM_SUITS * rank + NUM_SUITS):
            openings |= int(OPENINGS[NUM_RUNS + i] & ~cards == 0) << i
    return openings


@inlined
def is_run(meld: int) -> bool:
    """Whether a meld is a run. The bits of a set are thirteen places apart, those of a run are adjacent."""
    return meld & meld >> 1 != 0


@inlined
def places(runs: int, sets: int) -> int:
    """The cards that fit a meld on the table: the neighbors of a run, and the fourth card of a set."""
    return (above(runs) | below(runs) | cards_of(ranks_in(sets))) & ~(runs | sets)


@inlined
def takes(meld: int) -> int:
    """The cards that fit a meld, as a mask."""
    return places(meld, 0) if is_run(meld) else places(0, meld)


@compiled
def is_meld(cards: int, high_ace: bool = False) -> bool:
    """Whether these cards together are one meld."""
    if popcount(cards) < 3:
        return False
    low = lowest(cards)
    if cards & ~(ACES << low % NUM_RANKS) == 0:
        return True
    if cards & ~(ONE_SUIT << low - low % NUM_RANKS):
        return False
    if high_ace:
        cards = _with_ace_on_top(cards)
    steps = cards >> lowest(cards)
    return steps & (steps + 1) == 0


@inlined
def _with_ace_on_top(cards: int) -> int:
    """Move the Ace above the King in a mask of cards of one suit, if it has both."""
    low = lowest(cards)
    ace, above_king = 1 << low, 1 << low + NUM_RANKS
    return cards ^ ace ^ above_king if low % NUM_RANKS == 0 and cards & above_king >> 1 else cards


@inlined
def lowest_in_order(meld: int) -> int:
    """The lowest card of a meld, which for a run with a high Ace is the card at the other end.

    For a run of all thirteen cards it is the Ace.
    """
    low = lowest(meld)
    return low if not is_run(meld) or meld >> low & 2 else lowest(meld & (meld - 1))


@inlined
def run_from(low: int, size: int) -> int:
    """The run of `size` cards that begins with the card `low`; the inverse of `lowest_in_order`."""
    cards = ((1 << size) - 1) << low
    above_king = 1 << low - low % NUM_RANKS + NUM_RANKS
    return cards ^ above_king ^ above_king >> NUM_RANKS if cards & above_king else cards


def in_order(meld: int, high_ace: bool = False) -> list[int]:
    """The faces of a meld in order: runs from low to high, sets by suit. With `high_ace`, an Ace follows its King."""
    faces = faces_of(meld)
    ace_is_high = high_ace and faces[0] % NUM_RANKS == 0 and faces[0] + NUM_RANKS - 1 in faces
    return [*faces[1:], faces[0]] if ace_is_high else faces


def parse_meld(text: str, high_ace: bool = False) -> int:
    """Read the cards of a meld from its text, as a mask. ValueError: not a meld."""
    cards = mask_of(FACES.parse_all(text))
    if not is_meld(cards, high_ace):
        raise ValueError(
            f"{FACES.text(faces_of(cards)) or '(no cards)'} is not a meld: three or four cards of a rank, or three or "
            f"more of a suit in consecutive ranks, the Ace low{' or high' * high_ace}"
        )
    return cards
