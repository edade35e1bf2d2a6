"""Plays positions to their end with compiled players, one by one or in a batch.

A playout uses the whole state, including hidden cards, and has one outcome. The caller decides how much a player can
learn from it: `banakil_env/agents/search.py` redeals the hidden cards first, `train/aggrevate.py` has separate tables
for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import REWARDS, Game, IllegalAction
from banakil_env.core.kernels import GENERATOR, refusal
from banakil_env.core.players import NO_MOVE, players_of
from banakil_env.core.threads import in_parts

ROWS_PER_THREAD = 8  # a playout takes some hundred microseconds, starting work on a thread some tens


def seated_kinds(game: Game, players: str | npt.NDArray[np.int64], tables: int) -> npt.NDArray[np.int64]:
    """The kind of the compiled player at each seat of each table, int64 (tables, seats).

    Args:
        game: the game.
        players: one name for all seats, or an array of kinds; see `outcomes`.
        tables: number of tables.

    Raises:
        ValueError: a name or a kind that is not in `game.kinds`, or an array of another shape.
    """
    shape = tables, game.max_seats
    if isinstance(players, str):
        return np.full(shape, game.kind_of(players))
    if players.shape != shape or (players.size and not 0 <= players.min() <= players.max() < len(game.kinds)):
        raise ValueError(
            f"playouts need the name of a player or an array {shape} of kinds from 0 to {len(game.kinds) - 1}, not an "
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
    """Let compiled players play tables to the end, with the cards as they are, and write the reward of every seat.

    Args:
        game: the game.
        states: state records (n,), possibly read-only; they are not changed.
        rows: int64 (k,), the rows to play out.
        players: a name in `game.players`, for every seat; or int64 (n, game.max_seats), the kind (`game.kinds`) of the
            player at each seat of each table. The players must be deterministic, so that a position has one outcome.
        reward_kind: a name in REWARDS.
        out: float32 (n, game.max_seats), written at `rows` only, in the unit of the reward.
        threads: largest number of threads that share the rows.
        moves: int64 (n,), the first action at each table, NO_MOVE for none; None: no first actions.
        orders: number of random orders of the stock whose rewards are averaged, with the hands unchanged; 0: one
            playout with the stock as it is.
        seeds: uint64 (n,), seeds for these orders; None: 0 for each row.

    Raises:
        IllegalAction: a first action is illegal; the message names the row, the action and the legal actions.
        ValueError: arrays differ in length, rows or players do not exist, or `orders` is given for a game without hooks
            for search.
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
        raise ValueError(f"rows must be indices of the states; moves, seeds and out need {len(states)} rows each")
    if orders and game.search is None:
        raise ValueError(f"{game.title} has no hooks for search, so its stock cannot be shuffled: orders must be 0")
    play_out_rows = players_of(game).play_out_rows

    def part(first: int, last: int) -> int:
        work = np.empty(1, game.state), np.empty(1, game.observation), np.empty(game.num_actions, np.int8)
        asked = kinds, REWARDS[reward_kind], orders, of_rows
        return play_out_rows(states, rows[first:last], first_moves, *asked, *work, np.zeros(1, GENERATOR), out)

    refused = max(in_parts(part, len(rows), threads, ROWS_PER_THREAD), default=NO_MOVE)
    if refused >= 0:
        raise IllegalAction(f"row {refused}: {refusal(game, states[refused], int(first_moves[refused]))}")
