"""How is a game called from Python, and over many tables? Loops over arrays of states, one source for every game.

The loops below are plain Python with the names of a game's functions left open; `kernels_of` binds them to one game and
compiles them. States come in arrays (Numba takes an array in half a microsecond, a single record in ten), the first row
standing for a single table.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.actions import UnknownAction
from banakil_env.core.bits import clear_cells
from banakil_env.core.bound import (
    apply,
    carry_out,
    legal_mask,
    num_seats,
    observe,
    redeal_hidden,
    reward,
    seat_to_move,
    start,
    start_episode,
    status,
)
from banakil_env.core.game import Game
from banakil_env.core.jit import bind
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.random import random_below
from banakil_env.core.record_type import record_dtype

# Large enough for a player's own dice. The field before `rng` keeps Numba from accepting a longer record that begins
# with `rng` in place of this one: Numba would call the code for the smaller record, and warn.
GENERATOR = record_dtype(("unused", "<u8"), ("rng", "<u8"))

ILLEGAL = -1
OVER = -2


def _start_one(states: Any, seed: int) -> None:
    start(states[0], seed)


def _start_next(states: Any) -> None:
    start_episode(states[0])


def _legal_one(states: Any, mask: Any) -> None:
    legal_mask(states[0], mask)


def _apply_one(states: Any, action: int) -> int:
    """The next seat to move; OVER when the episode has ended; ILLEGAL if the action is refused and nothing changed."""
    state = states[0]
    if not apply(state, action):
        return ILLEGAL
    return OVER if status(state) else seat_to_move(state)


def _observe_one(states: Any, seat: int, observations: Any, mask: Any) -> None:
    """What a seat sees, and its legal actions as a mask (int8); all zero for a seat that is not to move."""
    observe(states[0], seat, observations[0])
    if seat_to_move(states[0]) == seat:
        legal_mask(states[0], mask)
    else:
        clear_cells(mask)


def _end_one(states: Any, kind: int, rewards: Any) -> int:
    """Write the reward of each seat into `rewards` (float64); returns `status`."""
    for seat in range(num_seats(states[0])):
        rewards[seat] = reward(states[0], seat, kind)
    return status(states[0])


def _redeal_hidden_one(states: Any, seat: int, seed: int) -> None:
    redeal_hidden(states[0], seat, seed)


def _random_play(states: Any, generators: Any, moves: int, mask: Any) -> int:
    """Play uniformly random legal moves at the first table, episode after episode; returns the episodes ended.

    `mask` (int8, num_actions) is written at every move.
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


@dataclass(frozen=True)
class Kernels:
    """The compiled loops of one game; see the functions above that they are named after."""

    start_one: Any
    start_next: Any
    legal_one: Any
    apply_one: Any
    observe_one: Any
    end_one: Any
    redeal_hidden_one: Any
    random_play: Any


@functools.cache
def kernels_of(game: Game) -> Kernels:
    """The loops bound to a game; compiled when first called, then kept on disk."""
    name = game.name
    return Kernels(
        start_one=bind(_start_one, f"{name}_start_one", start=game.engine.start),
        start_next=bind(_start_next, f"{name}_start_next", start_episode=game.engine.start_episode),
        legal_one=bind(_legal_one, f"{name}_legal_one", legal_mask=game.engine.legal_mask),
        apply_one=bind(
            _apply_one,
            f"{name}_apply_one",
            apply=game.engine.apply,
            status=game.engine.status,
            seat_to_move=game.engine.seat_to_move,
        ),
        observe_one=bind(
            _observe_one,
            f"{name}_observe_one",
            observe=game.engine.observe,
            legal_mask=game.engine.legal_mask,
            seat_to_move=game.engine.seat_to_move,
        ),
        end_one=bind(
            _end_one,
            f"{name}_end_one",
            num_seats=game.engine.num_seats,
            reward=game.engine.reward,
            status=game.engine.status,
        ),
        redeal_hidden_one=bind(
            _redeal_hidden_one, f"{name}_redeal_hidden_one", redeal_hidden=game.engine.redeal_hidden
        ),
        random_play=bind(
            _random_play,
            f"{name}_random_play",
            legal_mask=game.engine.legal_mask,
            carry_out=game.engine.carry_out,
            status=game.engine.status,
            start_episode=game.engine.start_episode,
        ),
    )


def writable(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, or a copy if read-only: compiled code would be compiled a second time for a read-only array."""
    return states if states.flags.writeable else states.copy()


def legal_actions(game: Game, state: Any) -> list[int]:
    """The legal actions of a sound state, ascending."""
    mask = np.empty(game.num_actions, np.int8)
    kernels_of(game).legal_one(writable(np.asarray(state).reshape(1)), mask)
    return [int(action) for action in np.flatnonzero(mask)]


def refusal(game: Game, state: Any, action: Any, *, numbered: bool = True) -> str:
    """Why an action is refused: the action, what is to be decided, and what is legal instead.

    Args:
        numbered: name the index of the action too. Card players read the words alone.
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
