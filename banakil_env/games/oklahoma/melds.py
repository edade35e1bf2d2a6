"""Melds of Oklahoma Rummy: the openings, the cards that melds take, the places of cards, and values (O4, O5, O9).

A meld is a number as in `kit/melds/wild_melds.py`, and Twos are its wild cards. In a run they have the places of the
cards that they represent, in a set the places after the naturals. A meld of Twos is a set of the rank 2 without wild
cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import highest, lowest, only_if, popcount
from banakil_env.core.jit import compiled
from banakil_env.kit.melds import wild_melds as M
from banakil_env.kit.melds.free_sets import all_free_sets, is_free_set, set_number
from banakil_env.kit.pack52 import ACES, ALL, NUM_RANKS, NUM_SUITS, ONE_SUIT
from banakil_env.kit.pack54 import FACES, JOKER

LONGEST = 4

TWO = JOKER  # stands for a Two of any suit: this pack has no Joker
TWOS = ACES << 1
NATURALS = ALL & ~TWOS
QUEEN = FACES.parse("Qs")

SPADES, QUEEN_PLACE = M.RUN + NUM_SUITS - 1, QUEEN % NUM_RANKS  # the kind of a run, and the Queen's place there
QUEENS, MELD_OF_TWOS = M.SET + QUEEN_PLACE, M.SET + 1  # kinds of sets

# Openings ------------------------------------------------------------------------------------------------------------


def _can_be_opened(run: M.Opening) -> bool:
    """Return whether a run can be opened: if it has the place of the 2, a Two is there (O1.3).

    A run in which a Two represents the Queen of spades must have no second Two (O5.4).
    """
    wild = {place: is_wild for place, _, is_wild in M.places_of(run.meld)}
    stands_for_queen = run.meld & 31 == SPADES and wild.get(QUEEN_PLACE, False)
    return wild.get(1, True) and not (stands_for_queen and sum(wild.values()) > 1)


RUNS = [run for run in M.all_runs("2") if _can_be_opened(run)]
SETS = all_free_sets("2", [rank for rank in range(NUM_RANKS) if rank != 1])
OPEN_TWOS = M.Opening("open 2 2 2", (), 1, set_number(MELD_OF_TWOS, (), 0))  # the hand determines the Twos
OPENINGS = [*RUNS, *SETS, OPEN_TWOS]

MELDS = np.array([each.meld for each in OPENINGS], np.int64)
RUN_ROWS = M.rows_of_runs(RUNS)
RUN_NEEDS, SET_NEEDS = (np.array([each.needs for each in openings], np.int64) for openings in (RUNS, SETS))

# The three cards of every opening in the order of their places, a Two as TWO.
CARDS = np.array(
    [[TWO if is_wild else face for _, face, is_wild in M.places_of(each.meld)] or [TWO] * 3 for each in OPENINGS],
    np.int64,
)


# Melds on the table --------------------------------------------------------------------------------------------------


@compiled
def takes(meld: int, different: bool) -> int:
    """Return the cards that can be added to a meld, as a mask of faces, LOW and HIGH (O4, O5.4, O6.2).

    `different`: the naturals of a set must be of different suits.
    """
    kind, places, wilds = M.kind_of(meld), M.places_in(meld), M.wilds_in(meld)
    if popcount(places) >= LONGEST:
        return 0
    if kind == MELD_OF_TWOS:
        return 1 << M.HIGH
    if kind >= M.SET:
        return ACES << (kind - M.SET) & ~only_if(different, M.naturals_in(meld)) | 1 << M.HIGH
    taken = M.run_takes(meld, LONGEST) & ~TWOS
    if kind == SPADES and wilds:
        queen = wilds >> QUEEN_PLACE & 1 != 0
        taken &= ~only_if(queen or lowest(places) == QUEEN_PLACE + 1, 1 << M.LOW)
        taken &= ~only_if(queen or highest(places) == QUEEN_PLACE - 1, 1 << M.HIGH)
    return taken


@compiled
def is_meld(meld: int) -> bool:
    """Return whether a number is a meld (O4, O5). A set may have a suit twice."""
    kind, places, wilds = M.kind_of(meld), M.places_in(meld), M.wilds_in(meld)
    count = popcount(places)
    if kind == 0 or kind > M.LAST_KIND or wilds & ~places or places == wilds or count < 3 or count > LONGEST:
        return False
    if kind < M.SET:
        steps, queen = places >> lowest(places), kind == SPADES and wilds >> QUEEN_PLACE & 1 != 0
        return steps & (steps + 1) == 0 and (places & ~wilds) & 2 == 0 and not (queen and popcount(wilds) > 1)
    return is_free_set(places, wilds) and not (kind == MELD_OF_TWOS and wilds)


# Values --------------------------------------------------------------------------------------------------------------

# Values of naturals by rank. The 2 is worth 5 at its place in a run (O9.3).
_RANKS = [20, *[5] * 6, *[10] * 6]
_QUEEN_MELDED, _QUEEN_HELD, _TWO_MELDED, _TWO_HELD = 50, 100, 25, 20


def _values_at() -> Any:
    """Return the points of cards in melds, int64, by the kind of the meld and the place in it (O9.1, O9.2, O9.3)."""
    values = np.zeros((M.LAST_KIND + 1, M.NUM_PLACES), np.int64)
    values[M.RUN : M.SET] = [*_RANKS, _RANKS[0]]
    values[M.SET :] = np.array(_RANKS)[:, None]
    values[MELD_OF_TWOS] = _TWO_MELDED
    values[SPADES, QUEEN_PLACE] = _QUEEN_MELDED
    values[QUEENS, [QUEEN // NUM_RANKS, QUEEN // NUM_RANKS + M.SECOND]] = _QUEEN_MELDED
    return values


VALUES_AT = _values_at()

# Values of the cards in a hand, by face (O9.4).
HELD = np.array([*_RANKS * NUM_SUITS, 0], np.int64)
HELD[[face for face in range(JOKER) if TWOS >> face & 1]] = _TWO_HELD
HELD[QUEEN] = _QUEEN_HELD


@compiled
def value_of(meld: int) -> int:
    """Return the value of a meld, in points."""
    value, places = 0, M.places_in(meld)
    while places:
        value += VALUES_AT[M.kind_of(meld), lowest(places)]
        places &= places - 1
    return value


# Cards as actions ----------------------------------------------------------------------------------------------------

# The naturals in the order in which actions name them: twelve per suit, without the Two.
NAMED = [face for face in range(JOKER) if NATURALS >> face & 1]
NUM_NAMED, QUEEN_NAMED = len(NAMED), NAMED.index(QUEEN)
NUM_ADDED = NUM_NAMED + 2  # with a Two low and a Two high at the end


@compiled
def named_bits(cards: int) -> int:
    """Convert a mask of natural cards to a mask of indices in NAMED, the cards that actions name."""
    bits = 0
    for suit in range(NUM_SUITS):
        own = cards >> NUM_RANKS * suit & ONE_SUIT
        bits |= (own & 1 | own >> 1 & ~1) << (NUM_RANKS - 1) * suit
    return bits
