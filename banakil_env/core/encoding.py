"""How are the features of many observations written? One compiled call over the rows, on several threads if asked."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bound import write
from banakil_env.core.features import Features
from banakil_env.core.game import Game
from banakil_env.core.jit import bind
from banakil_env.core.threads import in_parts

# Fewer rows than this do not pay for a thread.
ROWS_PER_THREAD = 128


def _write_rows(seen: Any, cells: Any, rows: Any, out: Any, depths: Any, first: int, last: int) -> None:
    for k in range(first, last):
        row = rows[k]
        write(seen[row], cells[row], out[row], depths[row])


@functools.cache
def write_rows_of(game: Game, features: Features) -> Any:
    """`_write_rows` bound to features of a game; compiled when first called."""
    return bind(_write_rows, f"{game.name}_write_rows", write=features.write)


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
    """The features of a batch, and the face at each depth of the pile.

    Args:
        observations: uint8 (n, bytes).
        out, depths: arrays to write into, C-contiguous; None: new arrays.
        rows: int64 (k,), the rows to write; None: all.
        threads: largest number of threads that share the rows.
        features: of the game; None: `game.features`.

    Returns:
        `out`, float32 (n, `features.width`); `depths`, uint8 (n, `features.max_depth`), `no_face` below the end of the
        pile.
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
