"""Checks the arguments of environments and converts them for the compiled loops."""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from banakil_env.core import batch, engine
from banakil_env.core.actions import UnknownAction
from banakil_env.core.answers import refuse_masked
from banakil_env.core.checking import check_blanks, check_states
from banakil_env.core.game import IN_UNITS, POINTS, RUNNING, BadState, Game, IllegalAction, reward_kind
from banakil_env.core.hints import no_argument
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import writable
from banakil_env.envs.variants import Variants, variants_of

MAX_TABLES = 2**24  # limit for one batch; this number takes tens of gigabytes
MAX_THREADS = 1024  # limit for one batch

_SEATINGS = {"rotating": batch.ROTATING, "random": batch.RANDOM_SEAT}


def check_names(environment: type[Any], game: Game, options: Mapping[str, Any]) -> None:
    """Raise TypeError if an argument is neither an argument of the environment nor an option of the game.

    The message lists all arguments and options.
    """
    unknown = sorted(set(options) - set(game.option_names))
    if not unknown:
        return
    parameters = list(inspect.signature(environment.__init__).parameters.values())[1:]  # without self
    own = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    raise TypeError(
        f"{no_argument(environment.__name__, unknown, [*own, *game.option_names])}; its arguments are "
        f"{', '.join(own)}, and the options of {game.name}: {', '.join(game.option_names)}"
    )


def num_seats_of(game: Game, state: Any) -> int:
    """The number of players of a state, read in the interpreter: passing a single record to a compiled function is
    slow.
    """
    return int(interpreted(engine.num_seats)(state))


def partners_of(game: Game, state: Any) -> tuple[int, ...]:
    """The partner's seat of each seat, in the order of the seats; () if every seat plays alone."""
    side_of = interpreted(engine.side_of)
    sides = [int(side_of(state, seat)) for seat in range(num_seats_of(game, state))]
    if len(set(sides)) == len(sides):
        return ()
    return tuple(
        next(other for other, side in enumerate(sides) if side == own and other != seat)
        for seat, own in enumerate(sides)
    )


def checked_action(game: Game, action: Any) -> int:
    """The action as a plain `int`.

    Raises:
        IllegalAction: not an action of the game.
    """
    try:
        return game.actions.check(action)
    except UnknownAction as error:
        raise IllegalAction(str(error)) from None


def checked_actions(game: Game, actions: Any, num_tables: int) -> npt.NDArray[Any]:
    """One whole number for each table, as an array. Whether each is legal is checked later.

    Raises:
        ValueError: not one number for each table.
        IllegalAction: booleans, fractions or other values that are not integers.
    """
    refuse_masked(actions, "actions")
    given = np.asarray(actions)
    if given.shape != (num_tables,):
        raise ValueError(f"step() takes one action per table, an array of shape ({num_tables},), not {given.shape}")
    # NumPy would convert booleans in a list of integers to integers.
    mixed = not isinstance(actions, np.ndarray) and any(isinstance(each, (bool, np.bool_)) for each in actions)
    if given.dtype.kind not in "iu" or mixed:
        found = "a list with truth values" if mixed else given.dtype
        raise IllegalAction(
            f"actions are whole numbers from 0 to {game.num_actions - 1}, an array of an integer dtype, not {found}"
        )
    return given


def checked_rows(rows: npt.ArrayLike, num_tables: int, repeated: bool = False) -> npt.NDArray[np.int64]:
    """The numbers of some rows of a batch, int64 (k,).

    Args:
        rows: whole numbers, or a boolean for each table.
        num_tables: number of rows of the batch.
        repeated: whether a row can be named several times.

    Raises:
        TypeError: neither whole numbers nor a boolean for each table.
        ValueError: there is no such row, or a row is repeated that must not be.
    """
    if isinstance(rows, np.ma.MaskedArray):
        raise TypeError("rows must be a plain array, not a masked array (numpy.ma)")
    given = np.asarray(rows)
    if given.dtype == np.bool_ and given.shape == (num_tables,):
        return np.flatnonzero(given)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise TypeError(f"rows must be whole numbers or {num_tables} booleans, not {rows!r}")
    if given.size and (given.min() < 0 or given.max() >= num_tables):
        raise ValueError(f"there are rows 0 to {num_tables - 1}, not {rows!r}")
    if not repeated and len(np.unique(given)) != len(given):
        raise ValueError(f"a row is named twice in {rows!r}, but each can be written only once")
    return given.astype(np.int64)


