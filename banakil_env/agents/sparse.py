"""Fast products on a CPU for features that are mostly zero, and for the few logits that are needed.

Of the 1,350 features of a position in Banakil, about a hundred are not zero, and about ten of 799 actions are legal.
`first_layer` adds up only the rows of weights that belong to nonzero features. `chosen_logits` multiplies with the rows
of legal actions only. Both implement their gradients, and take a tenth to a hundredth of the time of full matrix
products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from banakil_env.agents.sparse_kernels import (
    BLOCK,
    CHOOSE,
    CHOOSE_BACK,
    COMPRESS,
    MULTIPLY,
    SUM_UP,
    SUM_UP_CHOSEN,
)
from banakil_env.core.threads import in_parts

AT_LEAST = 64  # rows or columns; for fewer, starting a thread costs more than it saves


@dataclass(frozen=True)
class Sparse:
    """The nonzero features of some rows of a feature table, which has a row for each position.

    Attributes:
        columns: uint16 (m, width), the indices of the nonzero features of each row of the table.
        values: float32 (m, width), their values. After a row's last feature, columns and values are zero.
        lengths: int16 (m,), the number of nonzero features of each row.
        rows: int64 (n,), the selected rows of the table.
    """

    columns: npt.NDArray[np.uint16]
    values: npt.NDArray[np.float32]
    lengths: npt.NDArray[np.int16]
    rows: npt.NDArray[np.int64]

    @classmethod
    def zeros(cls, count: int, width: int) -> Sparse:
        """A table of `count` empty rows, with room for `width` features each."""
        return cls(
            np.zeros((count, width), np.uint16),
            np.zeros((count, width), np.float32),
            np.zeros(count, np.int16),
            np.arange(count),
        )

    @classmethod
    def of(cls, x: npt.NDArray[np.float32]) -> Sparse:
        """A table with the rows of `x`, float32 (n, features)."""
        table = cls.zeros(len(x), int(np.count_nonzero(x, axis=1).max(initial=1)))
        table.write(x)
        return table

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def room(self) -> int:
        """The number of features that fit into a row."""
        return self.columns.shape[1]

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The four arrays, contiguous, in the order of the kernels' arguments."""
        columns, values = np.ascontiguousarray(self.columns), np.ascontiguousarray(self.values)
        return columns, values, np.ascontiguousarray(self.lengths), np.ascontiguousarray(self.rows)

    def part(self, rows: npt.NDArray[np.int64]) -> Sparse:
        """A selection of other rows of the same table."""
        return Sparse(self.columns, self.values, self.lengths, rows)

    def widened(self, width: int) -> Sparse:
        """A copy of the table with room for `width` features per row."""
        room = ((0, 0), (0, width - self.columns.shape[1]))
        return Sparse(np.pad(self.columns, room), np.pad(self.values, room), self.lengths.copy(), self.rows)

    def write(self, x: npt.NDArray[np.float32], threads: int = 1) -> int:
        """Replace the contents by the rows of `x`, float32 (n, features).

        Returns:
            The largest number of nonzero features in a row. If it exceeds the room in the table, widen and write again.
        """

        def call(first: int, last: int) -> int:
            most: int = COMPRESS(x, self.columns, self.values, self.lengths, self.rows, first, last)
            return most

        return max(in_parts(call, len(x), threads, AT_LEAST))

    def dense(self, features: int, device: torch.device | None = None) -> Tensor:
        """The selected rows with zeros included, float32 (n, features), on a device; None: the CPU."""
        columns = torch.from_numpy(self.columns[self.rows].astype(np.int32)).to(device)
        values = torch.from_numpy(self.values[self.rows]).to(device)
        return torch.zeros(len(self), features, device=device).scatter_add_(1, columns.long(), values)

    def on(self, device: torch.device, features: int, dtype: torch.dtype = torch.float32) -> Tensor | Sparse:
        """The input of a network on this device: on a CPU this object, elsewhere the dense rows."""
        return self if device.type == "cpu" else self.dense(features, device).to(dtype)


def first_layer(x: Sparse, weight: Tensor, bias: Tensor) -> Tensor:
    """The product of features and weights plus the bias, with the result of `torch.nn.functional.linear`.

    Args:
        x: n rows of features.
        weight: float32 (outputs, features), stored feature by feature (`by_feature`).
        bias: float32 (outputs,).

    Returns:
        float32 (n, outputs).
    """
    product: Tensor = _FirstLayer.apply(weight.t(), bias, x)
    return product


