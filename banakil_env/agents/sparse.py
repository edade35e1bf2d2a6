"""How does a CPU multiply features that are nearly all zero, and ask for a few logits of hundreds? By their numbers.

Of the 1,350 features of a position of Banakil about a hundred are not zero, and about ten of 799 actions are legal.
`first_layer` adds up the rows of the weights that belong to features that are there; `chosen_logits` multiplies with
the rows of the legal actions only. Both know their gradients, and do between a tenth and a hundredth of the work of
whole matrices.
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from banakil_env.core.jit import INT, Entry, Library, compiled, read, reordered, rows_of, written
from banakil_env.core.threads import in_parts

FORBIDDEN = -1e8  # the logit of an illegal action

AT_LEAST = 64  # rows or columns: for fewer, a thread costs more than it gives
BLOCK = 256  # rows at a time, whose gradients fit into a core's cache


@dataclass(frozen=True)
class Sparse:
    """Features that are not zero, of some rows of a table.

    Attributes:
        columns: uint16 (m, width), which features; values: float32 (m, width), what they are. Behind the last of a row
            stand zeros.
        lengths: int16 (m,), how many a row has.
        rows: int64 (n,), which rows of the table are meant.
    """

    columns: npt.NDArray[np.uint16]
    values: npt.NDArray[np.float32]
    lengths: npt.NDArray[np.int16]
    rows: npt.NDArray[np.int64]

    @classmethod
    def zeros(cls, count: int, width: int) -> Sparse:
        """A table of `count` rows of nothing, with room for `width` features each."""
        return cls(
            np.zeros((count, width), np.uint16),
            np.zeros((count, width), np.float32),
            np.zeros(count, np.int16),
            np.arange(count),
        )

    @classmethod
    def of(cls, x: npt.NDArray[np.float32]) -> Sparse:
        """The rows `x`, float32 (n, features), as a table of their own."""
        table = cls.zeros(len(x), int(np.count_nonzero(x, axis=1).max(initial=1)))
        table.write(x)
        return table

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The four arrays as kernels take them: contiguous."""
        columns, values = np.ascontiguousarray(self.columns), np.ascontiguousarray(self.values)
        return columns, values, np.ascontiguousarray(self.lengths), np.ascontiguousarray(self.rows)

    def part(self, rows: npt.NDArray[np.int64]) -> Sparse:
        """Other rows of the same table."""
        return Sparse(self.columns, self.values, self.lengths, rows)

    def widened(self, width: int) -> Sparse:
        """A copy of the table with room for `width` features in a row."""
        room = ((0, 0), (0, width - self.columns.shape[1]))
        return Sparse(np.pad(self.columns, room), np.pad(self.values, room), self.lengths.copy(), self.rows)

    def write(self, x: npt.NDArray[np.float32], threads: int = 1) -> int:
        """Replace the contents by the rows `x`, float32 (n, features).

        Returns:
            The largest number of features in a row. If it exceeds the room in the table, widen and write again.
        """

        def call(first: int, last: int) -> int:
            most: int = COMPRESS(x, self.columns, self.values, self.lengths, self.rows, first, last)
            return most

        return max(in_parts(call, len(x), threads, AT_LEAST))

    def dense(self, features: int, device: torch.device | None = None) -> Tensor:
        """The rows written out, float32 (n, features), on a device; None: the CPU."""
        columns = torch.from_numpy(self.columns[self.rows].astype(np.int32)).to(device)
        values = torch.from_numpy(self.values[self.rows]).to(device)
        return torch.zeros(len(self), features, device=device).scatter_add_(1, columns.long(), values)

    def on(self, device: torch.device, features: int, dtype: torch.dtype = torch.float32) -> Tensor | Sparse:
        """What a network on this device takes: on a CPU these rows as they are, elsewhere the rows written out."""
        return self if device.type == "cpu" else self.dense(features, device).to(dtype)


@compiled
def _compress_one(x: Any, columns: Any, values: Any) -> int:
    """Take over the numbers of one row that are not zero; how many there are, also when it is more than fit."""
    width, count = len(columns), 0
    for column in range(len(x)):
        if x[column] != 0:
            if count < width:
                columns[count] = column
                values[count] = x[column]
            count += 1
    for rest in range(count, width):
        columns[rest], values[rest] = 0, 0
    return count


def _compress(x: Any, columns: Any, values: Any, lengths: Any, rows: Any, first: int, last: int) -> int:
    most = 0
    for i in range(first, last):
        count = _compress_one(x[i], columns[rows[i]], values[rows[i]])
        most = max(most, count)
        lengths[rows[i]] = min(count, columns.shape[1])
    return most


