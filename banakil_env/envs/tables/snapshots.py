"""Snapshots of a batch: rows that can be restored into the same tables, or into other tables of the same game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from banakil_env.core import batch
from banakil_env.core.game import BadState
from banakil_env.core.history import are_sound, log_size
from banakil_env.envs.tables.players import TablePlayers


class Snapshot(NamedTuple):
    """A snapshot of some rows: all data that is needed to continue from there, in arrays of the same shape (k,).

    `numpy.savez(file, **snapshot._asdict())` writes a snapshot, and `Snapshot(**numpy.load(file))` reads it. The
    generators of `Tables.random_actions` and players in Python are not included: the tables into which it is restored
    must have the same opponents.

    Attributes:
        states: records of the game's dtype.
        controls: records of `core.batch.control_dtype`.
        dice: generators of the compiled players and the seating, records of `core.kernels.GENERATOR`.
    """

    states: npt.NDArray[Any]
    controls: npt.NDArray[Any]
    dice: npt.NDArray[Any]


class HistorySnapshot(NamedTuple):
    """A snapshot of tables with histories. `Snapshot(*snapshot[:3])` leaves the histories out.

    Attributes:
        states, controls, dice: see `Snapshot`.
        logs: int64 (k, size), logs as described in `core.history`.
    """

    states: npt.NDArray[Any]
    controls: npt.NDArray[Any]
    dice: npt.NDArray[Any]
    logs: npt.NDArray[np.int64]


class TableSnapshots(TablePlayers):
    """Tables that can be saved to snapshots and restored."""

    def snapshot(self, rows: npt.ArrayLike | None = None) -> Snapshot | HistorySnapshot:
        """A snapshot of some tables, or of all. A row can be named several times: `snapshot([0] * 8)` has 8 copies."""
        chosen = self._rows if rows is None else self._check_rows(rows, repeated=True)
        parts = self._states[chosen], self._controls[chosen], self.dice[chosen]
        return HistorySnapshot(*parts, self._logs[chosen]) if self.length else Snapshot(*parts)

    def restore(self, snapshot: Snapshot | HistorySnapshot, rows: npt.ArrayLike | None = None) -> None:
        """Restore a snapshot into its rows or into others. All arrays of these rows are written again, with rewards 0.

        Args:
            snapshot: a snapshot, or its three arrays as they are read from a file.
            rows: the rows, as many as the snapshot has tables; a snapshot of one table fills any number of rows. None:
                all rows.

        Raises:
            TypeError, ValueError: not a snapshot of tables of this game, or of another number of rows.
            BadState: a record that is not a position of the game, or that a batch cannot have written; nothing changes.
        """
        chosen = self._rows if rows is None else self._check_rows(rows)
        whole = len(chosen) == self.num_tables
        if not self._dealt and not whole:
            raise ValueError("reset() all tables, or restore all of them, before some")
        states, controls, dice = self._parts_of(snapshot)
        logs = self._logs_of(snapshot)
        if len(states) not in (1, len(chosen)):
            raise ValueError(
                f"the snapshot holds {len(states)} tables, which do not fit into {len(chosen)} rows: name "
                f"{len(states)} rows, or restore a snapshot of one table, which fills any number of rows"
            )
        num_seats = self._check_records(np.ascontiguousarray(states), controls)
        self._seats_at[chosen] = num_seats
        self._states[chosen] = states
        self._controls[chosen] = controls
        self.dice[chosen] = dice
        if self.length:
            self._logs[chosen] = 0 if logs is None else logs
        self._dealt = True
        self._broken = self._broken and not whole
        self._serve_players(chosen, self._run(batch.SERVE, chosen))

    def _parts_of(self, snapshot: Any) -> list[npt.NDArray[Any]]:
        """The three arrays of a snapshot, with the batch's dtypes: records from `numpy.load` have no attributes.

        Raises:
            TypeError, ValueError: other arrays.
        """
        kinds = [type(part) for part in snapshot] if isinstance(snapshot, Sequence) else []
        if kinds not in ([np.ndarray] * 3, [np.ndarray] * 4):
            raise TypeError(
                f"restore() takes the three arrays that snapshot() gave, not {type(snapshot).__name__}; from a file of "
                f"numpy.savez: Snapshot(**numpy.load(file))"
            )
        own = {"states": self._states, "controls": self._controls, "dice": self.dice}
        for part, (name, array) in zip(snapshot[:3], own.items(), strict=True):
            if part.dtype != array.dtype:
                found = part.dtype if part.dtype.names is None else f"other records, of {part.dtype.itemsize} bytes"
                raise TypeError(
                    f"restore() takes what snapshot() gave, from tables of the same game: {name} must be records of "
                    f"{array.dtype.itemsize} bytes, not {found}"
                )
        shapes = [part.shape for part in snapshot[:3]]
        if len(shapes[0]) != 1 or len(set(shapes)) > 1:
            named = ", ".join(f"{name} {shape}" for name, shape in zip(own, shapes))
            raise ValueError(f"the arrays of a snapshot must have the same shape (tables,), but have {named}")
        return [part.view(array.dtype) for part, array in zip(snapshot[:3], own.values(), strict=True)]

    def _logs_of(self, snapshot: Any) -> npt.NDArray[np.int64] | None:
        """The logs of a snapshot; None if these tables have no histories or the snapshot has none.

        Raises:
            TypeError, ValueError: another array.
            BadState: a log that a batch cannot have written.
        """
        if not self.length or len(snapshot) == 3:
            return None
        logs = snapshot[3]
        shape = (len(snapshot[0]), log_size(self.length, self.game.private_events))
        if logs.dtype != np.int64:
            raise TypeError("the logs of a snapshot must be an array of int64, as snapshot() returns it")
        if logs.shape != shape:
            raise ValueError(
                f"the logs of the snapshot have the shape {logs.shape}, not {shape}: restore it into tables with "
                f"the same `history`, or without its logs: Snapshot(*snapshot[:3])"
            )
        if not are_sound(logs):
            raise BadState("the snapshot has a log that no batch has written")
        return logs
