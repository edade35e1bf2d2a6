"""What could the hidden cards be? What games ask alike, whatever their cards.

`redeal_hidden` of a game deals again until the seat to move could have done what it has done; if that is not found, all
cards are put back. `suppose` makes such a deal from an observation alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import bind, compiled
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.kit.table_state import NO_SEAT

# Room for the hands of any game, a row of cells a seat, and for its stock.
HAND_CELLS, STOCK_CELLS = 64, 512


@compiled
def shuffle_stock(state: Any, seed: int) -> None:
    """Put the stock in another order; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    shuffle(state, state.stock, wide(state.stock_size))


@compiled
def note_rows(rows: Any, cells: Any) -> None:
    """Write rows, such as hands, into an array, one behind the other."""
    width = rows.shape[1]
    for i in range(rows.shape[0] * width):
        cells[i] = rows[i // width, i % width]


@compiled
def put_rows_back(rows: Any, cells: Any) -> None:
    """The rows are again as they were noted."""
    width = rows.shape[1]
    for i in range(rows.shape[0] * width):
        rows[i // width, i % width] = cells[i]


@compiled
def note_row(row: Any, cells: Any) -> None:
    """Write a row, such as the stock, into an array."""
    for i in range(row.shape[0]):
        cells[i] = row[i]


@compiled
def put_row_back(row: Any, cells: Any) -> None:
    """The row is again as it was noted."""
    for i in range(row.shape[0]):
        row[i] = cells[i]


def _redeal_or_leave(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; see `core.game.Engine`. If no other deal is found, it stays."""
    hands, stock = scratch(HAND_CELLS), scratch(STOCK_CELLS)
    note_rows(state.hands, hands)
    note_row(state.stock, stock)
    seed_generator(state, seed)
    if not deal_until_possible(state, seat):  # type: ignore[name-defined]  # noqa: F821 (bound below)
        put_rows_back(state.hands, hands)
        put_row_back(state.stock, stock)


def redeal_or_leave(game: str, deal_until_possible: Callable[[Any, int], bool]) -> Callable[[Any, int, int], None]:
    """The function `redeal_hidden` of a game whose hands are rows of cells.

    `deal_until_possible(state, seat)` deals what the seat cannot see until it fits; False: not found.
    """
    return bind(_redeal_or_leave, f"{game}_redeal_hidden", deal_until_possible=deal_until_possible)


@compiled
def suppose_turn(seen: Any, state: Any) -> None:
    """Copy rules, turn, round and who sits where from an observation; the points of rounds before are zero."""
    state.rules = seen.rules
    state.episode, state.ending = seen.episode, seen.ending
    state.turns, state.rounds, state.winner = seen.turns, seen.rounds, NO_SEAT
    state.seat = 0
    for phase in range(seen.phase.shape[0]):
        if seen.phase[phase]:
            state.phase = phase
    for place in range(seen.hand_size.shape[0]):
        state.points[place] = 0
        if seen.to_move[place]:
            state.seat = place
        if seen.dealer[place]:
            state.dealer = place


@compiled
def suppose_round(seen: Any, state: Any) -> None:
    """The same with players and scores, where each seat has its own."""
    suppose_turn(seen, state)
    state.num_players = seen.num_players
    for place in range(seen.hand_size.shape[0]):
        state.scores[place] = seen.scores[place]
