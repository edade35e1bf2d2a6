"""What does a hand promise in a game of contracts? For players that do not look ahead, out of an observation.

The promise is what the best beginnings of sets and runs are worth, as many as a contract asks for and one more of each
kind. Beginnings whose missing cards are all gone count for nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.masks import legal_at
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS
from banakil_env.kit.pack54 import JOKER
from banakil_env.kit.seen import RUN

# What a set with so many naturals is worth, and a run of four; a spare one is worth half of that.
SET_WORTH = np.array([0, 2, 10, 24], np.int64)
RUN_WORTH = np.array([0, 1, 6, 16, 28], np.int64)


@compiled
def held_in(seen: Any, copies: int) -> int:
    """The naturals of the hand held at least so often, as a mask."""
    cards = wide(0)
    for face in range(JOKER):
        cards |= wide(seen.hand[face] >= copies) << face
    return cards


@compiled
def gone_in(seen: Any) -> int:
    """The naturals of which no card is hidden, as a mask."""
    gone = wide(0)
    for face in range(JOKER):
        gone |= wide(seen.hand[face] + seen.table[face] + seen.discards[face] >= K.COPIES) << face
    return gone


@compiled
def promise(one: int, two: int, gone: int, sets: int, runs: int, apart: bool = False) -> int:
    """What the best beginnings of so many sets and runs are worth, and one more of each kind that is asked for.

    Args:
        one, two: the naturals held, and held twice. gone: see `gone_in`.
        apart: no two runs may be of one suit.
    """
    worth, hidden = wide(0), ~gone & wide((1 << JOKER) - 1)
    alive = W.windows_with(W.places_of(one | hidden), wide(0))
    for number in range(runs + (runs > 0)):
        window, held = _best_window(one, alive)
        if held == 0:
            break
        worth += RUN_WORTH[held] if number < runs else RUN_WORTH[held] // 2
        cards = W.NEED_ONE[W.row_of_run(window, wide(0))] & one
        one, two = W.first_left(one, two, cards, wide(0)), two & ~cards
        if apart:
            alive &= ~(wide(W.ONE_RUN) << window // W.NUM_PLACES * W.NUM_PLACES)
    for number in range(sets + (sets > 0)):
        rank, held = _best_rank(one, two, hidden)
        if held == 0:
            break
        worth += SET_WORTH[held] if number < sets else SET_WORTH[held] // 2
        taken = wide(0)
        for layer in range(2):
            for suit in range(NUM_SUITS):
                card = wide(1) << suit * NUM_RANKS + rank
                if taken < held and (two if layer == 0 else one) & card:
                    taken += 1
                    one, two = W.first_left(one, two, card, wide(0)), two & ~card
    return worth


@compiled
def _best_window(one: int, alive: int) -> Any:
    """The run of four with the most cards held, by its lowest place, and how many they are."""
    places = W.places_of(one)
    first, second, third, fourth = places, places >> 1, places >> 2, places >> 3
    odd, other = first ^ second, third ^ fourth
    both, both_other = first & second, third & fourth
    four = both & both_other & alive
    three = (both & other | both_other & odd) & alive
    two = (both | both_other | odd & other) & alive
    some = (odd | other) & alive
    for held, windows in ((4, four), (3, three), (2, two), (1, some)):
        if windows:
            return lowest(windows), wide(held)
    return wide(0), wide(0)


@compiled
def _best_rank(one: int, two: int, hidden: int) -> Any:
    """The rank with the most cards held, at most three of them, and how many; pairs only with a third card hidden."""
    best, most = wide(0), wide(0)
    ones, twos, fours, eights = W.numbers_by_rank(one, two)
    there = hidden | hidden >> NUM_RANKS | hidden >> 2 * NUM_RANKS | hidden >> 3 * NUM_RANKS
    for held, ranks in ((3, twos & ones | fours | eights), (2, twos & there), (1, ones & there)):
        if ranks:
            return lowest(ranks & (1 << NUM_RANKS) - 1), wide(held)
    return best, most


@inlined
def was_down(seen: Any) -> bool:
    """Whether the seat has melds of earlier turns."""
    return seen.down[0] != 0 and not (seen.first and seen.active[0])


@compiled
def upcard_of(seen: Any) -> int:
    """The face of the upcard."""
    return wide(seen.pile[seen.pile_size - 1]) - 1


@compiled
def choose_run(seen: Any, mask: Any, first: int) -> int:
    """The meld to choose: a run rather than a set, for it makes room for more. `first` is the first such action."""
    for slot in range(W.MAX_MELDS):
        if mask[first + slot] and seen.meld_kind[slot] == RUN:
            return first + slot
    return legal_at(mask, wide(0))
