"""Features of many observations, written in one compiled call that can use several threads."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from banakil_env.core.features import Features
from banakil_env.core.game import Game
from banakil_env.core.jit import Entry, Library
from banakil_env.core.kernels import kernels_of, write_rows_in
from banakil_env.core.threads import in_parts

# A thread pays off from this number of rows on.
ROWS_PER_THREAD = 128


@functools.cache
def write_rows_of(game: Game, features: Features) -> Entry:
    """The compiled function that writes these features. The one for the default features is in the game's library of
    tables.
    """
    if features is game.features:
        return kernels_of(game).write_rows
    return write_rows_in(Library(f"{game.name}_{game.features.layout_name(features)}").entry, game, features)


def encode(
    game: Game,
    observations: npt.NDArray[np.uint8],
    out: npt.NDArray[np.float32] | None = None,
    depths: npt.NDArray[np.uint8] | None = None,
    *,
    rows: npt.NDArray[np.int64] | None = None,
    threads: int = 1,
    features: Features | None = None,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    """The features of a batch of observations, and the face at each depth of the pile.

    Args:
        game: the game.
        observations: uint8 (n, bytes), the bytes of observation records.
        out: C-contiguous array for the features; None: a new array.
        depths: C-contiguous array for the faces of the pile; None: a new array.
        rows: int64 (k,), the rows to write; None: all.
        threads: largest number of threads that share the rows.
        features: one of the game's layouts; None: `game.features`.

    Returns:
        `out`, float32 (n, `features.width`), and `depths`, uint8 (n, `features.max_depth`), which is `no_face` below
            the bottom card of the pile.
    """
    columns = features or game.features
    cells = np.ascontiguousarray(observations)
    n = len(cells)
    out = np.empty((n, columns.width), np.float32) if out is None else out
    depths = np.empty((n, columns.max_depth), np.uint8) if depths is None else depths
    chosen = np.arange(n) if rows is None else rows
    seen = cells.reshape(-1).view(game.observation)
    write = write_rows_of(game, columns)
    in_parts(
        lambda first, last: write(seen, cells, chosen, out, depths, first, last), len(chosen), threads, ROWS_PER_THREAD
    )
    return out, depths
