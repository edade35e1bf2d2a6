"""How are features written fast? The columns of `agents.features.COLUMNS` in one compiled pass over each observation.

`agents.features.features` says what the columns are, in a form that a graph can hold and a GPU can run; here the same
numbers are written row by row, forty times as fast on a CPU, since nearly all of them are bits of a few masks. A test
holds the two together, to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.features import FACES_NAMED, FIRST, FLAGS, NUM_FEATURES, NUM_KINDS, SCALED
from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.core.threads import in_parts
from banakil_env.games.banakil.actions import NUM_ACTIONS, TAKE
from banakil_env.games.banakil.baselines.reading import above_each, below_each, is_own_side, read_hand
from banakil_env.games.banakil.faces import ALL_NATURALS, COPIES, NUM_FACES, NUM_RANKS, NUM_SUITS
from banakil_env.games.banakil.observation import NATURAL_CELL, OBSERVATION
from banakil_env.games.banakil.state import MAX_MELDS, MAX_SEATS, MAX_TAKE

HAND, REACH, READY, FITS, FITS_OTHERS, PILE_USEFUL, PILE, KNOWN = (
    FIRST[name] for name in ("hand", "reach", "ready", "fits", "fits_others", "pile_useful", "pile", "known")
)
TABLE, SETS, MELDS, TWOS, JOKERS, SLOTS, FACES, FLAGS_AT, PLAYERS, SCALED_AT = (
    FIRST[name] for name in ("table", "sets", "melds", "twos", "jokers", "slots", "faces", "flags", "players", "scaled")
)


def _places(names: Any) -> Any:
    """Of the fields' bytes or numbers in turn: offset in the observation, bytes of each, whether it is signed."""
    rows = []
    for name in names:
        dtype, offset = (OBSERVATION.fields or {})[name][:2]
        size = dtype.base.itemsize
        rows += [(offset + size * i, size, dtype.base.kind == "i") for i in range(dtype.itemsize // size)]
    return np.array(rows, np.int64)


FLAG_PLACES = _places(FLAGS)[:, 0].copy()
SCALED_PLACES = _places(SCALED)
SCALES = np.concatenate(
    [np.full(OBSERVATION[name].shape[0] if OBSERVATION[name].shape else 1, scale) for name, scale in SCALED.items()]
).astype(np.float32)
NAMED_PLACES = _places(FACES_NAMED)[:, 0].copy()

# Fewer rows than this are not worth a thread.
ROWS_PER_THREAD = 128

ONE, HALF = np.float32(1), np.float32(1 / COPIES)


@compiled
def _set(out: Any, first: int, mask: int) -> None:
    """Write 1 for each bit of a mask."""
    while mask:
        out[first + lowest(mask)] = ONE
        mask &= mask - 1


@compiled
def _write_melds(seen: Any, out: Any, laid: Any) -> None:
    """All melds by owner and kind; `laid` (int64, 2) becomes the naturals in sequences of the own and other sides."""
    laid[0] = laid[1] = 0
    for slot in range(MAX_MELDS):
        owner, kind = wide(seen.meld_owner[slot]) - 1, wide(seen.meld_kind[slot]) - 1
        if owner < 0:
            break
        own = is_own_side(seen, owner)
        sequence = kind < NUM_SUITS
        place = owner * NUM_KINDS + kind
        out[MELDS + place] += ONE
        out[TWOS + place] += np.float32(seen.meld_two[slot] != 0)
        out[JOKERS + place] += np.float32(seen.meld_joker[slot])
        out[SLOTS + slot] = np.float32(own)
        out[SLOTS + MAX_MELDS + slot] = np.float32(sequence)
        naturals = wide(0)
        for rank in range(NUM_RANKS):
            naturals |= wide(seen.meld_cards[slot, rank] == NATURAL_CELL) << rank
        first = SETS + (owner * 2 + kind - NUM_SUITS) * NUM_SUITS
        if sequence:
            first = TABLE + (owner * NUM_SUITS + kind) * NUM_RANKS
            laid[0 if own else 1] |= naturals << kind * NUM_RANKS
        while naturals:
            out[first + lowest(naturals)] += ONE
            naturals &= naturals - 1


@compiled
def _write_numbers(seen: Any, row: Any, out: Any) -> None:
    for i in range(NAMED_PLACES.shape[0]):
        if row[NAMED_PLACES[i]]:
            out[FACES + i * NUM_FACES + row[NAMED_PLACES[i]] - 1] = ONE
    for i in range(FLAG_PLACES.shape[0]):
        out[FLAGS_AT + i] = np.float32(row[FLAG_PLACES[i]])
    out[PLAYERS + wide(seen.num_players) - 2] = ONE
    for i in range(SCALED_PLACES.shape[0]):
        at, size, signed = SCALED_PLACES[i]
        number = wide(row[at])
        if size == 2:
            number += wide(row[at + 1]) << 8
            if signed and number >= 1 << 15:
                number -= 1 << 16
        out[SCALED_AT + i] = np.float32(number) / SCALES[i]


@compiled
def _write_pile(seen: Any, out: Any, piled: Any) -> int:
    """The pile's columns and the face at each depth; the naturals in it, as a mask."""
    there = wide(0)
    for face in range(NUM_FACES):
        depth, second = wide(seen.pile[face, 0]), wide(seen.pile[face, 1])
        if depth:
            there |= wide(1) << face
            out[PILE + face] = ONE
            out[PILE + 2 * NUM_FACES + face] = ONE / np.float32(depth)
            out[PILE + 3 * NUM_FACES + face] = np.float32(depth) / np.float32(20)
            piled[depth - 1] = face
        if second:
            out[PILE + NUM_FACES + face] = ONE
            piled[second - 1] = face
    return there & ALL_NATURALS


@compiled
def encode_one(seen: Any, row: Any, out: Any, piled: Any) -> None:
    """Write the features of one observation.

    Args:
        seen, row: the observation, as a record and as its 1000 bytes.
        out: float32 (NUM_FEATURES,). piled: uint8 (MAX_TAKE,), the face at each depth; NUM_FACES beyond the pile.
    """
    out[:] = 0
    piled[:] = NUM_FACES
    hand, laid = scratch(2), scratch(2)
    read_hand(seen, hand)
    _set(out, HAND, hand[0])
    _set(out, HAND + NUM_FACES, hand[1])
    for face in range(NUM_FACES):
        for seat in range(MAX_SEATS):
            if seen.known[seat, face]:
                out[KNOWN + seat * NUM_FACES + face] = np.float32(seen.known[seat, face]) * HALF
    held = hand[0] & ALL_NATURALS
    above, below = above_each(held), below_each(held)
    reach = (above & below) | (above & above_each(above)) | (below & below_each(below))
    _set(out, REACH, reach)
    _set(out, READY, held & reach)
    _write_melds(seen, out, laid)
    fits = above_each(laid[0]) | below_each(laid[0])
    _set(out, FITS, fits)
    _set(out, FITS_OTHERS, above_each(laid[1]) | below_each(laid[1]))
    there = _write_pile(seen, out, piled)
    _set(out, PILE_USEFUL, there & (reach | fits))
    _write_numbers(seen, row, out)


@compiled
def _encode_rows(seen: Any, rows: Any, out: Any, piled: Any, first: int, last: int) -> None:
    for i in range(first, last):
        encode_one(seen[i], rows[i], out[i], piled[i])


@compiled
def _list_rows(masks: Any, piled: Any, moves: Any, faces: Any, first: int, last: int) -> int:
    """The legal actions of each row, as `list_moves` says; the most that a row has, also when it is more than fit."""
    width, most = moves.shape[1], wide(0)
    for i in range(first, last):
        count = wide(0)
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if count < width:
                    moves[i, count] = action
                    depth = action - TAKE
                    faces[i, count] = piled[i, depth] if 0 <= depth < MAX_TAKE else NUM_FACES
                count += 1
        most = max(most, count)
        for rest in range(count, width):
            moves[i, rest] = -1
            faces[i, rest] = NUM_FACES
    return most


def encode(
    observations: npt.NDArray[np.uint8],
    out: npt.NDArray[np.float32] | None = None,
    piled: npt.NDArray[np.uint8] | None = None,
    threads: int = 1,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    """The features of a batch, and the face at each depth of the pile.

    Args:
        observations: uint8 (n, 1000).
        out, piled: where they are written; None: into new arrays.
        threads: the rows are split between so many.

    Returns:
        float32 (n, NUM_FEATURES), in the order of `COLUMNS`; uint8 (n, MAX_TAKE), NUM_FACES beyond the pile.

    Raises:
        ValueError: an array is of another shape. The bytes of observations are not checked: they are the game's own.
    """
    rows = np.ascontiguousarray(observations)
    n = len(rows)
    out = np.empty((n, NUM_FEATURES), np.float32) if out is None else out
    piled = np.empty((n, MAX_TAKE), np.uint8) if piled is None else piled
    _check_shape("observations", rows, (n, OBSERVATION.itemsize))
    _check_shape("out", out, (n, NUM_FEATURES))
    _check_shape("piled", piled, (n, MAX_TAKE))
    seen = rows.reshape(-1).view(OBSERVATION)
    in_parts(lambda first, last: _encode_rows(seen, rows, out, piled, first, last), n, threads, ROWS_PER_THREAD)
    return out, piled


def list_moves(
    masks: npt.NDArray[np.int8],
    piled: npt.NDArray[np.uint8],
    moves: npt.NDArray[np.int16],
    faces: npt.NDArray[np.uint8],
    threads: int = 1,
) -> int:
    """The legal actions of a batch as lists; the longest there is. When that is more than fit, call again with room.

    Args:
        masks: int8 (n, 799). piled: as `encode` gave it.
        moves: int16 (n, width), becomes the legal actions, ascending, -1 behind them.
        faces: uint8 (n, width), becomes the face that a take ends at, NUM_FACES for all other moves.
        threads: the rows are split between so many.

    Raises:
        ValueError: an array is of another shape.
    """
    n = len(masks)
    _check_shape("masks", masks, (n, NUM_ACTIONS))
    _check_shape("piled", piled, (n, MAX_TAKE))
    _check_shape("moves", moves, (n, moves.shape[1]))
    _check_shape("faces", faces, moves.shape)

    def call(first: int, last: int) -> int:
        most: int = _list_rows(masks, piled, moves, faces, first, last)
        return most

    return max(in_parts(call, n, threads, ROWS_PER_THREAD))


def _check_shape(name: str, array: Any, shape: tuple[int, ...]) -> None:
    """ValueError: the array is of another shape; compiled code would read and write outside."""
    if array.shape != shape:
        raise ValueError(f"{name} must be of shape {shape}, not {array.shape}")
