"""Which cards are in the pack? The full one, or a smaller one that leaves some of them out (B10).

A state and an observation say it in the same fields, and in the same way: by what is missing, so that zero everywhere
is the full pack. Faces keep their numbers in every pack.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.games.banakil.faces import ALL_RANKS, JOKER, NUM_RANKS, NUM_SUITS, TWO

# `fewer_copies` is a sum of these.
ONE_OF_EACH, NO_TWOS, JOKER_LESS = 1, 2, 4


@compiled
def faces_in_pack(record: Any) -> int:
    """The faces of which there is a card, as a mask. `record`: a state or an observation."""
    below, above = wide(record.fewer_ranks[0]), wide(record.fewer_ranks[1])
    ranks = ALL_RANKS >> (below + above) << below
    suits = NUM_SUITS - wide(record.fewer_suits)
    faces = wide(0)
    for suit in range(suits):
        faces |= ranks << suit * NUM_RANKS
    if not record.fewer_copies & NO_TWOS:
        faces |= ((wide(1) << suits) - 1) << TWO
    if record.fewer_copies < 2 * JOKER_LESS:
        faces |= wide(1) << JOKER
    return faces


@compiled
def pairs_in_pack(record: Any) -> int:
    """The faces of which there are two cards, as a mask. `record`: a state or an observation."""
    faces = faces_in_pack(record)
    joker = wide(record.fewer_copies < JOKER_LESS) << JOKER
    if record.fewer_copies & ONE_OF_EACH:
        return joker
    return faces & ~(wide(1) << JOKER) | joker
