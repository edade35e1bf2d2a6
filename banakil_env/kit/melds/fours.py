"""Finds the cards of a hand in melds of the games of contracts: runs of four, and sets that can have equal cards.

The natural cards of a hand are two masks: the faces that it holds, and those that it holds twice.
"""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.kit.melds.free_sets import tripled
from banakil_env.kit.melds.places import NUM_PLACES, in_places
from banakil_env.kit.melds.runs_and_sets import pair_ranks
from banakil_env.kit.melds.wild_melds import down, in_faces, up
from banakil_env.kit.pack52 import ALL, NUM_SUITS, cards_of, ranks_in

# A run of four begins at one of these places of each suit: from the low Ace to the Jack.
_STARTS = sum(((1 << NUM_PLACES - 3) - 1) << NUM_PLACES * suit for suit in range(NUM_SUITS))


@compiled
def melded_by_fours(one: int, two: int) -> int:
    """The cards of the mask `one` that are in a run of four or in a set; `two` has the cards held twice."""
    places = in_places(one)
    starts = places & places >> 1 & places >> 2 & places >> 3 & _STARTS
    return in_faces(starts | starts << 1 | starts << 2 | starts << 3) | one & cards_of(tripled(one, two))


@compiled
def completing_by_fours(one: int, two: int) -> int:
    """The other natural cards that complete a run of four with three of these, or a set with two."""
    above = up(in_places(one))
    below = down(in_places(one))
    above_two, below_two = above & up(above), below & down(below)
    runs = above_two & up(up(above)) | above_two & below | above & below_two | below_two & down(down(below))
    return (in_faces(runs) | cards_of(pair_ranks(one) | ranks_in(two))) & ALL & ~one
