"""Compiled functions that call the compiled players of a game, in its library `<game>_players`.

A compiled player is a function `act(observation, mask, generator) -> action`. Its kind is its index in `Game.players`.
A compiled loop that contains all players is as fast as a loop without players.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banakil_env.core.batch import action_of, advance_in
from banakil_env.core.engine import (
    apply,
    carry_out,
    legal_mask,
    num_seats,
    observe,
    reward,
    seat_to_move,
    shuffle_hidden,
    status,
)
from banakil_env.core.game import Act, Game
from banakil_env.core.jit import INT, Entry, Library, bind, bind_inlined, read, rows_of, written
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.masks import count_legal, legal_at

NO_MOVE = -1  # in `play_out_rows`: no fixed first action
OWN_KIND = -1  # bound to the kind of one player


def act(observation: Any, mask: Any, generator: Any) -> int:
    """The action of one compiled player; a placeholder for the function of the player."""
    raise NotImplementedError


def play_out(state: Any, kinds: Any, observation: Any, mask: Any, dice: Any) -> None:
    """A placeholder for `_play_out`, bound to the players of a game."""
    raise NotImplementedError


def _nobody_acts(kind: int, observation: Any, mask: Any, generator: Any) -> int:
    return -1


def _this_one_acts(kind: int, observation: Any, mask: Any, generator: Any) -> int:
    if kind == OWN_KIND:
        return act(observation, mask, generator)
    return action_of(kind, observation, mask, generator)


def action_of_players(game: str, players: tuple[Act, ...]) -> Callable[[int, Any, Any, Any], int]:
    """A compiled function `(kind, observation, mask, generator) -> action` that calls the player of a kind; -1 for
    other kinds.

    Args:
        game: the name of the game, used in the names of the machine code.
        players: the players, by kind.
    """
    found = bind_inlined(_nobody_acts, f"{game}_nobody_acts")
    for kind in reversed(range(len(players))):
        found = bind_inlined(
            _this_one_acts, f"{game}_player_{kind}_acts", OWN_KIND=kind, act=players[kind], action_of=found
        )
    return found


@functools.cache
def asked_players_of(game: Game) -> Callable[[int, Any, Any, Any], int]:
    """A compiled function `(kind, observation, mask, generator) -> action` that calls any of the game's players."""
    return action_of_players(game.name, tuple(game.players.values()))


def _decide_many(kind: int, observations: Any, masks: Any, dice: Any, generators: Any, actions: Any) -> None:
    """Choose the action of the compiled player `kind` in each row.

    `generators` is one record; in each row its generator is set to the row's random bits in `dice`.
    """
    for row in range(observations.shape[0]):
        generators[0].rng = dice[row]
        actions[row] = action_of(kind, observations[row], masks[row], generators[0])


def _play_out(state: Any, kinds: Any, observation: Any, mask: Any, dice: Any) -> None:
    """Let compiled players move until the episode is over.

    Args:
        state: the state, changed in place.
        kinds: int64 (seats,), the player of each seat.
        observation, mask: work space, an observation record and int8 (num_actions,).
        dice: a record of GENERATOR for the players.
    """
    while not status(state):
        legal_mask(state, mask)
        if count_legal(mask) == 1:
            carry_out(state, legal_at(mask, 0))
            continue
        seat = seat_to_move(state)
        observe(state, seat, observation)
        carry_out(state, action_of(kinds[seat], observation, mask, dice))


def _play_out_rows(
    states: Any,
    rows: Any,
    moves: Any,
    kinds: Any,
    reward_kind: int,
    orders: int,
    seeds: Any,
    copies: Any,
    observations: Any,
    mask: Any,
    dice: Any,
    out: Any,
) -> int:
    """Play copies of the states in `rows` to the end, and write the reward of every seat into the same rows of `out`.

    Args:
        states: state records (n,).
        rows: int64 (k,), the rows to play.
        moves: int64 (n,), the first action in each row, or NO_MOVE.
        kinds: int64 (n, seats), the player of each seat.
        reward_kind: a kind of `core.game.REWARDS`.
        orders: number of playouts per row, each with another order of the stock, whose rewards are averaged; 0: one
            playout with the stock as it is.
        seeds: uint64 (n,), seeds for the orders of the stock.
        copies, observations, mask, dice: work space.
        out: float32 (n, seats).

    Returns:
        The first row with an illegal first action, at which the loop stops; -1 if all are legal.
    """
    for row in rows:
        out[row] = 0
        for order in range(max(1, orders)):
            copies[0] = states[row]
            dice[0].rng = 0
            if orders:
                shuffle_hidden(copies[0], seeds[row] + order)
            if moves[row] != NO_MOVE and not apply(copies[0], moves[row]):
                return row
            play_out(copies[0], kinds[row], observations[0], mask, dice[0])
            for seat in range(num_seats(copies[0])):
                out[row, seat] += reward(copies[0], seat, reward_kind)
        if orders:
            for seat in range(out.shape[1]):
                out[row, seat] /= np.float32(orders)
    return -1


@functools.cache
def play_out_of(game: Game) -> Callable[[Any, Any, Any, Any, Any], None]:
    """A compiled `play_out(state, kinds, observation, mask, dice)` for a game: see `_play_out`."""
    return bind(_play_out, f"{game.name}_play_out", action_of=asked_players_of(game))


@dataclass(frozen=True)
class Players:
    """The compiled functions that contain a game's players: `advance` of `core.batch`, and the functions above."""

    advance: Entry
    decide_many: Entry
    play_out_rows: Entry


@functools.cache
def players_of(game: Game) -> Players:
    """The compiled functions that contain the players of a game, in its library `<game>_players`."""
    declare, asked = Library(f"{game.name}_players").entry, asked_players_of(game)
    n, mask, seats = "n", game.num_actions, game.max_seats
    decided = {
        "kind": INT,
        "observations": read(game.observation, n),
        "masks": read("i1", n, mask),
        "dice": read("u8", n),
        "generators": written(GENERATOR, 1),
        "actions": written("i8", n),
    }
    played = {
        "states": read(game.state, n),
        "rows": rows_of(n, "k"),
        "moves": read("i8", n),
        "kinds": read("i8", n, seats),
        "reward_kind": INT,
        "orders": INT,
        "seeds": read("u8", n),
        "copies": written(game.state, 1),
        "observations": written(game.observation, 1),
        "mask": written("i1", mask),
        "dice": written(GENERATOR, 1),
        "out": written("f4", n, seats),
    }
    return Players(
        advance=advance_in(declare, game, asked, histories=False),
        decide_many=declare(_decide_many, decided, long=True, action_of=asked),
        play_out_rows=declare(_play_out_rows, played, result=True, long=True, play_out=play_out_of(game)),
    )


@functools.cache
def remembering_advance_of(game: Game) -> Entry:
    """`advance` with histories, in a separate library that is only built if histories are used."""
    declare = Library(f"{game.name}_histories").entry
    return advance_in(declare, game, asked_players_of(game), histories=True)
