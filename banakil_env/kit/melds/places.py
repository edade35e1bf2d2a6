"""Places of cards in runs with a low or high Ace: A 2 .. K are the places 0 to 12 of a suit, and an Ace is also at 13.

A place mask has 14 bits for each suit.
"""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS, ONE_SUIT

NUM_PLACES = NUM_RANKS + 1


@compiled
def in_places(cards: int) -> int:
    """The places that natural cards (a mask of faces) can have in runs, as a place mask."""
    places = 0
    for suit in range(NUM_SUITS):
        ranks = cards >> NUM_RANKS * suit & ONE_SUIT
        places |= (ranks | (ranks & 1) << NUM_RANKS) << NUM_PLACES * suit
    return places
