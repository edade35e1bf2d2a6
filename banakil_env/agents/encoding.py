"""Features of many positions, and lists of their legal actions; each is written in one compiled call.

The columns are those of the game (`Game.features`); `core.encoding` has the loop over the rows.
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
    """The depth in the pile of the card that each action refers to, int64 (actions,), from 0 on.

    `max_depth` for actions that refer to no depth of the pile.
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
    """Write the legal actions of each row, as described in `list_moves`.

    Returns:
        The largest number of legal actions in a row, even if it exceeds the width of the lists.
    """
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
    """The features of a batch of observations, and the face at each depth of the pile.

    Args:
        game: the game.
        observations: uint8 (n, bytes), the bytes of observation records.
        out: array for the features; None: a new array.
        depths: array for the faces of the pile; None: a new array.
        threads: largest number of threads that share the rows.
        features: one of the game's layouts; None: `game.features`.

    Returns:
        float32 (n, features.width), and uint8 (n, features.max_depth), which is `no_face` below the bottom card of the
            pile.

    Raises:
        ValueError: an array has another shape. The content of observations is not checked: they must come from the
            game.
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
    """Write the legal actions of a batch as lists.

    Args:
        game: the game.
        masks: int8 (n, actions).
        depths: the faces of the pile, as `encode` returns them.
        moves: int16 (n, width), written: the legal actions in ascending order, -1 after the last one.
        faces: uint8 (n, width), written: the face at the depth that an action refers to; `no_face` for other actions.
        threads: largest number of threads that share the rows.

    Returns:
        The length of the longest list. If it exceeds the width, call again with wider arrays.

    Raises:
        ValueError: an array has another shape.
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
    if own[0] is not moves:  # `moves` is a part of a larger array
        moves[:] = own[0]
    if own[1] is not faces:
        faces[:] = own[1]
    return most


def _check_shape(name: str, array: Any, shape: tuple[int, ...]) -> None:
    """Raise ValueError if an array has another shape; compiled code would read and write out of bounds."""
    if array.shape != shape:
        raise ValueError(f"{name} must be of shape {shape}, not {array.shape}")
