"""What may an environment be given? What a caller gives is checked here, and made into what the loops take."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from banakil_env.core import batch
from banakil_env.core.actions import UnknownAction
from banakil_env.core.checking import check_states
from banakil_env.core.game import REWARDS, RUNNING, BadState, Game, IllegalAction
from banakil_env.core.jit import interpreted

_SEATINGS = {"rotating": batch.ROTATING, "random": batch.RANDOM_SEAT}


def num_seats_of(game: Game, state: Any) -> int:
    """How many play, as a plain number. In the interpreter: compiled functions are slow to take a single record."""
    return int(interpreted(game.engine.num_seats)(state))


def checked_action(game: Game, action: Any) -> int:
    """The action as a plain number of the table. IllegalAction: it is none."""
    try:
        return game.actions.check(action)
    except UnknownAction as error:
        raise IllegalAction(str(error)) from None


def checked_actions(game: Game, actions: Any, num_tables: int) -> npt.NDArray[Any]:
    """One whole number a table, as an array; whether each is legal is asked later.

    Raises:
        ValueError: not one a table. IllegalAction: truth values, fractions or anything else that is no number.
    """
    given = np.asarray(actions)
    if given.shape != (num_tables,):
        raise ValueError(f"step() takes one action a table, an array of shape ({num_tables},), not {given.shape}")
    # NumPy would make whole numbers of truth values that stand in a list with them.
    mixed = not isinstance(actions, np.ndarray) and any(isinstance(each, (bool, np.bool_)) for each in actions)
    if given.dtype.kind not in "iu" or mixed:
        found = "a list with truth values" if mixed else given.dtype
        raise IllegalAction(
            f"actions are whole numbers from 0 to {game.num_actions - 1}, an array of an integer dtype, not {found}"
        )
    return given


def checked_seat(seat: Any, num_seats: int) -> int:
    """The seat as a plain number. ValueError: there is none such."""
    try:
        number = -1 if isinstance(seat, (bool, np.ndarray)) else operator.index(seat)
    except TypeError:
        number = -1
    if not 0 <= number < num_seats:
        raise ValueError(f"there is no seat {seat!r:.80}: {num_seats} play, seats from 0 on")
    return number


def autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """The mode, itself or its value. ValueError: there is no such mode, and which there are."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(repr(each.value) for each in AutoresetMode)
        raise ValueError(f"autoreset must be one of {known}, not {mode!r:.80}") from None


def checked_position(game: Game, position: Any, num_seats: int) -> npt.NDArray[Any]:
    """The state to begin from, an array of one that may share the caller's memory.

    Args:
        position: a record of the game's state, or a text of one. num_seats: how many play in the environment.

    Raises:
        PositionError: a text that cannot be read. BadState: no position of the game. ValueError: one of another game,
            for another number of players, or that is over.
    """
    if isinstance(position, str):
        states = game.texts.from_text(position)
    else:
        states = np.ascontiguousarray(position).reshape(-1)
        if states.dtype != game.state or states.size != 1:
            raise ValueError(
                f"options['position'] must be a state of {game.name} or its text, not {type(position).__name__}"
            )
    check_states(game, states)
    if num_seats_of(game, states[0]) != num_seats:
        raise ValueError(
            f"the position is for {num_seats_of(game, states[0])} players, the environment for {num_seats}: "
            f"make one with that number of players"
        )
    if interpreted(game.engine.status)(states[0]) != RUNNING:
        raise ValueError("the position is of a game that is over: there is nothing to play")
    return states


def check_controls(game: Game, controls: npt.NDArray[Any], num_seats: npt.NDArray[np.int64], num_players: int) -> None:
    """BadState: records of `core.batch.control_dtype` that no batch has written.

    Args:
        num_seats: of each table. num_players: how many Python players may sit at them.
    """
    seats = (batch.NOBODY, num_seats - 1)
    bounds: dict[str, tuple[int, Any]] = {
        "learner": seats,
        "last_learner": seats,
        "acted": seats,
        "seating": (batch.EVERY_SEAT, num_seats - 1),
        "reward": (0, max(REWARDS.values())),
        "players": (batch.PLAYERS + 1 - num_players, len(game.kinds) - 1),
    }
    for name, (low, high) in bounds.items():
        values = controls[name]
        wrong = (values < low) | (values > high)
        if wrong.any():
            row = int(np.argmax(wrong.reshape(len(controls), -1).any(axis=1)))
            raise BadState(f"row {row}: {name} is {values[row]}, which no batch of {game.title} has written")


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
    return state, num_seats_of(game, state), REWARDS[reward]


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