def checked_seat(seat: Any, num_seats: int) -> int:
    """The seat as a plain `int`.

    Raises:
        ValueError: there is no such seat.
    """
    try:
        number = -1 if isinstance(seat, (bool, np.ndarray)) else operator.index(seat)
    except TypeError:
        number = -1
    if not 0 <= number < num_seats:
        raise ValueError(f"there is no seat {seat!r:.80}: {num_seats} play, seats from 0 on")
    return number


def checked_autoreset(mode: AutoresetMode | str, name: str = "autoreset") -> AutoresetMode:
    """The mode, which can be given as a member of AutoresetMode or by its value.

    Raises:
        ValueError: there is no such mode; the message names the modes.
    """
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(repr(each.value) for each in AutoresetMode)
        raise ValueError(f"{name} must be one of {known}, not {mode!r:.80}") from None


def reset_rows(options: Mapping[str, Any] | None, num_tables: int) -> npt.NDArray[np.bool_] | None:
    """The rows that `options["reset_mask"]` of a vector environment selects, bool (num_tables,); None: all rows.

    Raises:
        ValueError: another array.
    """
    if options is None or options.get("reset_mask") is None:
        return None
    mask = np.asarray(options["reset_mask"])
    if mask.shape != (num_tables,) or mask.dtype != np.bool_ or isinstance(options["reset_mask"], np.ma.MaskedArray):
        raise ValueError(
            f"options['reset_mask'] must be {num_tables} truth values, one for each table, not {mask.dtype} of shape "
            f"{mask.shape}"
        )
    return mask


def check_table(game: Game, states: npt.NDArray[Any], num_seats: int, dealt: bool) -> None:
    """Check that an environment with this number of players can continue from a state, as in `reset`.

    Args:
        game: the game.
        states: an array of one state.
        num_seats: the number of players of the environment.
        dealt: whether cards are dealt; else the record must hold only the rules.

    Raises:
        BadState: not a position of the game.
        TypeError, ValueError: another kind of array, or another number of players.
    """
    check_buffer("the state", states, (1,), game.state)
    (check_states if dealt else check_blanks)(game, states)
    if num_seats_of(game, states[0]) != num_seats:
        raise ValueError(
            f"the position is for {num_seats_of(game, states[0])} players, the environment for {num_seats}: "
            f"make one with that number of players"
        )


def checked_position(game: Game, position: Any, num_seats: int) -> npt.NDArray[Any]:
    """The state to begin from, as an array of one record, which can share memory with `position`.

    Args:
        game: the game.
        position: a state record, or its text.
        num_seats: the number of players of the environment.

    Raises:
        PositionError: a text that cannot be read.
        BadState: not a position of the game.
        ValueError: a position of another game, for another number of players, or of a game that is over.
    """
    if isinstance(position, str):
        states = game.texts.from_text(position)
    else:
        states = np.ascontiguousarray(position).reshape(-1)
        if states.dtype != game.state or states.size != 1:
            raise ValueError(
                f"options['position'] must be a state of {game.name} or its text, not {type(position).__name__}"
            )
        states = states.view(game.state)  # records from numpy.load have no attributes
    states = writable(states)
    check_table(game, states, num_seats, dealt=True)
    if interpreted(engine.status)(states[0]) != RUNNING:
        raise ValueError("the position is of a game that is over: there is nothing to play")
    return states


def check_controls(game: Game, controls: npt.NDArray[Any], num_seats: npt.NDArray[np.int64], num_players: int) -> None:
    """Raise BadState for records of `core.batch.control_dtype` that no batch can have written.

    Args:
        game: the game.
        controls: the records, one per table.
        num_seats: int64 (n,), the number of players of each table.
        num_players: the number of Python players that can play at the tables.
    """
    seats = (batch.NOBODY, num_seats - 1)
    bounds: dict[str, tuple[int, Any]] = {
        "learner": seats,
        "last_learner": seats,
        "acted": seats,
        "seating": (batch.EVERY_SEAT, num_seats - 1),
        "reward": (0, IN_UNITS + POINTS),
        "truncates": (0, 1),
        "players": (batch.PLAYERS + 1 - num_players, len(game.kinds) - 1),
    }
    for name, (low, high) in bounds.items():
        values = controls[name]
        wrong = (values < low) | (values > high)
        if wrong.any():
            row = int(np.argmax(wrong.reshape(len(controls), -1).any(axis=1)))
            raise BadState(f"row {row}: {name} is {values[row]}, which no batch of {game.title} has written")