def first_layer(x: Sparse, weight: Tensor, bias: Tensor) -> Tensor:
    """The product of features and weights, as `torch.nn.functional.linear` would give it.

    Args:
        weight: float32 (outputs, features), stored feature by feature (`by_feature`). bias: float32 (outputs,).

    Returns:
        float32 (n, outputs).
    """
    product: Tensor = _FirstLayer.apply(weight.t(), bias, x)
    return product


def by_feature(weight: Tensor) -> Tensor:
    """The same matrix (outputs, features), with what belongs to a feature side by side in memory."""
    return weight.t().contiguous().t()


def chosen_logits(x: Tensor, moves: Tensor, faces: Tensor, policy: Any, takes: Any) -> Tensor:
    """The logits of the actions that are listed.

    Args:
        x: float32 (n, inputs). moves: int16 (n, width), actions, -1 behind the last.
        faces: uint8 (n, width), the face at the depth that a move is about, `no_face` for all other moves.
        policy, takes: linear layers, of all actions and of those faces; takes None: no move is about a depth.

    Returns:
        float32 (n, width), FORBIDDEN behind the last.
    """
    of_faces = (x.new_zeros(0, x.shape[1]), x.new_zeros(0)) if takes is None else (takes.weight, takes.bias)
    layers = (policy.weight, policy.bias, *of_faces)
    logits: Tensor = _ChosenLogits.apply(x.contiguous(), *layers, moves, faces)
    return logits


# PyTorch's types do not cover the arguments of a `forward` and the decorator of a `backward`: `type: ignore` below.


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
        in_parts(lambda part, end: SUM_UP(*arrays, amounts, parts, part, end), parts, parts, 1)
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
    """Its numbers, as kernels take them."""
    return tensor.detach().numpy()


def in_row_threads(kernel: Any, count: int, *arrays: Any) -> None:
    """Call a kernel for all rows, or where rows are added up for all columns, in as many threads as PyTorch takes."""
    in_parts(lambda first, last: kernel(*arrays, first, last), count, torch.get_num_threads(), AT_LEAST)


def _multiply(
    columns: Any, values: Any, lengths: Any, rows: Any, weight: Any, bias: Any, out: Any, first: int, last: int
) -> None:
    for i in range(first, last):
        row, to = rows[i], out[i]
        copy_row(to, bias)
        _add_rows(to, weight, columns[row], values[row], 0, lengths[row])


def _sum_up(
    columns: Any,
    values: Any,
    lengths: Any,
    rows: Any,
    gradient: Any,
    by_weight: Any,
    begins: Any,
    places: Any,
    amounts: Any,
    every: int,
    part: int,
    _last: int,
) -> None:
    """Add up the rows for every nth feature, BLOCK rows at a time, which are first listed by feature.

    A feature's row of the sum therefore stays in the nearest cache, and is read and written a quarter as often as rows
    are added. `begins` (features + 1,), `places` and `amounts` (BLOCK * width,) are room to work in.
    """
    begins, places, amounts = begins[part], places[part], amounts[part]
    for start in range(0, len(rows), BLOCK):
        end = min(start + BLOCK, len(rows))
        begins[:] = 0
        for i in range(start, end):
            row = rows[i]
            for k in range(lengths[row]):
                if columns[row, k] % every == part:
                    begins[columns[row, k] + 1] += 1
        for feature in range(1, len(begins)):
            begins[feature] += begins[feature - 1]
        for i in range(start, end):
            row = rows[i]
            for k in range(lengths[row]):
                if columns[row, k] % every == part:
                    place = begins[columns[row, k]]
                    places[place], amounts[place] = i, values[row, k]
                    begins[columns[row, k]] = place + 1
        first = 0  # a feature's entries now end where the next one's began
        for feature in range(part, len(begins) - 1, every):
            last = begins[feature]
            _add_rows(by_weight[feature], gradient, places, amounts, first, last)
            first = last


@reordered
def _add_rows(to: Any, of: Any, places: Any, amounts: Any, first: int, last: int) -> None:
    """Add rows of a matrix, so much of each; four at a time, so that the sum is read and written a quarter as often."""
    whole = first + (last - first) // 4 * 4
    for k in range(first, whole, 4):
        one, two, three, four = of[places[k]], of[places[k + 1]], of[places[k + 2]], of[places[k + 3]]
        a, b, c, d = amounts[k], amounts[k + 1], amounts[k + 2], amounts[k + 3]
        for i in range(len(to)):
            to[i] += a * one[i] + b * two[i] + c * three[i] + d * four[i]
    for k in range(whole, last):
        add_times(to, of[places[k]], amounts[k])


@compiled
def copy_row(to: Any, of: Any) -> None:
    """Copy a row into another of its length."""
    for i in range(len(to)):
        to[i] = of[i]


