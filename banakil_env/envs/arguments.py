"""What may a batch be made of? What a caller gives is checked here, and made into what the loop takes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core import batch
from banakil_env.core.game import REWARDS, Game

_SEATINGS = {"rotating": batch.ROTATING, "random": batch.RANDOM_SEAT}


def new_tables(
    game: Game, tables: int | Sequence[Mapping[str, Any]], shared: Mapping[str, Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[np.int8]]:
    """The blank state of each table, how many play there, and the kind of reward."""
    if isinstance(tables, (int, np.integer)) and not isinstance(tables, bool):
        options: Sequence[Mapping[str, Any]] = [{}] * int(tables) if tables > 0 else []
    elif isinstance(tables, Sequence) and all(isinstance(table, Mapping) for table in tables):
        options = tables
    else:
        raise TypeError(f"tables must be their number or a sequence of options, one dict a table; not {tables!r}")
    if not options:
        raise ValueError(f"a batch has at least one table, and {tables!r} were asked for")
    states = np.zeros(len(options), game.state)
    num_seats = np.zeros(len(options), np.int64)
    rewards = np.zeros(len(options), np.int8)
    blanks: dict[str, tuple[Any, int, int]] = {}
    for row, own in enumerate(options):
        chosen = {**shared, **own}
        key = repr(sorted(chosen.items()))
        if key not in blanks:
            blanks[key] = _blank(game, chosen)
        states[row], num_seats[row], rewards[row] = blanks[key]
    return states, num_seats, rewards


def _blank(game: Game, options: dict[str, Any]) -> tuple[Any, int, int]:
    reward = options.pop("reward")
    if reward not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(map(repr, REWARDS))}, not {reward!r}")
    unknown = sorted(set(options) - set(game.option_names))
    if unknown:
        raise TypeError(f"unknown option {', '.join(unknown)}; {game.name} takes {', '.join(game.option_names)}")
    state = game.new(**options)[0]
    # In the interpreter: a single record is what compiled functions are slow to take.
    return state, getattr(game.engine.num_seats, "py_func", game.engine.num_seats)(state), REWARDS[reward]


def seating_number(seat: int | str | None, opponents: Any, places: int | None, num_seats: npt.NDArray[np.int64]) -> int:
    """Where the learner sits, as the loop takes it."""
    if opponents is None:
        if seat is not None:
            raise ValueError(f"seat={seat!r} needs opponents for the other seats; without, every seat is served")
        return batch.EVERY_SEAT
    check_places(places, num_seats)
    if seat is None:
        return batch.ROTATING
    if isinstance(seat, str) and seat in _SEATINGS:
        return _SEATINGS[seat]
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < num_seats.min():
        raise ValueError(f"seat must be 0 to {num_seats.min() - 1}, 'rotating' or 'random', not {seat!r}")
    return int(seat)


def check_places(places: int | None, num_seats: npt.NDArray[np.int64]) -> None:
    if places is not None and (num_seats != places + 1).any():
        odd = num_seats[np.argmax(num_seats != places + 1)]
        raise ValueError(f"a tuple of {places} opponents was given for a table of {odd} players, the learner included")


def check_buffer(name: str, array: Any, shape: tuple[int, ...], dtype: type[np.generic]) -> None:
    wanted = f"{name} must be a NumPy array of {np.dtype(dtype)}, shape {shape}, C-contiguous and writeable"
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{wanted}; not {type(array).__name__}")
    if array.dtype != dtype:
        raise TypeError(f"{wanted}; not of {array.dtype}")
    if array.shape != shape:
        raise ValueError(f"{wanted}; not of shape {array.shape}")
    if not array.flags.c_contiguous or not array.flags.aligned:
        raise ValueError(f"{wanted}; its strides are {array.strides}")
    if not array.flags.writeable:
        raise ValueError(f"{wanted}; this one is read-only")


def check_apart(buffers: Mapping[str, npt.NDArray[Any]]) -> None:
    arrays = list(buffers.items())
    for i, (name, array) in enumerate(arrays):
        for other_name, other in arrays[i + 1 :]:
            if np.may_share_memory(array, other):
                raise ValueError(f"{name} and {other_name} lie in the same memory")


def check_threads(threads: int | None) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads must be 1 or more, or None for one a core, not {threads!r}")
    return threads
