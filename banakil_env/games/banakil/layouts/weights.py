"""Counts half points and cards in one number.

A layout is judged by two sums: the half points laid down and the number of cards laid down. The solver packs them into
one integer, with the sum that matters first in the high bits. `max` and `+` then compare and add both sums.
"""

from __future__ import annotations

from typing import NamedTuple

from banakil_env.core.bits import popcount
from banakil_env.core.jit import inlined
from banakil_env.games.banakil.faces import JOKER_VALUE, TWO_VALUE
from banakil_env.games.banakil.melds import value_of_ranks

BY_VALUE, BY_CARDS = range(2)  # the sum that is maximized first: half points, or cards
# Bits of the low part. Both sums are below 512 (216 half points and 106 cards in the whole pack). The low part is
# negative if a Joker comes out of a meld and stays in the hand.
_LOW_BITS = 10


class Weights(NamedTuple):
    """The weights of one half point and of one card in a packed sum, and the value of an Ace."""

    half_point: int
    card: int
    ace_value: int  # in half points (B9.7)


@inlined
def weights_of(by: int, ace_value: int) -> Weights:
    """Return the weights for an aim, BY_VALUE or BY_CARDS; `ace_value` is in half points."""
    high, low = 1 << _LOW_BITS, 1
    return Weights(high if by == BY_VALUE else low, low if by == BY_VALUE else high, ace_value)


@inlined
def two_weight(weights: Weights) -> int:
    """Return the weight of a Two laid down."""
    return TWO_VALUE * weights.half_point + weights.card


@inlined
def joker_weight(weights: Weights) -> int:
    """Return the weight of a Joker laid down."""
    return JOKER_VALUE * weights.half_point + weights.card


@inlined
def naturals_weight(weights: Weights, ranks: int) -> int:
    """Return the weight of one natural of each rank in the mask `ranks`."""
    return value_of_ranks(ranks, weights.ace_value) * weights.half_point + popcount(ranks) * weights.card


def packed(value: int, cards: int, by: int) -> int:
    """Pack half points and cards into one number; `by` (BY_VALUE or BY_CARDS) is the sum in the high bits.

    `laid_cards` reads the cards back.
    """
    return (value << _LOW_BITS) + cards if by == BY_VALUE else (cards << _LOW_BITS) + value


@inlined
def _high_part(total: int) -> int:
    return (total + (1 << _LOW_BITS - 1)) >> _LOW_BITS


@inlined
def _low_part(total: int) -> int:
    return ((total + (1 << _LOW_BITS - 1)) & ((1 << _LOW_BITS) - 1)) - (1 << _LOW_BITS - 1)


@inlined
def laid_cards(total: int, by: int) -> int:
    """Return the number of cards in a packed sum, by which the hand shrinks if everything is laid down.

    `by` is the aim with which `total` was packed.
    """
    return _low_part(total) if by == BY_VALUE else _high_part(total)