def by_feature(weight: Tensor) -> Tensor:
    """The same matrix (outputs, features), stored so that the weights of a feature are adjacent in memory."""
    return weight.t().contiguous().t()


def chosen_logits(x: Tensor, moves: Tensor, faces: Tensor, policy: Any, takes: Any) -> Tensor:
    """The logits of listed actions.

    Args:
        x: float32 (n, inputs).
        moves: int16 (n, width), the listed actions; -1 after the last one.
        faces: uint8 (n, width), the face at the depth that a move refers to; `no_face` for other moves.
        policy: linear layer with an output for each action.
        takes: linear layer with an output for each face, which is added to moves that refer to a depth; None: no move
            does.

    Returns:
        float32 (n, width), FORBIDDEN after the last one.
    """
    of_faces = (x.new_zeros(0, x.shape[1]), x.new_zeros(0)) if takes is None else (takes.weight, takes.bias)
    layers = (policy.weight, policy.bias, *of_faces)
    logits: Tensor = _ChosenLogits.apply(x.contiguous(), *layers, moves, faces)
    return logits


# PyTorch's types do not cover the arguments of a `forward` and the decorator of a `backward`, hence `type: ignore`.


class _FirstLayer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor, x: Sparse) -> Tensor:  # type: ignore[override]
        ctx.x, ctx.features = x, len(weight)
        out = torch.empty(len(x), len(bias))
        arrays = (*x.arrays, array_of(weight.contiguous()), array_of(bias), out.numpy())
        in_row_threads(MULTIPLY, len(x), *arrays)
        return out

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, gradient: Tensor) -> Any:  # type: ignore[override]
        x, by_weight = ctx.x, torch.zeros(ctx.features, gradient.shape[1])
        parts, room = torch.get_num_threads(), BLOCK * x.columns.shape[1]
        work = (np.empty((parts, ctx.features + 1), np.int32), np.empty((parts, room), np.int32))
        arrays = (*x.arrays, array_of(gradient.contiguous()), by_weight.numpy(), *work)
        amounts = np.empty((parts, room), np.float32)
        check_rows(in_parts(lambda part, end: SUM_UP(*arrays, amounts, parts, part, end), parts, parts, 1))
        return by_weight, gradient.sum(0), None


class _ChosenLogits(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, *others: Any) -> Tensor:  # type: ignore[override]
        *layers, moves, faces = others
        ctx.save_for_backward(x, *layers, moves, faces)
        out = torch.empty(moves.shape)
        in_row_threads(CHOOSE, len(x), *map(array_of, (x, *layers, moves, faces)), out.numpy())
        return out

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, gradient: Tensor) -> Any:  # type: ignore[override]
        x, *layers, moves, faces = ctx.saved_tensors
        by_x = torch.zeros_like(x)
        by_layers = [torch.zeros_like(layer) for layer in layers]
        given = [array_of(tensor) for tensor in (gradient.contiguous(), moves, faces)]
        policy, _, takes, _ = map(array_of, layers)
        in_row_threads(CHOOSE_BACK, len(x), *given, policy, takes, by_x.numpy())
        in_row_threads(SUM_UP_CHOSEN, x.shape[1], *given, array_of(x), *[layer.numpy() for layer in by_layers])
        return by_x, *by_layers, None, None


def array_of(tensor: Tensor) -> Any:
    """The values of a tensor as an array for kernels; it shares the memory."""
    return tensor.detach().numpy()


def in_row_threads(kernel: Any, count: int, *arrays: Any) -> None:
    """Call `kernel(*arrays, first, last)` for parts of `count` rows, in as many threads as PyTorch uses.

    If rows are added up, the parts are columns.

    Raises:
        IndexError: the kernel has found an invalid row.
    """
    check_rows(in_parts(lambda first, last: kernel(*arrays, first, last), count, torch.get_num_threads(), AT_LEAST))


def check_rows(wrong: list[int]) -> None:
    """Raise IndexError if a kernel has returned the number of an invalid row; -1 means that all rows are valid."""
    row = max(wrong, default=-1)
    if row >= 0:
        raise IndexError(f"row {row} names a feature or an action that the network does not have")


def multiplies_bfloat16() -> bool:
    """Whether this processor has instructions for products of bfloat16 matrices (known to PyTorch from 2.8 on)."""
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return any(capabilities.get(name) for name in ("amx_bf16", "avx512_bf16"))