@reordered
def add_times(to: Any, of: Any, amount: float) -> None:
    """Add a row, so much of it."""
    for i in range(len(to)):
        to[i] += amount * of[i]


@reordered
def _dot(a: Any, b: Any) -> Any:
    total = np.float32(0)
    for c in range(len(a)):
        total += a[c] * b[c]
    return total


def _choose(
    x: Any, policy: Any, bias: Any, takes: Any, take_bias: Any, moves: Any, faces: Any, out: Any, first: int, last: int
) -> None:
    for i in range(first, last):
        for j in range(moves.shape[1]):
            move, face = moves[i, j], faces[i, j]
            if move < 0:
                out[i, j] = FORBIDDEN
            elif face < takes.shape[0]:
                out[i, j] = _dot(x[i], policy[move]) + bias[move] + _dot(x[i], takes[face]) + take_bias[face]
            else:
                out[i, j] = _dot(x[i], policy[move]) + bias[move]


def _choose_back(
    gradient: Any, moves: Any, faces: Any, policy: Any, takes: Any, by_x: Any, first: int, last: int
) -> None:
    for i in range(first, last):
        to = by_x[i]
        for j in range(moves.shape[1]):
            move, face, by = moves[i, j], faces[i, j], gradient[i, j]
            if move < 0:
                break
            add_times(to, policy[move], by)
            if face < takes.shape[0]:
                add_times(to, takes[face], by)


def _sum_up_chosen(
    gradient: Any,
    moves: Any,
    faces: Any,
    x: Any,
    by_policy: Any,
    by_bias: Any,
    by_takes: Any,
    by_take_bias: Any,
    first: int,
    last: int,
) -> None:
    for i in range(moves.shape[0]):
        of = x[i, first:last]
        for j in range(moves.shape[1]):
            move, face, by = moves[i, j], faces[i, j], gradient[i, j]
            if move < 0:
                break
            add_times(by_policy[move, first:last], of, by)
            if first == 0:
                by_bias[move] += by
            if face < by_takes.shape[0]:
                add_times(by_takes[face, first:last], of, by)
                if first == 0:
                    by_take_bias[face] += by


_LIBRARY = Library("networks")
TABLE = {
    "columns": read("u2", "table", "width"),
    "values": read("f4", "table", "width"),
    "lengths": read("i2", "table"),
    "rows": rows_of("table", "n"),
}
_PART = {"first": INT, "last": INT}
_LISTS = {"moves": read("i2", "n", "listed"), "faces": read("u1", "n", "listed")}
_LAYERS = {"policy": ("actions", "inputs"), "bias": ("actions",), "takes": ("faces", "inputs"), "take_bias": ("faces",)}


def _declare(loop: Any, *arguments: Any, result: bool = False) -> Entry:
    return _LIBRARY.entry(loop, functools.reduce(operator.or_, arguments), result=result, long=True, reordered=True)


COMPRESS = _declare(
    _compress,
    {"x": read("f4", "n", "features"), "columns": written("u2", "table", "width")},
    {"values": written("f4", "table", "width"), "lengths": written("i2", "table"), "rows": TABLE["rows"]},
    _PART,
    result=True,
)
MULTIPLY = _declare(
    _multiply,
    TABLE,
    {"weight": read("f4", "features", "outputs"), "bias": read("f4", "outputs"), "out": written("f4", "n", "outputs")},
    _PART,
)
SUM_UP = _declare(
    _sum_up,
    TABLE,
    {"gradient": read("f4", "n", "outputs"), "by_weight": written("f4", "features", "outputs")},
    {"begins": written("i4", "parts", "ends"), "places": written("i4", "parts", "room")},
    {"amounts": written("f4", "parts", "room"), "every": INT, "part": INT, "_last": INT},
)
CHOOSE = _declare(
    _choose,
    {"x": read("f4", "n", "inputs")},
    {name: read("f4", *dims) for name, dims in _LAYERS.items()},
    _LISTS,
    {"out": written("f4", "n", "listed")},
    _PART,
)
CHOOSE_BACK = _declare(
    _choose_back,
    {"gradient": read("f4", "n", "listed")},
    _LISTS,
    {name: read("f4", *_LAYERS[name]) for name in ("policy", "takes")},
    {"by_x": written("f4", "n", "inputs")},
    _PART,
)
SUM_UP_CHOSEN = _declare(
    _sum_up_chosen,
    {"gradient": read("f4", "n", "listed")},
    _LISTS,
    {"x": read("f4", "n", "inputs")},
    {f"by_{name}": written("f4", *dims) for name, dims in _LAYERS.items()},
    _PART,
)
