"""Writes features as lists of the nonzero ones, in one compiled pass per row."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.features import Features
from banakil_env.core.game import Game
from banakil_env.core.jit import INT, Entry, Library, compiled, read, rows_of, written
from banakil_env.core.kernels import write
from banakil_env.core.threads import in_parts

if TYPE_CHECKING:
    from banakil_env.agents.sparse import Sparse

ROWS_PER_THREAD = 128  # with fewer rows, starting a thread costs more than it saves


@compiled
def _compress(row: Any, places: Any, columns: Any, values: Any) -> int:
    """Copy the nonzero numbers of a row into `values`, and their indices into `columns`. The row is overwritten.

    The numbers are first moved to the front of the row without a branch; a branch costs more than writing all of them.
    `places` is work space.

    Returns:
        The number of nonzero numbers, even if they do not fit.
    """
    count, width = 0, len(columns)
    for column in range(len(row)):
        value = row[column]
        places[count] = column
        row[count] = value
        count += value != 0
    fit = min(count, width)
    for i in range(fit):
        columns[i], values[i] = places[i], row[i]
    for i in range(fit, width):
        columns[i], values[i] = 0, 0
    return count


def _write_sparse_rows(
    seen: Any,
    rows: Any,
    at: Any,
    columns: Any,
    values: Any,
    lengths: Any,
    depths: Any,
    row: Any,
    places: Any,
    first: int,
    last: int,
) -> int:
    most = 0
    for i in range(first, last):
        write(seen[i], rows[i], row, depths[i])
        count = _compress(row, places, columns[at[i]], values[at[i]])
        lengths[at[i]] = min(count, columns.shape[1])
        most = max(most, count)
    return most


@functools.cache
def write_sparse_rows_of(game: Game, features: Features) -> Entry:
    name = f"sparse_{game.features.layout_name(features)}".rstrip("_")
    arguments = {
        "seen": read(game.observation, "n"),
        "rows": read("u1", "n", game.observation.itemsize),
        "at": rows_of("table", "n"),
        "columns": written("u2", "table", "width"),
        "values": written("f4", "table", "width"),
        "lengths": written("i2", "table"),
        "depths": written("u1", "n", features.max_depth),
        "row": written("f4", features.width),
        "places": written("u2", features.width),
        "first": INT,
        "last": INT,
    }
    declare = Library(f"{game.name}_{name}").entry
    return declare(_write_sparse_rows, arguments, result=True, long=True, write=features.write)


def write_features(
    game: Game,
    observations: npt.NDArray[np.uint8],
    table: Sparse,
    depths: npt.NDArray[np.uint8],
    threads: int = 1,
    features: Features | None = None,
) -> int:
    """Write the features of a batch into rows of a table, and the face at each depth of the pile.

    Args:
        game: the game.
        observations: uint8 (n, bytes), the bytes of observation records.
        table: the table; its first n rows are written.
        depths: uint8 (n, game.features.max_depth), written as by `agents.encoding.encode`.
        threads: largest number of threads that share the rows.
        features: one of the game's layouts; None: `game.features`.

    Returns:
        The largest number of nonzero features in a row. If it exceeds the room in the table, widen it and write again.

    Raises:
        ValueError: an array has another shape. The content of observations is not checked: they must come from the
            game.
    """
    n, features = len(table), features or game.features
    rows = np.ascontiguousarray(observations)
    if rows.shape != (n, game.observation.itemsize) or depths.shape != (n, features.max_depth):
        raise ValueError(
            f"{n} rows need observations of shape {(n, game.observation.itemsize)} and depths of shape "
            f"{(n, features.max_depth)}, not {rows.shape} and {depths.shape}"
        )
    seen, kernel = rows.reshape(-1).view(game.observation), write_sparse_rows_of(game, features)
    given = seen, rows, table.rows, table.columns, table.values, table.lengths, depths

    def part(first: int, last: int) -> int:
        return kernel(*given, np.empty(features.width, np.float32), np.empty(features.width, np.uint16), first, last)

    return max(in_parts(part, n, threads, ROWS_PER_THREAD))
