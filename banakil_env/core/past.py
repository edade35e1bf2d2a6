"""Writes and reads the log of a table from Python: compiled functions of one game, in its library `<game>_past`.

`core/history.py` describes logs and what a seat sees of them. `core/batch.py` writes logs inside its loop.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from banakil_env.core.engine import num_seats, write_deal, write_events
from banakil_env.core.game import Game
from banakil_env.core.history import clear_log, write_history
from banakil_env.core.jit import INT, Entry, Library, read, rows_of, written


def _begin_one(states: Any, log: Any) -> None:
    """Begin the log of a table that has just been dealt."""
    clear_log(log)
    write_deal(states[0], log)


def _note_one(before: Any, action: int, after: Any, works: Any, log: Any) -> None:
    """Add the events of an action between two states to a log; `works` is work space, an array of one state."""
    write_events(before[0], action, after[0], works, 0, log)


def _history_one(states: Any, seat: int, log: Any, out: Any) -> None:
    """Write what a seat has seen of the last events at a table; `out` is int64, one number per row."""
    write_history(log, seat, num_seats(states[0]), out)


def _history_rows(states: Any, rows: Any, seats: Any, logs: Any, out: Any) -> None:
    """Like `_history_one` for `rows` of many tables, each for its seat in `seats`; nothing is written for a negative
    seat.
    """
    for k in range(rows.shape[0]):
        row = rows[k]
        if seats[row] >= 0:
            write_history(logs[row], seats[row], num_seats(states[row]), out[row])


@dataclass(frozen=True)
class PastEntries:
    """The compiled functions of one game. Each field is named after its function above, which documents it."""

    begin_one: Entry
    note_one: Entry
    history_one: Entry
    history_rows: Entry


@functools.cache
def past_entries(game: Game) -> PastEntries:
    """The compiled functions of a game, in its library `<game>_past`."""
    declare, one, n = Library(f"{game.name}_past").entry, written(game.state, 1), "n"
    log, out = written("i8", "log"), written("i8", "words")
    noted = {"before": one, "action": INT, "after": one, "works": one, "log": log}
    rows = {
        "states": written(game.state, n),
        "rows": rows_of(n, "k"),
        "seats": read("i8", n),
        "logs": written("i8", n, "log"),
        "out": written("i8", n, "words"),
    }
    return PastEntries(
        begin_one=declare(_begin_one, {"states": one, "log": log}),
        note_one=declare(_note_one, noted),
        history_one=declare(_history_one, {"states": one, "seat": INT, "log": log, "out": out}),
        history_rows=declare(_history_rows, rows, long=True),
    )
