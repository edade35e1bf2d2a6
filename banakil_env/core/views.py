"""Other views of many tables, each written in one compiled call that can use several threads.

The library `<game>_views` of a game has the observation of any seat and the full state for critics. The library
`<game>_cards` has observations in the layout that is common to all games, of one seat or with all cards face up. A
library is built when one of its functions is first called.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.engine import observe
from banakil_env.core.game import Game
from banakil_env.core.jit import INT, Argument, Entry, Library, read, rows_of, written
from banakil_env.core.threads import in_parts

# A thread pays off from this number of rows on.
ROWS_PER_THREAD = 128

# Bound to functions of a game: `write` and `write_full` of its `CommonLayout`, and `Game.write_full_state`.
write: Any = None
write_full: Any = None
write_full_state: Any = None


def _write_cards(
    seen: Any, cells: Any, chosen: Any, cards: Any, melds: Any, table: Any, rules: Any, first: int, last: int
) -> None:
    """Write observations in the common layout, for the rows in chosen[first:last]."""
    for k in range(max(first, 0), min(last, chosen.shape[0])):
        row = chosen[k]
        write(seen[row], cells[row], cards[row], melds[row], table[row], rules[row])


def _observe_rows(states: Any, seats: Any, observations: Any, first: int, last: int) -> None:
    """Write the observation of one seat (int64) per table, for the rows from `first` to before `last`."""
    for row in range(max(first, 0), min(last, states.shape[0])):
        observe(states[row], seats[row], observations[row])


def _write_full_states(states: Any, seats: Any, full: Any, first: int, last: int) -> None:
    """Write the full state of each table into `full`, with seats counted from the table's seat in `seats` (int64).

    Only the rows from `first` to before `last` are written.
    """
    for row in range(max(first, 0), min(last, states.shape[0])):
        write_full_state(states[row], seats[row], full[row])


def _write_open_cards(
    states: Any,
    seats: Any,
    full: Any,
    cells: Any,
    cards: Any,
    melds: Any,
    table: Any,
    rules: Any,
    first: int,
    last: int,
) -> None:
    """Write tables in the common layout, with all cards face up and seats counted from the table's seat in `seats`.

    Only the rows from `first` to before `last` are written. `full` (a record) and `cells` (its bytes) are work space.
    """
    for row in range(max(first, 0), min(last, states.shape[0])):
        write_full_state(states[row], seats[row], full[0])
        write_full(full[0], cells[0], cards[row], melds[row], table[row], rules[row])


@dataclass(frozen=True)
class Views:
    """The compiled functions of `<game>_views`. Each field is named after its function above, which documents it."""

    observe_rows: Entry
    write_full_states: Entry


@dataclass(frozen=True)
class CardViews:
    """The compiled functions of `<game>_cards`. Each field is named after its function above, which documents it."""

    write_cards: Entry
    write_open_cards: Entry


_PART = {"first": INT, "last": INT}


def _tables_of(game: Game) -> dict[str, Argument]:
    return {"states": written(game.state, "n"), "seats": read("i8", "n")}


@functools.cache
def views_of(game: Game) -> Views:
    """The compiled functions of a game in its library `<game>_views`."""
    declare = Library(f"{game.name}_views").entry
    return Views(
        observe_rows=declare(
            _observe_rows,
            {**_tables_of(game), "observations": written(game.observation, "n"), **_PART},
            long=True,
        ),
        write_full_states=declare(
            _write_full_states,
            {**_tables_of(game), "full": written(game.full_state, "n"), **_PART},
            long=True,
            write_full_state=game.write_full_state,
        ),
    )


@functools.cache
def card_views_of(game: Game) -> CardViews:
    """The compiled functions of a game in its library `<game>_cards`."""
    declare = Library(f"{game.name}_cards").entry
    arrays = {array.name: written("f4", "n", *array.shape) for array in game.cards.arrays}
    observed = {
        "seen": read(game.observation, "n"),
        "cells": read("u1", "n", game.observation.itemsize),
        "chosen": rows_of("n", "k"),
    }
    work = {"full": written(game.full_state, 1), "cells": written("u1", 1, game.full_state.itemsize)}
    return CardViews(
        write_cards=declare(_write_cards, {**observed, **arrays, **_PART}, long=True, write=game.cards.write),
        write_open_cards=declare(
            _write_open_cards,
            {**_tables_of(game), **work, **arrays, **_PART},
            long=True,
            write_full_state=game.write_full_state,
            write_full=game.cards.write_full,
        ),
    )


Arrays = dict[str, npt.NDArray[np.float32]]


def new_arrays(game: Game, rows: int) -> Arrays:
    """New arrays of the common layout with this number of rows, by name."""
    return {array.name: np.empty((rows, *array.shape), np.float32) for array in game.cards.arrays}


def encode_cards(
    game: Game,
    observations: npt.NDArray[np.uint8],
    out: Mapping[str, npt.NDArray[np.float32]] | None = None,
    *,
    rows: npt.NDArray[np.int64] | None = None,
    threads: int = 1,
) -> Arrays:
    """Convert a batch of observations to the common layout.

    Args:
        game: the game.
        observations: uint8 (n, bytes), the bytes of observation records.
        out: C-contiguous arrays to write into, by name; None: new arrays.
        rows: int64 (k,), the rows to write; None: all.
        threads: largest number of threads that share the rows.

    Returns:
        The arrays of `game.cards.arrays` by name, float32 (n, *shape).
    """
    cells = np.ascontiguousarray(observations)
    n = len(cells)
    arrays = new_arrays(game, n) if out is None else {name: out[name] for name in game.cards.shapes}
    chosen = np.arange(n) if rows is None else rows
    seen = cells.reshape(-1).view(game.observation)
    write = card_views_of(game).write_cards

    def part(first: int, last: int) -> None:
        write(seen, cells, chosen, *arrays.values(), first, last)

    in_parts(part, len(chosen), threads, ROWS_PER_THREAD)
    return arrays


def observe_rows(
    game: Game, states: npt.NDArray[Any], seats: npt.NDArray[np.int64], *, threads: int = 1
) -> npt.NDArray[np.uint8]:
    """The observation of the seat `seats[i]` of each table i: the bytes of records, uint8 (n, bytes), a new array."""
    return _rows_by(views_of(game).observe_rows, game.observation, states, seats, threads)


def full_states(
    game: Game, states: npt.NDArray[Any], seats: npt.NDArray[np.int64], *, threads: int = 1
) -> npt.NDArray[np.uint8]:
    """The full state of each table, with seats counted from the table's seat in `seats`.

    Returns:
        The bytes of records of `game.full_state`, uint8 (n, bytes), a new array.
    """
    return _rows_by(views_of(game).write_full_states, game.full_state, states, seats, threads)


def _rows_by(
    write: Any, kind: np.dtype[Any], states: npt.NDArray[Any], seats: npt.NDArray[np.int64], threads: int
) -> npt.NDArray[np.uint8]:
    """The bytes of one record of dtype `kind` for each table: uint8 (n, bytes), a new array.

    The compiled function `write` makes the record of a table from its state and its seat in `seats`.
    """
    records = np.zeros(len(states), kind)
    in_parts(lambda first, last: write(states, seats, records, first, last), len(states), threads, ROWS_PER_THREAD)
    return records.view(np.uint8).reshape(len(states), -1)


def open_cards(
    game: Game,
    states: npt.NDArray[Any],
    seats: npt.NDArray[np.int64],
    out: Mapping[str, npt.NDArray[np.float32]] | None = None,
    *,
    threads: int = 1,
) -> Arrays:
    """Each table in the common layout, with all cards face up and seats counted from the table's seat in `seats`.

    See `encode_cards` for the other arguments and the result.
    """
    arrays = new_arrays(game, len(states)) if out is None else {name: out[name] for name in game.cards.shapes}
    write_all = card_views_of(game).write_open_cards

    def part(first: int, last: int) -> None:
        work = np.zeros(1, game.full_state)
        cells = work.view(np.uint8).reshape(1, -1)
        write_all(states, seats, work, cells, *arrays.values(), first, last)

    in_parts(part, len(states), threads, ROWS_PER_THREAD)
    return arrays