def check_flag(name: str, value: Any) -> bool:
    """The value of an option that is either true or false.

    Raises:
        TypeError: any other value.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {value!r:.80}")
    return bool(value)


def new_tables(
    game: Game, tables: int | Sequence[Mapping[str, Any]], shared: Mapping[str, Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[np.int8], list[Variants | None] | None]:
    """Make the tables of a batch from their options.

    Args:
        game: the game.
        tables: the number of tables, or a dict of options for each table.
        shared: options for all tables.

    Returns:
        For each table the blank state, the number of players, the number of its kind of reward, and a list of the rules
            from which its episodes are drawn, with None for tables without a draw (None instead of the list if no table
            draws rules).

    Raises:
        TypeError, ValueError: invalid tables or options.
    """
    if isinstance(tables, (int, np.integer)) and not isinstance(tables, bool):
        if tables > MAX_TABLES:
            raise ValueError(f"a batch has at most {MAX_TABLES:,} tables, not {tables:,}: make several batches")
        options: Sequence[Mapping[str, Any]] = [{}] * int(tables) if tables > 0 else []
    elif isinstance(tables, Sequence) and all(isinstance(table, Mapping) for table in tables):
        options = tables
    else:
        raise TypeError(f"tables must be a number, or a sequence with a dict of options for each table, not {tables!r}")
    if not options:
        raise ValueError(f"a batch has at least one table, not {tables!r}")
    states = np.zeros(len(options), game.state)
    num_seats = np.zeros(len(options), np.int64)
    rewards = np.zeros(len(options), np.int8)
    variants: list[Variants | None] = []
    blanks: dict[str, tuple[Any, int, int, Variants | None]] = {}
    for row, own in enumerate(options):
        chosen = {**shared, **own}
        key = repr(sorted(chosen.items()))
        if key not in blanks:
            blanks[key] = _blank(game, chosen)
        states[row], num_seats[row], rewards[row], variant = blanks[key]
        variants.append(variant)
    return states, num_seats, rewards, variants if any(variants) else None


def _blank(game: Game, options: dict[str, Any]) -> tuple[Any, int, int, Variants | None]:
    kind = reward_kind(options.pop("reward"), options.pop("reward_scale"))
    unknown = sorted(set(options) - set(game.option_names))
    if unknown:
        raise TypeError(
            f"a table has no option {', '.join(map(repr, unknown))}; its options are reward, reward_scale, "
            f"{', '.join(game.option_names)}"
        )
    variants = variants_of(game, options)
    state = (game.new(**options) if variants is None else variants.blank(0))[0]
    return state, num_seats_of(game, state), kind, variants


def seating_number(seat: int | str | None, opponents: Any, places: int | None, num_seats: npt.NDArray[np.int64]) -> int:
    """The learner's seat as a number for the batch loop: a seat, ROTATING, RANDOM_SEAT or EVERY_SEAT.

    Raises:
        ValueError: an invalid seat, or a seat without opponents.
    """
    if opponents is None:
        if seat is not None:
            raise ValueError(
                f"seat={seat!r} needs opponents for the other seats; without opponents, the caller plays every seat"
            )
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
        raise ValueError(
            f"a tuple of {places} opponents was given for a table of {odd} players, the learner included: a tuple has "
            f"one for each other seat; write a list for a pool, from which every seat draws"
        )


def check_buffer(name: str, array: Any, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
    kind = np.dtype(dtype)
    said = f"records of {kind.itemsize} bytes" if kind.names else kind
    wanted = f"{name} must be a NumPy array of {said}, shape {shape}, C-contiguous and writeable"
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{wanted}; not {type(array).__name__}")
    if array.dtype != dtype:
        raise TypeError(f"{wanted}; not of {array.dtype if array.dtype.names is None else 'other records'}")
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
                raise ValueError(f"{name} and {other_name} share memory")


def check_threads(threads: int | None) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be 1 to {MAX_THREADS}, or None for one per core, not {threads!r:.80}")
    return threads
