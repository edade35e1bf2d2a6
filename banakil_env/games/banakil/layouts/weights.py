"""Half points and cards, counted in one number.

A layout is judged by two sums: the half points laid down and the number of cards laid down. The solver packs them into
one integer, the sum that matters first in the high bits, so that `max` and `+` compare and add both.
"""

from __future__ import annotations

from typing import NamedTuple

from banakil_env.core.bits import popcount
from banakil_env.core.jit import inlined
from banakil_env.games.banakil.faces import JOKER_VALUE, TWO_VALUE
from banakil_env.games.banakil.melds import value_of_ranks

BY_VALUE, BY_CARDS = range(2)  # what is maximised first: half points, or cards
# Bits of the low part. Both sums stay below 512 (216 half points and 106 cards in the whole pack); the low part may be
# negative, when a Joker comes out of a meld and stays in the hand.
_LOW_BITS = 10


class Weights(NamedTuple):
    """The share of one half point and of one card in a packed sum, and the value of an Ace."""

    half_point: int
    card: int
    ace_value: int  # in half points (B9.7)


@inlined
def weights_of(by: int, ace_value: int) -> Weights:
    """The weights for an aim, BY_VALUE or BY_CARDS."""
    high, low = 1 << _LOW_BITS, 1
    return Weights(high if by == BY_VALUE else low, low if by == BY_VALUE else high, ace_value)


@inlined
def two_weight(weights: Weights) -> int:
    """The weight of a Two laid down."""
    return TWO_VALUE * weights.half_point + weights.card


@inlined
def joker_weight(weights: Weights) -> int:
    """The weight of a Joker laid down."""
    return JOKER_VALUE * weights.half_point + weights.card


@inlined
def naturals_weight(weights: Weights, ranks: int) -> int:
    """The weight of one natural of every rank in the mask."""
    return value_of_ranks(ranks, weights.ace_value) * weights.half_point + popcount(ranks) * weights.card


def packed(value: int, cards: int, by: int) -> int:
    """Half points and cards as one number; `laid_cards` reads the cards back."""
    return (value << _LOW_BITS) + cards if by == BY_VALUE else (cards << _LOW_BITS) + value


@inlined
def _high_part(total: int) -> int:
    return (total + (1 << _LOW_BITS - 1)) >> _LOW_BITS


@inlined
def _low_part(total: int) -> int:
    return ((total + (1 << _LOW_BITS - 1)) & ((1 << _LOW_BITS) - 1)) - (1 << _LOW_BITS - 1)


@inlined
def laid_cards(total: int, by: int) -> int:
    """Number of cards by which the hand shrinks after everything is laid down."""
    return _low_part(total) if by == BY_VALUE else _high_part(total)
