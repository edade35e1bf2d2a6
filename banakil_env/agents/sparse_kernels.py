"""Compiled loops over features that are mostly zero, and over listed actions; declared without PyTorch.

`sparse.py` and `card_logits.py` call them, for results and gradients; `suit_kernels.py` has the loops for suits. The
loops check the numbers of features and actions in their arguments, and return the first invalid row, or -1.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from banakil_env.core.features import NOWHERE
from banakil_env.core.jit import INT, Entry, Library, compiled, inlined, read, reordered, rows_of, written
from banakil_env.core.scratch import scratch

FORBIDDEN = -1e8  # the logit of an illegal action
BLOCK = 256  # number of rows at a time whose gradients fit into a core's cache
FROM_PILE = -2  # place of an action whose card is the one at its depth in the pile
MOST_PLACES, MOST_MOVES = 64, 2048  # limits of `READ_CARDS`: places of cards, and listed moves


@compiled
def row_without_feature(columns: Any, lengths: Any, rows: Any, features: int, first: int, last: int) -> int:
    """The first row that has a feature number from `features` on or more features than the table holds; -1: none."""
    for i in range(first, last):
        row = rows[i]
        if lengths[row] > columns.shape[1]:
            return i
        for k in range(lengths[row]):
            if columns[row, k] >= features:
                return i
    return -1


@compiled
def _row_without_action(moves: Any, actions: int, first: int, last: int) -> int:
    """The first row that has an action number from `actions` on; -1: none."""
    for i in range(first, last):
        for j in range(moves.shape[1]):
            if moves[i, j] >= actions:
                return i
    return -1


@compiled
def _compress_one(x: Any, columns: Any, values: Any) -> int:
    """Copy the nonzero numbers of the row `x` into `values`, and their indices into `columns`.

    Returns:
        The number of nonzero numbers, even if they do not fit.
    """
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


def _multiply(
    columns: Any, values: Any, lengths: Any, rows: Any, weight: Any, bias: Any, out: Any, first: int, last: int
) -> int:
    wrong = row_without_feature(columns, lengths, rows, weight.shape[0], first, last)
    if wrong >= 0:
        return wrong
    for i in range(first, last):
        row, to = rows[i], out[i]
        copy_row(to, bias)
        _add_rows(to, weight, columns[row], values[row], 0, lengths[row])
    return -1


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
) -> int:
    """Add to `by_weight` the gradients of every feature whose number modulo `every` is `part`.

    BLOCK rows at a time are first listed by feature. So the sum for a feature stays in the nearest cache, and is read
    and written only a quarter as often as rows are added. `begins` (features + 1,), `places` and `amounts` (BLOCK *
    width,) are work space for each part.
    """
    wrong = row_without_feature(columns, lengths, rows, by_weight.shape[0], 0, len(rows))
    if wrong >= 0:
        return wrong
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
        first = 0  # each feature's entries now end where those of the next one began
        for feature in range(part, len(begins) - 1, every):
            last = begins[feature]
            _add_rows(by_weight[feature], gradient, places, amounts, first, last)
            first = last
    return -1


@reordered
def _add_rows(to: Any, of: Any, places: Any, amounts: Any, first: int, last: int) -> None:
    """Add the rows `of[places[k]]`, each times `amounts[k]`, to the row `to`, for k from `first` to before `last`.

    Four rows are added at a time, so the sum is read and written only a quarter as often.
    """
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
    """Copy a row into another of the same length."""
    for i in range(len(to)):
        to[i] = of[i]


@reordered
def add_times(to: Any, of: Any, amount: float) -> None:
    """Add `amount` times the row `of` to the row `to`."""
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
) -> int:
    wrong = _row_without_action(moves, policy.shape[0], first, last)
    if wrong >= 0:
        return wrong
    for i in range(first, last):
        for j in range(moves.shape[1]):
            move, face = moves[i, j], faces[i, j]
            if move < 0:
                out[i, j] = FORBIDDEN
            elif face < takes.shape[0]:
                out[i, j] = _dot(x[i], policy[move]) + bias[move] + _dot(x[i], takes[face]) + take_bias[face]
            else:
                out[i, j] = _dot(x[i], policy[move]) + bias[move]
    return -1


def _choose_back(
    gradient: Any, moves: Any, faces: Any, policy: Any, takes: Any, by_x: Any, first: int, last: int
) -> int:
    wrong = _row_without_action(moves, policy.shape[0], first, last)
    if wrong >= 0:
        return wrong
    for i in range(first, last):
        to = by_x[i]
        for j in range(moves.shape[1]):
            move, face, by = moves[i, j], faces[i, j], gradient[i, j]
            if move < 0:
                break
            add_times(to, policy[move], by)
            if face < takes.shape[0]:
                add_times(to, takes[face], by)
    return -1


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
) -> int:
    wrong = _row_without_action(moves, by_policy.shape[0], 0, moves.shape[0])
    if wrong >= 0:
        return wrong
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
    return -1


@compiled
def _are_card_moves(
    planes: Any,
    places: Any,
    block_of: Any,
    place_of: Any,
    place_of_face: Any,
    num_planes: int,
    num_weights: int,
    num_listed: int,
) -> bool:
    """Whether every column, action and face has an existing place, and the listed moves fit into the work space."""
    if num_listed > MOST_MOVES:
        return False
    for column in range(planes.shape[0]):
        plane, place = planes[column], places[column]
        if plane != NOWHERE and (plane < 0 or plane >= num_planes or place < 0 or place >= MOST_PLACES):
            return False
    for action in range(block_of.shape[0]):
        block, place = block_of[action], place_of[action]
        if block == NOWHERE:
            continue
        if block < 0 or (block + 1) * num_planes > num_weights or place < FROM_PILE or place >= MOST_PLACES:
            return False
    for face in range(place_of_face.shape[0]):
        if place_of_face[face] < NOWHERE or place_of_face[face] >= MOST_PLACES:
            return False
    return True


@inlined
def _chain_moves(
    moves: Any, faces: Any, block_of: Any, place_of: Any, place_of_face: Any, last_at: Any, earlier: Any
) -> None:
    """Link the moves of one position that belong to the same place.

    `last_at` gets the index of each place's last move, and `earlier` the index of the place's move before each move; -1
    means none.
    """
    last_at[:MOST_PLACES] = -1
    for j in range(len(moves)):
        move = moves[j]
        if move < 0:
            break
        if block_of[move] == NOWHERE:
            continue
        place = place_of[move]
        if place == FROM_PILE and faces[j] < place_of_face.shape[0]:
            place = place_of_face[faces[j]]
        if place >= 0:
            earlier[j] = last_at[place]
            last_at[place] = j


def _read_cards(
    columns: Any,
    values: Any,
    lengths: Any,
    rows: Any,
    planes: Any,
    places: Any,
    block_of: Any,
    place_of: Any,
    place_of_face: Any,
    moves: Any,
    faces: Any,
    num_planes: int,
    weights: Any,
    out: Any,
    first: int,
    last: int,
) -> int:
    """Compute the logits that `card_logits.card_logits` describes."""
    wrong = max(
        row_without_feature(columns, lengths, rows, planes.shape[0], first, last),
        _row_without_action(moves, block_of.shape[0], first, last),
    )
    if wrong >= 0:
        return wrong
    given = planes, places, block_of, place_of, place_of_face, num_planes
    if not _are_card_moves(*given, weights.shape[1], moves.shape[1]):
        return first
    last_at, earlier = scratch(MOST_PLACES), scratch(MOST_MOVES)
    for i in range(first, last):
        row = rows[i]
        _chain_moves(moves[i], faces[i], block_of, place_of, place_of_face, last_at, earlier)
        out[i, :] = 0
        for k in range(lengths[row]):
            column, amount = columns[row, k], values[row, k]
            if planes[column] != NOWHERE:
                j = last_at[places[column]]
                while j >= 0:
                    out[i, j] += weights[i, block_of[moves[i, j]] * num_planes + planes[column]] * amount
                    j = earlier[j]
    return -1


def _read_cards_back(
    columns: Any,
    values: Any,
    lengths: Any,
    rows: Any,
    planes: Any,
    places: Any,
    block_of: Any,
    place_of: Any,
    place_of_face: Any,
    moves: Any,
    faces: Any,
    num_planes: int,
    by_weights: Any,
    gradient: Any,
    first: int,
    last: int,
) -> int:
    wrong = max(
        row_without_feature(columns, lengths, rows, planes.shape[0], first, last),
        _row_without_action(moves, block_of.shape[0], first, last),
    )
    if wrong >= 0:
        return wrong
    given = planes, places, block_of, place_of, place_of_face, num_planes
    if not _are_card_moves(*given, by_weights.shape[1], moves.shape[1]):
        return first
    last_at, earlier = scratch(MOST_PLACES), scratch(MOST_MOVES)
    for i in range(first, last):
        row = rows[i]
        _chain_moves(moves[i], faces[i], block_of, place_of, place_of_face, last_at, earlier)
        for k in range(lengths[row]):
            column, amount = columns[row, k], values[row, k]
            if planes[column] != NOWHERE:
                j = last_at[places[column]]
                while j >= 0:
                    by_weights[i, block_of[moves[i, j]] * num_planes + planes[column]] += gradient[i, j] * amount
                    j = earlier[j]
    return -1


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


def _declare(loop: Any, *arguments: Any) -> Entry:
    return _LIBRARY.entry(loop, functools.reduce(operator.or_, arguments), result=True, long=True, reordered=True)


COMPRESS = _declare(
    _compress,
    {"x": read("f4", "n", "features"), "columns": written("u2", "table", "width")},
    {"values": written("f4", "table", "width"), "lengths": written("i2", "table"), "rows": TABLE["rows"]},
    _PART,
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
_CARDS = {
    **{name: read("i2", "features") for name in ("planes", "places")},
    **{name: read("i2", "actions") for name in ("block_of", "place_of")},
    "place_of_face": read("i2", "kinds"),
    **_LISTS,
    "num_planes": INT,
}
READ_CARDS = _declare(
    _read_cards,
    TABLE,
    _CARDS,
    {"weights": read("f4", "n", "weights"), "out": written("f4", "n", "listed")},
    _PART,
)
READ_CARDS_BACK = _declare(
    _read_cards_back,
    TABLE,
    _CARDS,
    {"by_weights": written("f4", "n", "weights"), "gradient": read("f4", "n", "listed")},
    _PART,
)
