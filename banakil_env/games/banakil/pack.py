"""The cards of the pack: the full one, or a smaller one (B10).

The rules of a state define the pack. An observation lists the missing cards: zeros are the full pack. Faces have the
same numbers in every pack.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import compiled, inlined
from banakil_env.games.banakil.faces import ACE, ALL_RANKS, COPIES, JOKER, NUM_RANKS, NUM_SUITS, TWO
from banakil_env.games.banakil.rules import HAND_SIZE, RANK_RUNS

# FEWER_RANKS: the numbers of ranks that the pack leaves out below and above, by the number of the switch `ranks`.
# RANKS_NUMBER: that number, by these two.
FEWER_RANKS = np.array([(low, ACE - high) for low, high in RANK_RUNS.values()], np.int64)
RANKS_NUMBER = np.zeros((NUM_RANKS, NUM_RANKS), np.int64)
RANKS_NUMBER[tuple(FEWER_RANKS.T)] = np.arange(len(FEWER_RANKS))

# The field `fewer_copies` of an observation is a sum of these numbers.
ONE_OF_EACH, NO_TWOS, JOKER_LESS = 1, 2, 4


@inlined
def _faces(below: int, above: int, suits: int, twos: bool, jokers: int) -> int:
    """Return the faces of which the pack has a card, as a mask.

    Args:
        below: the number of ranks left out at the low end.
        above: the number of ranks left out at the high end.
        suits: the number of suits.
        twos: whether the pack has Twos.
        jokers: the number of Jokers.
    """
    ranks = ALL_RANKS >> (below + above) << below
    faces = int(jokers != 0) << JOKER
    for suit in range(suits):
        faces |= ranks << suit * NUM_RANKS
    if twos:
        faces |= ((1 << suits) - 1) << TWO
    return faces


@inlined
def _pairs(faces: int, copies: int, jokers: int) -> int:
    """Return the faces of which the pack has two cards, as a mask.

    `faces` is the mask of all faces in the pack, `copies` the number of cards of each natural and Two, `jokers` the
    number of Jokers.
    """
    joker = 1 << JOKER
    return (faces & ~joker if copies == COPIES else 0) | int(jokers == COPIES) << JOKER


@compiled
def faces_in_pack(state: Any) -> int:
    """Return the faces of which the pack has a card, as a mask."""
    below, above = FEWER_RANKS[state.rules.ranks, 0], FEWER_RANKS[state.rules.ranks, 1]
    return _faces(below, above, state.rules.suits, state.rules.twos != 0, state.rules.jokers)


@compiled
def pairs_in_pack(state: Any) -> int:
    """Return the faces of which the pack has two cards, as a mask."""
    return _pairs(faces_in_pack(state), state.rules.copies, state.rules.jokers)


# The pack in an observation -------------------------------------------------------------------------------------------


@compiled
def write_pack(state: Any, out: Any) -> None:
    """Write into an observation the cards that the pack leaves out."""
    for end in range(2):
        out.fewer_ranks[end] = FEWER_RANKS[state.rules.ranks, end]
    out.fewer_suits = NUM_SUITS - state.rules.suits
    left_out = ONE_OF_EACH * (COPIES - state.rules.copies) + NO_TWOS * int(state.rules.twos == 0)
    out.fewer_copies = left_out + JOKER_LESS * (COPIES - state.rules.jokers)
    out.fewer_dealt = HAND_SIZE - state.rules.hand_cards


@compiled
def read_pack(seen: Any, state: Any) -> None:
    """Write the switches of the pack into a state, from an observation."""
    state.rules.ranks = RANKS_NUMBER[seen.fewer_ranks[0], seen.fewer_ranks[1]]
    state.rules.suits = NUM_SUITS - seen.fewer_suits
    state.rules.copies = copies_seen(seen)
    state.rules.twos = has_twos(seen)
    state.rules.jokers = jokers_seen(seen)
    state.rules.hand_cards = HAND_SIZE - seen.fewer_dealt


@inlined
def copies_seen(seen: Any) -> int:
    """Return the number of cards of each natural and of each Two, from an observation."""
    return COPIES - (seen.fewer_copies & ONE_OF_EACH)


@inlined
def has_twos(seen: Any) -> bool:
    """Return whether the pack has Twos, from an observation."""
    return seen.fewer_copies & NO_TWOS == 0


@inlined
def jokers_seen(seen: Any) -> int:
    """Return the number of Jokers in the pack, from an observation."""
    return COPIES - seen.fewer_copies // JOKER_LESS


@compiled
def faces_seen(seen: Any) -> int:
    """Return the faces of which the pack has a card, as a mask, from an observation."""
    suits = NUM_SUITS - seen.fewer_suits
    return _faces(seen.fewer_ranks[0], seen.fewer_ranks[1], suits, has_twos(seen), jokers_seen(seen))


@compiled
def pairs_seen(seen: Any) -> int:
    """Return the faces of which the pack has two cards, as a mask, from an observation."""
    return _pairs(faces_seen(seen), copies_seen(seen), jokers_seen(seen))
