"""Features of many positions, and lists of their legal actions, each written by one compiled call.

The columns are the game's own (`Game.features`); the loop over rows is that of `core.encoding`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.encoding import ROWS_PER_THREAD
from banakil_env.core.encoding import encode as write_features
from banakil_env.core.features import Features
from banakil_env.core.game import Game
from banakil_env.core.jit import INT, Library, read, written
from banakil_env.core.threads import in_parts


@functools.cache
def depths_of_actions(game: Game) -> npt.NDArray[np.int64]:
    """The depth in the pile of the card that each action is about, from 0 on; `max_depth`: the action is about no such
    card.
    """
    out = np.full(len(game.actions), game.features.max_depth)
    for action in game.actions:
        if action.block.subject == "depth":
            if action.place >= game.features.max_depth:
                raise ValueError(f"{game.name}: {action.text!r} is about a depth beyond those of the features")
            out[action.index] = action.place
    return out


def _list_rows(
    masks: Any, depths: Any, depth_of: Any, no_face: int, moves: Any, faces: Any, first: int, last: int
) -> int:
    """The legal actions of each row, as `list_moves` says; the most that a row has, also when it is more than fit."""
    width, most, max_depth = moves.shape[1], 0, depths.shape[1]
    for i in range(first, last):
        count = 0
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if count < width:
                    moves[i, count] = action
                    faces[i, count] = depths[i, depth_of[action]] if depth_of[action] < max_depth else no_face
                count += 1
        most = max(most, count)
        for rest in range(count, width):
            moves[i, rest] = -1
            faces[i, rest] = no_face
    return most


LIST_ROWS = Library("lists").entry(
    _list_rows,
    {
        "masks": read("i1", "n", "actions"),
        "depths": read("u1", "n", "depths"),
        "depth_of": read("i8", "actions"),
        "no_face": INT,
        "moves": written("i2", "n", "listed"),
        "faces": written("u1", "n", "listed"),
        "first": INT,
        "last": INT,
    },
    result=True,
    long=True,
)


def encode(
    game: Game,
    observations: npt.NDArray[np.uint8],
    out: npt.NDArray[np.float32] | None = None,
    depths: npt.NDArray[np.uint8] | None = None,
    threads: int = 1,
    features: Features | None = None,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    """The features of a batch, and the face at each depth of the pile.

    Args:
        observations: uint8 (n, bytes of the observation).
        out, depths: where they are written; None: into new arrays.
        threads: the number of threads that share the rows.
        features: of the game; None: `game.features`.

    Returns:
        float32 (n, features.width); uint8 (n, features.max_depth), `no_face` beyond the pile.

    Raises:
        ValueError: an array is of another shape. The bytes of observations are not checked: they are the game's own.
    """
    rows = np.ascontiguousarray(observations)
    n, features = len(rows), features or game.features
    out = np.empty((n, features.width), np.float32) if out is None else out
    depths = np.empty((n, features.max_depth), np.uint8) if depths is None else depths
    _check_shape("observations", rows, (n, game.observation.itemsize))
    _check_shape("out", out, (n, features.width))
    _check_shape("depths", depths, (n, features.max_depth))
    return write_features(game, rows, out, depths, threads=threads, features=features)


def list_moves(
    game: Game,
    masks: npt.NDArray[np.int8],
    depths: npt.NDArray[np.uint8],
    moves: npt.NDArray[np.int16],
    faces: npt.NDArray[np.uint8],
    threads: int = 1,
) -> int:
    """Write the legal actions of a batch as lists; returns the length of the longest. If it exceeds the width, call
    again with wider arrays.

    Args:
        masks: int8 (n, actions). depths: as `encode` gave it.
        moves: int16 (n, width), receives the legal actions, ascending, -1 behind them. faces: uint8 (n, width),
            receives the face at the depth that an action is about, `no_face` for all other moves.
        threads: the number of threads that share the rows.

    Raises:
        ValueError: an array is of another shape.
    """
    n, depth_of, no_face = len(masks), depths_of_actions(game), game.features.no_face
    _check_shape("masks", masks, (n, len(game.actions)))
    _check_shape("depths", depths, (n, game.features.max_depth))
    _check_shape("moves", moves, (n, moves.shape[1]))
    _check_shape("faces", faces, moves.shape)

    seen = np.ascontiguousarray(masks), np.ascontiguousarray(depths), depth_of, no_face
    own = np.ascontiguousarray(moves), np.ascontiguousarray(faces)

    def call(first: int, last: int) -> int:
        most: int = LIST_ROWS(*seen, *own, first, last)
        return most

    most = max(in_parts(call, n, threads, ROWS_PER_THREAD))
    if own[0] is not moves:  # a part of a larger array
        moves[:] = own[0]
    if own[1] is not faces:
        faces[:] = own[1]
    return most


def _check_shape(name: str, array: Any, shape: tuple[int, ...]) -> None:
    """ValueError: the array is of another shape; compiled code would read and write outside."""
    if array.shape != shape:
        raise ValueError(f"{name} must be of shape {shape}, not {array.shape}")
