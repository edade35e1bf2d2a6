"""Plays positions to their end by compiled players, one by one or in a batch.

A playout sees the whole state and gives one outcome; the caller decides what a player can know of the outcome
(`banakil_env/agents/search.py` deals the hidden cards again, `train/aggrevate.py` has tables for that purpose).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import REWARDS, Game, IllegalAction
from banakil_env.core.kernels import GENERATOR, refusal
from banakil_env.core.players import NO_MOVE, players_of
from banakil_env.core.threads import in_parts

ROWS_PER_THREAD = 8  # a playout takes some hundred microseconds, a thread some tens


def seated_kinds(game: Game, players: str | npt.NDArray[np.int64], tables: int) -> npt.NDArray[np.int64]:
    """The kind of the compiled player at each seat of each table, int64 (tables, seats); see `outcomes`. Raises:
    ValueError: a name or a kind that is not in `game.kinds`, or an array of another shape.
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
    """Let compiled players play these tables to the end, with the cards as they are, and write the reward of every
    seat.

    Args:
        states: records of the game's state, possibly read-only; they are not changed.
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
        IllegalAction: a move is not legal; the text names the row, the action and the legal actions. ValueError: arrays
            of other lengths, rows or players that do not exist, or `orders` of a game without hooks for search.
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
    play_out_rows = players_of(game).play_out_rows

    def part(first: int, last: int) -> int:
        work = np.empty(1, game.state), np.empty(1, game.observation), np.empty(game.num_actions, np.int8)
        asked = kinds, REWARDS[reward_kind], orders, of_rows
        return play_out_rows(states, rows[first:last], first_moves, *asked, *work, np.zeros(1, GENERATOR), out)

    refused = max(in_parts(part, len(rows), threads, ROWS_PER_THREAD), default=NO_MOVE)
    if refused >= 0:
        raise IllegalAction(f"row {refused}: {refusal(game, states[refused], int(first_moves[refused]))}")
