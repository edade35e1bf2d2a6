"""How do many tables move at once? Compiled loops over arrays of states, bound to a game like those of `core.kernels`.

Each takes the numbers of the tables that it works on, so that the tables of one player are seen, decided and moved
together, in a call each, whatever the others do.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.bound import act, apply, legal_mask, observe, seat_to_move, start, status
from banakil_env.core.game import Game
from banakil_env.core.jit import bind
from banakil_env.core.kernels import ILLEGAL, OVER
from banakil_env.core.random import random_bits, seed_generator


def _start_many(states: Any, seeds: Any, to_move: Any) -> None:
    """Deal every table from its seed (uint64); `to_move` (int64) becomes the seat to move."""
    for table in range(states.shape[0]):
        start(states[table], seeds[table])
        to_move[table] = seat_to_move(states[table])


def _seed_many(generators: Any, seeds: Any) -> None:
    """Start every generator from its seed (uint64)."""
    for i in range(generators.shape[0]):
        seed_generator(generators[i], seeds[i])


def _throw_many(generators: Any, which: Any, dice: Any) -> None:
    """The next random bits (uint64) of some generators, row by row."""
    for row in range(which.shape[0]):
        dice[row] = random_bits(generators[which[row]])


def _look_many(states: Any, tables: Any, observations: Any, masks: Any, generators: Any, dice: Any) -> None:
    """Write what the seat to move sees, its mask and its next random bits, for each of `tables`, row by row."""
    for row in range(tables.shape[0]):
        table = tables[row]
        seat = seat_to_move(states[table])
        observe(states[table], seat, observations[row])
        legal_mask(states[table], masks[row])
        dice[row] = random_bits(generators[table])


def _move_many(states: Any, tables: Any, actions: Any, to_move: Any) -> None:
    """Carry out one action (int64) at each of `tables`; `to_move` becomes the next seat, OVER, or ILLEGAL."""
    for row in range(tables.shape[0]):
        state = states[tables[row]]
        if not apply(state, actions[row]):
            to_move[tables[row]] = ILLEGAL
        elif status(state):
            to_move[tables[row]] = OVER
        else:
            to_move[tables[row]] = seat_to_move(state)


def _decide_many(observations: Any, masks: Any, dice: Any, generators: Any, actions: Any) -> None:
    """What a compiled player does in each row; `generators` is one record to throw its dice with."""
    for row in range(observations.shape[0]):
        generators[0].rng = dice[row]
        actions[row] = wide(act(observations[row], masks[row], generators[0]))


@dataclass(frozen=True)
class ArenaKernels:
    """The compiled loops of one game; see the functions above that they are named after."""

    start_many: Any
    seed_many: Any
    throw_many: Any
    look_many: Any
    move_many: Any


@functools.cache
def arena_kernels_of(game: Game) -> ArenaKernels:
    """The loops bound to a game; compiled when first called, then kept on disk."""
    name = game.name
    return ArenaKernels(
        start_many=bind(
            _start_many, f"{name}_start_many", start=game.engine.start, seat_to_move=game.engine.seat_to_move
        ),
        seed_many=bind(_seed_many, f"{name}_seed_many"),
        throw_many=bind(_throw_many, f"{name}_throw_many"),
        look_many=bind(
            _look_many,
            f"{name}_look_many",
            observe=game.engine.observe,
            seat_to_move=game.engine.seat_to_move,
            legal_mask=game.engine.legal_mask,
        ),
        move_many=bind(
            _move_many,
            f"{name}_move_many",
            apply=game.engine.apply,
            status=game.engine.status,
            seat_to_move=game.engine.seat_to_move,
        ),
    )


@functools.cache
def decide_many_of(game: Game, kind: int) -> Any:
    """`_decide_many` bound to the compiled player `kind` of a game."""
    return bind(_decide_many, f"{game.name}_decide_many_{kind}", act=tuple(game.players.values())[kind])
