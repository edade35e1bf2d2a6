"""How does a position end if compiled players play on? Playouts, one by one or a whole batch.

A playout sees the whole state and gives one outcome; the caller decides what a player may know of the outcome
(`banakil_env/agents/search.py` deals the hidden cards again, `train/aggrevate.py` has tables for that purpose).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import wide
from banakil_env.core.bound import (
    action_of,
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
from banakil_env.core.game import REWARDS, Game, IllegalAction
from banakil_env.core.jit import bind
from banakil_env.core.kernels import GENERATOR, refusal, writable
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.players import action_of_players
from banakil_env.core.threads import in_parts

NO_MOVE = -1
ROWS_PER_THREAD = 8  # a playout takes some hundred microseconds, a thread some tens


def _play_out(state: Any, kinds: Any, observation: Any, mask: Any, dice: Any) -> None:
    """Let compiled players move until the episode is over.

    Args:
        kinds: int64, the player of each seat.
        observation, mask: work space, a record of the observation and int8 (num_actions,).
        dice: a record of GENERATOR for the players.
    """
    while not status(state):
        legal_mask(state, mask)
        if count_legal(mask) == 1:
            carry_out(state, wide(legal_at(mask, 0)))
            continue
        seat = seat_to_move(state)
        observe(state, seat, observation)
        carry_out(state, wide(action_of(kinds[seat], observation, mask, dice)))


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
    """Play copies of `rows` out, and write the reward of every seat into the same rows of `out`.

    Returns:
        The first row with an illegal move, where the loop stops; -1 if all moves are legal.
    """
    for row in rows:
        out[row] = 0
        for order in range(max(wide(1), orders)):
            copies[0] = states[row]
            dice[0].rng = 0
            if orders:
                shuffle_hidden(copies[0], seeds[row] + order)
            if moves[row] != NO_MOVE and not apply(copies[0], wide(moves[row])):
                return wide(row)
            _play_out(copies[0], kinds[row], observations[0], mask, dice[0])
            for seat in range(num_seats(copies[0])):
                out[row, seat] += reward(copies[0], wide(seat), reward_kind)
        if orders:
            for seat in range(out.shape[1]):
                out[row, seat] /= np.float32(orders)
    return wide(-1)


def _shuffle_nothing(state: Any, seed: int) -> None:
    """Stands in for a game without hooks for search; never called, since `outcomes` refuses `orders` there."""


@functools.cache
def asked_players_of(game: Game) -> Callable[[int, Any, Any, Any], int]:
    """The decision of every compiled player of a game: `(kind, observation, mask, generator) -> action`, compiled."""
    return action_of_players(game.name, tuple(game.players.values()), tuple(range(len(game.players))))


@functools.cache
def play_out_of(game: Game) -> Callable[[Any, Any, Any, Any, Any], None]:
    """A compiled `play_out(state, kinds, observation, mask, dice)`: see `_play_out`."""
    engine = game.engine
    return bind(
        _play_out,
        f"{game.name}_play_out",
        status=engine.status,
        legal_mask=engine.legal_mask,
        carry_out=engine.carry_out,
        observe=engine.observe,
        seat_to_move=engine.seat_to_move,
        action_of=asked_players_of(game),
    )


@functools.cache
def _play_out_rows_of(game: Game) -> Callable[..., int]:
    return bind(
        _play_out_rows,
        f"{game.name}_play_out_rows",
        shuffle_hidden=game.search.shuffle if game.search else bind(_shuffle_nothing, f"{game.name}_shuffle_nothing"),
        apply=game.engine.apply,
        _play_out=play_out_of(game),
        num_seats=game.engine.num_seats,
        reward=game.engine.reward,
    )


def seated_kinds(game: Game, players: str | npt.NDArray[np.int64], tables: int) -> npt.NDArray[np.int64]:
    """The kind of the compiled player at each seat of each table, int64 (tables, seats); see `outcomes`.

    Raises:
        ValueError: a name or a kind that is not of `game.kinds`, or an array of another shape.
    """
    shape = tables, game.max_seats
    if isinstance(players, str):
        return np.full(shape, game.kind_of(players))
    if players.shape != shape or (players.size and not 0 <= players.min() <= players.max() < len(game.kinds)):
        raise ValueError(
            f"the players of playouts are a name or an array {shape} of kinds from 0 to {len(game.kinds) - 1}, not an "
            f"array {players.shape} of {np.unique(players)}"
        )
    return np.ascontiguousarray(players, np.int64)


def outcomes(
    game: Game,
    states: npt.NDArray[Any],
    rows: npt.NDArray[np.int64],
    players: str | npt.NDArray[np.int64],
    reward_kind: str,
    out: npt.NDArray[np.float32],
    threads: int = 1,
    moves: npt.NDArray[np.int64] | None = None,
    orders: int = 0,
    seeds: npt.NDArray[np.uint64] | None = None,
) -> None:
    """The reward of every seat if compiled players play these tables out, with the cards as they are.

    Args:
        states: records of the game's state, which may be read-only; they are not changed.
        rows: int64 (k,), the rows to play out.
        players: a name of `game.players`, of the player at every seat; or int64 (n, game.max_seats), the kind
            (`game.kinds`) of the player at each seat of each table. The players must be deterministic, so that a
            position has one outcome.
        reward_kind: a name of REWARDS.
        out: float32 (n, game.max_seats), in the unit of that reward: only `rows` are written.
        threads: largest number of threads that share the rows.
        moves: int64 (n,), first action of each table; NO_MOVE, or None: no fixed action.
        orders: number of random orders of the stock to average over, with the hands as they are; 0: the stock as it is.
        seeds: uint64 (n,), of those orders; None: 0 everywhere.

    Raises:
        IllegalAction: a move is not legal; the text names the row, the action and what is legal. ValueError: arrays of
            other lengths, rows or players that do not exist, or `orders` of a game without hooks for search.
    """
    kinds = seated_kinds(game, players, len(states))
    first_moves = np.full(len(states), NO_MOVE) if moves is None else moves
    of_rows = np.zeros(len(states), np.uint64) if seeds is None else seeds
    lengths = {len(states), len(out), len(first_moves), len(of_rows)}
    if (
        len(lengths) > 1
        or out.shape[1:] != (game.max_seats,)
        or (len(rows) and not 0 <= rows.min() <= rows.max() < len(out))
    ):
        raise ValueError(f"rows must be of the {len(states)} states, and moves, seeds and out as long as these")
    if orders and game.search is None:
        raise ValueError(f"{game.title} has no hooks for search, and so no other orders of its stock")
    play_out_rows = _play_out_rows_of(game)
    states = writable(states)

    def part(first: int, last: int) -> int:
        work = np.empty(1, game.state), np.empty(1, game.observation), np.empty(game.num_actions, np.int8)
        asked = kinds, REWARDS[reward_kind], orders, of_rows
        return play_out_rows(states, rows[first:last], first_moves, *asked, *work, np.zeros(1, GENERATOR), out)

    refused = max(in_parts(part, len(rows), threads, ROWS_PER_THREAD), default=NO_MOVE)
    if refused >= 0:
        raise IllegalAction(f"row {refused}: {refusal(game, states[refused], int(first_moves[refused]))}")
