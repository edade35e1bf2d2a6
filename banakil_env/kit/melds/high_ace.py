"""Runs in which the Ace is low or high (A 2 3 and Q K A) but never in the middle: for games that allow both.

These functions replace those with the same names in `runs_and_sets`, which also has the functions about sets. Here the
ranks are cyclic: the Ace is above the King. A run begins with any card except a King, so that it never continues beyond
the Ace.
"""

from __future__ import annotations

import numpy as np

from banakil_env.core.actions import Block
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.melds import runs_and_sets
from banakil_env.kit.melds.runs_and_sets import NUM_SETS, is_run, packed_suits, pair_ranks, set_ranks
from banakil_env.kit.pack52 import ACES, FACES, KINGS, NUM_RANKS, NUM_SUITS, cards_of, mask_of, ranks_in

NUM_LOWEST = NUM_RANKS - 1  # a run of three begins at A..Q
NUM_RUNS = NUM_SUITS * NUM_LOWEST

_RUNS = [
    tuple(suit * NUM_RANKS + (low + place) % NUM_RANKS for place in range(3))
    for suit in range(NUM_SUITS)
    for low in range(NUM_LOWEST)
]
OPEN_RUN = Block(
    *("open_run", "open a run: suit, lowest rank", tuple(f"open {FACES.text(run)}" for run in _RUNS), tuple(_RUNS)),
    middle=tuple(run[1] for run in _RUNS),
    effect="open_meld",
)

# The three cards of each opening, as masks: runs, then sets.
OPENINGS = np.concatenate(
    [np.array([mask_of(run) for run in _RUNS], np.int64), runs_and_sets.OPENINGS[runs_and_sets.NUM_RUNS :]]
)
assert len(OPENINGS) == NUM_RUNS + NUM_SETS


@inlined
def above(cards: int) -> int:
    """The mask of the next higher cards in the same suits; the Ace is above the King."""
    return (cards & ~KINGS) << 1 | (cards & KINGS) >> NUM_RANKS - 1


@inlined
def below(cards: int) -> int:
    """The mask of the next lower cards in the same suits; the King is below the Ace."""
    return (cards & ~ACES) >> 1 | (cards & ACES) << NUM_RANKS - 1


@inlined
def run_starts(cards: int) -> int:
    """The lowest cards of all runs of three among these cards."""
    return cards & below(cards) & below(below(cards)) & ~KINGS


@inlined
def in_runs(cards: int) -> int:
    """The cards of the mask that are in a run of three or more; an Ace can be in two runs."""
    starts = run_starts(cards)
    return starts | above(starts) | above(above(starts))


@inlined
def melded(cards: int) -> int:
    """The cards of the mask that are in a run or set."""
    return in_runs(cards) | cards & cards_of(set_ranks(cards))


@inlined
def completing(cards: int) -> int:
    """The mask of other cards that complete a run or set with two cards of this mask."""
    first, second, third = cards & ~KINGS, below(cards) & ~KINGS, below(below(cards)) & ~KINGS
    runs = second & third | above(first & third) | above(above(first & second))
    return (runs | cards_of(pair_ranks(cards))) & ~cards


@compiled
def run_openings(cards: int) -> int:
    """The runs that can be opened with these cards, with a bit for each action of OPEN_RUN."""
    return packed_suits(run_starts(cards), NUM_LOWEST)


@inlined
def places(runs: int, sets: int) -> int:
    """The cards that fit a meld on the table: the neighbors of a run, and the fourth card of a set.

    No card is laid next to an Ace, since the Ace is an end of its run.
    """
    inner = runs & ~ACES
    return (above(inner) | below(inner) | cards_of(ranks_in(sets))) & ~(runs | sets)


@inlined
def takes(meld: int) -> int:
    """The cards that fit a meld, as a mask."""
    return places(meld, 0) if is_run(meld) else places(0, meld)
