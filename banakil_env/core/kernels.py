"""Loops over arrays of states that are called from Python; one source for every game.

The loops call the functions of `engine.py`. `kernels_of` declares the loops of one game, in its library
`<game>_tables`. States are always passed as arrays; functions for a single table use the first row.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.actions import UnknownAction
from banakil_env.core.bits import clear_cells
from banakil_env.core.bounds import bounds_of, first_out_of_bounds
from banakil_env.core.engine import (
    apply,
    carry_out,
    check,
    legal_mask,
    num_seats,
    observe,
    redeal_hidden,
    scaled_reward,
    seat_to_move,
    start,
    start_episode,
    status,
)
from banakil_env.core.features import Features
from banakil_env.core.game import Game
from banakil_env.core.jit import INT, SEED, Argument, Entry, Library, inlined, read, rows_of, written
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.random import random_below, random_bits
from banakil_env.core.record_type import record_dtype

# A record that holds a player's random generator. The field before `rng` prevents Numba from passing a longer record
# that begins with `rng` as this type: Numba would call the code for the smaller record, with a warning.
GENERATOR = record_dtype(("unused", "<u8"), ("rng", "<u8"))

ILLEGAL = -1
OVER = -2

# The results of `first_fault`: SOUND, or row * FAULTS + the fault. A game has fewer than FAULTS faults.
SOUND = -1
FAULTS = 1 << 16

# `kernels_of` binds these to the bounds of a state (`core.bounds.Bounds`).
LOWEST: Any = None
SPAN: Any = None
WIDE: Any = None
PLACED: Any = None


def write(seen: Any, cells: Any, out: Any, depths: Any) -> None:
    """Write the features of an observation and the pile by depth; a placeholder that `write_rows_in` binds."""
    raise NotImplementedError


def _start_one(states: Any, seed: int) -> None:
    start(states[0], seed)


def _start_next(states: Any) -> None:
    start_episode(states[0])


def _legal_one(states: Any, mask: Any) -> None:
    legal_mask(states[0], mask)


def _apply_one(states: Any, action: int) -> int:
    """Carry out an action. Returns the next seat to move; OVER if the episode has ended; ILLEGAL if nothing has
    changed.
    """
    state = states[0]
    if not apply(state, action):
        return ILLEGAL
    return OVER if status(state) else seat_to_move(state)


@inlined
def _look(state: Any, seat: int, observation: Any, mask: Any) -> None:
    observe(state, seat, observation)
    if seat_to_move(state) == seat:
        legal_mask(state, mask)
    else:
        clear_cells(mask)


def _observe_one(states: Any, seat: int, observations: Any, mask: Any) -> None:
    """Write the observation of a seat, and the mask of its legal actions (int8); all zero for a seat that is not to
    move.
    """
    _look(states[0], seat, observations[0], mask)


def _show_one(states: Any, seat: int, observations: Any, mask: Any, cells: Any, features: Any, depths: Any) -> None:
    """Like `_observe_one`, and write the features of the observation; `cells` are the bytes of the observation."""
    _look(states[0], seat, observations[0], mask)
    write(observations[0], cells[0], features[0], depths[0])


def _end_one(states: Any, kind: int, rewards: Any) -> int:
    """Write the reward of each seat into `rewards` (float64), as `engine.scaled_reward` computes it. Returns the
    status.
    """
    for seat in range(min(num_seats(states[0]), rewards.shape[0])):
        rewards[seat] = scaled_reward(states[0], seat, kind)
    return status(states[0])


def _redeal_hidden_one(states: Any, seat: int, seed: int) -> None:
    redeal_hidden(states[0], seat, seed)


def _random_play(states: Any, generators: Any, moves: int, mask: Any) -> int:
    """Play `moves` random legal moves at the first table, over several episodes. Returns the number of ended episodes.

    All legal moves are equally likely. `mask` (int8, num_actions) is overwritten at every move.
    """
    state, generator = states[0], generators[0]
    episodes = 0
    for _ in range(moves):
        legal_mask(state, mask)
        carry_out(state, legal_at(mask, random_below(generator, count_legal(mask))))
        if status(state):
            start_episode(state)
            episodes += 1
    return episodes


def _start_many(states: Any, seeds: Any, to_move: Any) -> None:
    """Deal every table from its seed (uint64), and write the seat to move into `to_move` (int64)."""
    for table in range(states.shape[0]):
        start(states[table], seeds[table])
        to_move[table] = seat_to_move(states[table])


def _look_many(states: Any, tables: Any, observations: Any, masks: Any, generators: Any, dice: Any) -> None:
    """Write the observation and the mask of the seat to move, and 64 random bits, for each of `tables`.

    Row k of `observations`, `masks` and `dice` belongs to the table `tables[k]`.
    """
    for row in range(tables.shape[0]):
        table = tables[row]
        seat = seat_to_move(states[table])
        observe(states[table], seat, observations[row])
        legal_mask(states[table], masks[row])
        dice[row] = random_bits(generators[table])


def _move_many(states: Any, tables: Any, actions: Any, to_move: Any) -> None:
    """Carry out `actions[k]` at the table `tables[k]`; write its next seat, OVER or ILLEGAL into `to_move`."""
    for row in range(tables.shape[0]):
        state = states[tables[row]]
        if not apply(state, actions[row]):
            to_move[tables[row]] = ILLEGAL
        elif status(state):
            to_move[tables[row]] = OVER
        else:
            to_move[tables[row]] = seat_to_move(state)


def _first_fault(states: Any, cells: Any) -> int:
    """Find the first unsound state. Returns SOUND if there is none, else its row * FAULTS + its fault.

    The fault is the result of `check`, or 0 for a number that is out of bounds. `cells` are the bytes of the states.
    """
    for row in range(states.shape[0]):
        if first_out_of_bounds(cells[row], LOWEST, SPAN, WIDE, PLACED) >= 0:
            return row * FAULTS
        fault = check(states[row])
        if fault:
            return row * FAULTS + fault
    return SOUND


def _write_rows(seen: Any, cells: Any, rows: Any, out: Any, depths: Any, first: int, last: int) -> None:
    """Write the features and pile depths of the observations whose indices are in rows[first:last]."""
    for k in range(max(first, 0), min(last, rows.shape[0])):
        row = rows[k]
        write(seen[row], cells[row], out[row], depths[row])


@dataclass(frozen=True)
class Kernels:
    """The compiled functions of one game. Each field is named after its function above, which documents it."""

    start_one: Entry
    start_next: Entry
    legal_one: Entry
    apply_one: Entry
    observe_one: Entry
    show_one: Entry
    end_one: Entry
    redeal_hidden_one: Entry
    random_play: Entry
    start_many: Entry
    look_many: Entry
    move_many: Entry
    first_fault: Entry
    write_rows: Entry


@functools.cache
def kernels_of(game: Game) -> Kernels:
    """The compiled functions of a game, in its library `<game>_tables`."""
    declare = Library(f"{game.name}_tables").entry
    bounds = bounds_of(game.state_fields)
    state, states, observation = written(game.state, 1), written(game.state, "n"), written(game.observation, 1)
    mask, generator = written("i1", game.num_actions), written(GENERATOR, 1)
    looked = {
        "observations": written(game.observation, "k"),
        "masks": written("i1", "k", game.num_actions),
        "generators": written(GENERATOR, "n"),
        "dice": written("u8", "k"),
    }
    tables, to_move = rows_of("n", "k"), written("i8", "n")
    return Kernels(
        start_one=declare(_start_one, {"states": state, "seed": SEED}),
        start_next=declare(_start_next, {"states": state}),
        legal_one=declare(_legal_one, {"states": state, "mask": mask}),
        apply_one=declare(_apply_one, {"states": state, "action": INT}, result=True),
        observe_one=declare(
            _observe_one,
            {"states": state, "seat": INT, "observations": observation, "mask": mask},
        ),
        show_one=declare(
            _show_one,
            {"states": state, "seat": INT, "observations": observation, "mask": mask, **shown_arrays(game, 1)},
            write=game.features.write,
        ),
        end_one=declare(
            _end_one,
            {"states": state, "kind": INT, "rewards": written("f8", "seats")},
            result=True,
        ),
        redeal_hidden_one=declare(_redeal_hidden_one, {"states": state, "seat": INT, "seed": SEED}),
        random_play=declare(
            _random_play,
            {"states": state, "generators": generator, "moves": INT, "mask": mask},
            result=True,
            long=True,
        ),
        start_many=declare(_start_many, {"states": states, "seeds": read("u8", "n"), "to_move": to_move}),
        look_many=declare(_look_many, {"states": states, "tables": tables, **looked}, long=True),
        move_many=declare(
            _move_many,
            {"states": states, "tables": tables, "actions": read("i8", "k"), "to_move": to_move},
            long=True,
        ),
        first_fault=declare(
            _first_fault,
            {"states": states, "cells": read("u1", "n", game.state.itemsize)},
            result=True,
            LOWEST=bounds.lowest,
            SPAN=bounds.span,
            WIDE=bounds.wide,
            PLACED=bounds.placed,
        ),
        write_rows=write_rows_in(declare, game, game.features),
    )


def write_rows_in(declare: Callable[..., Entry], game: Game, features: Features) -> Entry:
    """The compiled function that writes these features, declared in a library.

    Args:
        declare: adds an entry to a library (`Library.entry`).
        game: the game.
        features: one of its layouts.
    """
    arguments = {
        "seen": read(game.observation, "n"),
        "cells": read("u1", "n", game.observation.itemsize),
        "rows": rows_of("n", "k"),
        "out": written("f4", "n", features.width),
        "depths": written("u1", "n", features.max_depth),
        "first": INT,
        "last": INT,
    }
    return declare(_write_rows, arguments, long=True, write=features.write)


def shown_arrays(game: Game, rows: int | str) -> dict[str, Argument]:
    """Declare the arguments of compiled functions that write features, by name.

    `cells` are the bytes of the observations.

    Args:
        game: the game.
        rows: the number of rows, or the name of a size that the arrays share.
    """
    return {
        "cells": read("u1", rows, game.observation.itemsize),
        "features": written("f4", rows, game.features.width),
        "depths": written("u1", rows, game.features.max_depth),
    }


def writable(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, or a copy if it is read-only: compiled code requires writable arrays."""
    return states if states.flags.writeable else states.copy()


def legal_actions(game: Game, state: Any) -> list[int]:
    """The legal actions of a sound state, in ascending order."""
    mask = np.empty(game.num_actions, np.int8)
    kernels_of(game).legal_one(writable(np.asarray(state).reshape(1)), mask)
    return [int(action) for action in np.flatnonzero(mask)]


def refusal(game: Game, state: Any, action: Any, *, numbered: bool = True) -> str:
    """The message for an illegal action: the action, the decision and the legal actions.

    Args:
        game: the game.
        state: the state.
        action: the action, of any type.
        numbered: add the index of the action; leave it out for card players.
    """
    try:
        index = game.actions.check(action)
    except UnknownAction as error:
        return str(error)
    said = f"{game.actions.text(index)!r}" + (f" ({index})" if numbered else "")
    legal = legal_actions(game, state)
    if not legal:
        return f"{said} comes after the end: the game is over ({game.outcome(state).text}); start another"
    texts = ", ".join(game.actions.text(each) for each in legal)
    return f"{said} is not legal: {game.texts.explain(state)}; legal are: {texts}"
