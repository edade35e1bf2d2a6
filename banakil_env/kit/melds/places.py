"""The places of cards in runs where an Ace is low or high: A 2 .. K are places 0 to 12 of a suit, an Ace also 13.

A place mask has 14 bits for each suit.
"""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS, ONE_SUIT

NUM_PLACES = NUM_RANKS + 1


@compiled
def in_places(cards: int) -> int:
    """The places that natural cards can have in runs."""
    places = 0
    for suit in range(NUM_SUITS):
        ranks = cards >> NUM_RANKS * suit & ONE_SUIT
        places |= (ranks | (ranks & 1) << NUM_RANKS) << NUM_PLACES * suit
    return places
