"""Convolutions over the ranks for features that are mostly zero: only nonzero features are multiplied.

This is the first layer of `suit_network.py`, as `sparse.py` has the first layer of `model.py`. Every nonzero feature
adds a few weights to the places around its card, which is a twentieth of the work of dense planes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from banakil_env.agents.sparse import AT_LEAST, Sparse, array_of, check_rows, in_row_threads
from banakil_env.agents.suit_kernels import COLLECT, SPREAD
from banakil_env.core.threads import in_parts


@dataclass(frozen=True)
class Where:
    """The destination of every feature, int16 (features,) each.

    Attributes:
        inputs: for a feature with suit and rank the number of its plane; with a suit only, its row of suits; with
            neither, its plain input.
        suits, ranks: the suit and the rank of the feature; NOWHERE if it has none.
    """

    inputs: npt.NDArray[np.int16]
    suits: npt.NDArray[np.int16]
    ranks: npt.NDArray[np.int16]


def suit_layer(
    x: Sparse, where: Where, num_suits: int, near: Tensor, along: Tensor, plain: Tensor, base: Tensor, bias: Tensor
) -> tuple[Tensor, Tensor]:
    """The output of the first layer for every place, and for the features without a suit.

    Args:
        x: n rows of features.
        where: the destination of every feature.
        num_suits: number of suits.
        near: float32 (planes, reach, channels), the weights of a card for the ranks around it, in ascending order.
        along: float32 (rows, ranks, channels), the weights of a feature of a suit for each of its ranks.
        plain: float32 (inputs, wide), the weights of the other features.
        base: float32 (ranks, channels), the bias of every suit.
        bias: float32 (wide,), the bias of the other features.

    Returns:
        float32 (n, suits, ranks, channels) and float32 (n, wide).
    """
    weights = [weight.contiguous() for weight in (near, along, plain, base, bias)]
    places, others = _SuitLayer.apply(*weights, x, where, num_suits)
    return places, others


# PyTorch's types do not cover the arguments of a `forward` and the decorator of a `backward`, hence `type: ignore`.


class _SuitLayer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *given: Any) -> Any:
        *weights, x, where, num_suits = given
        ctx.x, ctx.where, ctx.shapes = x, where, [weight.shape for weight in weights[:3]]
        places, others = torch.empty(len(x), num_suits, *weights[3].shape), torch.empty(len(x), len(weights[4]))
        near, along, plain, base, bias = map(array_of, weights)
        arrays = _flat(near), _flat(along), plain, _flat(base), bias, _flat(places.numpy()), others.numpy()
        in_row_threads(SPREAD, len(x), *_kernel_arguments(x, where), *arrays, near.shape[2])
        return places, others

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, by_places: Tensor, by_others: Tensor) -> Any:  # type: ignore[override]
        by_places, by_others = by_places.contiguous(), by_others.contiguous()
        arrays = (*_kernel_arguments(ctx.x, ctx.where), _flat(array_of(by_places)), array_of(by_others))

        def call(first: int, last: int) -> list[Any]:
            sums = [np.zeros(shape, np.float32) for shape in ctx.shapes]
            near, along, plain = sums
            check_rows([COLLECT(*arrays, _flat(near), _flat(along), plain, near.shape[2], first, last)])
            return sums

        of_threads = in_parts(call, len(by_others), torch.get_num_threads(), AT_LEAST)
        by_weights = [torch.from_numpy(sum(sums)) for sums in zip(*of_threads)]
        return *by_weights, by_places.sum((0, 1)), by_others.sum(0), None, None, None


def _kernel_arguments(x: Sparse, where: Where) -> tuple[Any, ...]:
    """The features and their destinations, in the order of the kernels' arguments."""
    return *x.arrays, where.inputs, where.suits, where.ranks


def _flat(array: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """A view that merges the last two axes, ranks (or reach) and channels, so that loops over it are longer."""
    *others, ranks, channels = array.shape
    return array.reshape(*others, ranks * channels)
