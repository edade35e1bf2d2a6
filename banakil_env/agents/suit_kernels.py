"""Compiled loops of the first layer that treats all suits alike (`sparse_suits.py`), over features that are mostly
zero.

They check the numbers of features and the places in their arguments, as the loops of `sparse_kernels.py` do.
"""

from __future__ import annotations

from typing import Any

from banakil_env.agents.sparse_kernels import TABLE, add_times, copy_row, row_without_feature
from banakil_env.core.features import NOWHERE
from banakil_env.core.jit import INT, Library, compiled, read, written


@compiled
def _are_places(
    inputs: Any, suits: Any, ranks: Any, planes: int, suit_rows: int, plain_inputs: int, num_suits: int, num_ranks: int
) -> bool:
    """Whether every feature has an existing input, suit and rank as its destination."""
    for column in range(inputs.shape[0]):
        which, suit, rank = inputs[column], suits[column], ranks[column]
        if suit == NOWHERE:
            most = plain_inputs
        elif rank == NOWHERE:
            most = suit_rows
        else:
            most = planes
        if which < 0 or which >= most:
            return False
        if suit != NOWHERE and (suit < 0 or suit >= num_suits):
            return False
        if suit != NOWHERE and rank != NOWHERE and (rank < 0 or rank >= num_ranks):
            return False
    return True


@compiled
def _window(rank: int, reach: int, ranks: int) -> Any:
    """The ranks that a card of this rank contributes to.

    Returns:
        The lowest rank, the rank after the highest, and the place of the lowest in the window of `reach` ranks.
    """
    low, high = max(rank - reach // 2, 0), min(rank + reach // 2 + 1, ranks)
    return low, high, low - rank + reach // 2


def _spread(
    columns: Any,
    values: Any,
    lengths: Any,
    rows: Any,
    inputs: Any,
    suits: Any,
    ranks: Any,
    near: Any,
    along: Any,
    plain: Any,
    base: Any,
    bias: Any,
    places: Any,
    others: Any,
    channels: int,
    first: int,
    last: int,
) -> int:
    """Compute the outputs of `suit_layer`; arrays with channels have the form that `_flat` returns."""
    reach, num_ranks = near.shape[1] // channels, along.shape[1] // channels
    wrong = row_without_feature(columns, lengths, rows, inputs.shape[0], first, last)
    if wrong >= 0:
        return wrong
    if not _are_places(inputs, suits, ranks, near.shape[0], along.shape[0], plain.shape[0], places.shape[1], num_ranks):
        return first
    for i in range(first, last):
        row = rows[i]
        for suit in range(places.shape[1]):
            copy_row(places[i, suit], base)
        copy_row(others[i], bias)
        for k in range(lengths[row]):
            column, amount = columns[row, k], values[row, k]
            which, suit, rank = inputs[column], suits[column], ranks[column]
            if suit == NOWHERE:
                add_times(others[i], plain[which], amount)
                continue
            to = places[i, suit]
            if rank == NOWHERE:
                add_times(to, along[which], amount)
            else:
                low, high, begin = _window(rank, reach, num_ranks)
                add_times(to[low * channels : high * channels], near[which, begin * channels :], amount)
    return -1


def _collect(
    columns: Any,
    values: Any,
    lengths: Any,
    rows: Any,
    inputs: Any,
    suits: Any,
    ranks: Any,
    by_places: Any,
    by_others: Any,
    near: Any,
    along: Any,
    plain: Any,
    channels: int,
    first: int,
    last: int,
) -> int:
    """Add up the gradients of the weights; arrays with channels have the form that `_flat` returns."""
    reach, num_ranks = near.shape[1] // channels, along.shape[1] // channels
    wrong = row_without_feature(columns, lengths, rows, inputs.shape[0], first, last)
    if wrong >= 0:
        return wrong
    num_suits = by_places.shape[1]
    if not _are_places(inputs, suits, ranks, near.shape[0], along.shape[0], plain.shape[0], num_suits, num_ranks):
        return first
    for i in range(first, last):
        row = rows[i]
        for k in range(lengths[row]):
            column, amount = columns[row, k], values[row, k]
            which, suit, rank = inputs[column], suits[column], ranks[column]
            if suit == NOWHERE:
                add_times(plain[which], by_others[i], amount)
                continue
            of = by_places[i, suit]
            if rank == NOWHERE:
                add_times(along[which], of, amount)
            else:
                low, high, begin = _window(rank, reach, num_ranks)
                to = near[which, begin * channels : (begin + high - low) * channels]
                add_times(to, of[low * channels : high * channels], amount)
    return -1


_SUITS = Library("suit_networks")
_GIVEN = {
    **TABLE,
    **{name: read("i2", "features") for name in ("inputs", "suits", "ranks")},
}
_WEIGHTS = {
    "near": ("planes", "reach_channels"),
    "along": ("suit_rows", "rank_channels"),
    "plain": ("plain_inputs", "wide"),
}
_SUMS = {"places": ("n", "num_suits", "rank_channels"), "others": ("n", "wide")}
_LAST = {"channels": INT, "first": INT, "last": INT}

SPREAD = _SUITS.entry(
    _spread,
    {
        **_GIVEN,
        **{name: read("f4", *dims) for name, dims in _WEIGHTS.items()},
        "base": read("f4", "rank_channels"),
        "bias": read("f4", "wide"),
        **{name: written("f4", *dims) for name, dims in _SUMS.items()},
        **_LAST,
    },
    result=True,
    long=True,
    reordered=True,
)
COLLECT = _SUITS.entry(
    _collect,
    {
        **_GIVEN,
        **{f"by_{name}": read("f4", *dims) for name, dims in _SUMS.items()},
        **{name: written("f4", *dims) for name, dims in _WEIGHTS.items()},
        **_LAST,
    },
    result=True,
    long=True,
    reordered=True,
)
