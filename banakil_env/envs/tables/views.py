"""Views of the tables of a batch: states, observations of any seat, all cards, and the last episode that ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.history import WIDTH, words_of
from banakil_env.core.kernels import kernels_of
from banakil_env.core.past import past_entries
from banakil_env.core.views import full_states, observe_rows, open_cards
from banakil_env.envs.arguments import check_buffer, checked_seat, num_seats_of, partners_of
from banakil_env.envs.forms import in_form, with_history
from banakil_env.envs.tables.players import TablePlayers


class TableViews(TablePlayers):
    """Tables with properties and methods that show their states and observations."""

    @property
    def states(self) -> npt.NDArray[Any]:
        """The state of every table, n records of the game's dtype; a read-only view."""
        return self._open["states"]

    @property
    def controls(self) -> npt.NDArray[Any]:
        """The players, the learner's seat and the last result of every table, n records; a read-only view."""
        return self._open["controls"]

    @property
    def final_states(self) -> npt.NDArray[Any]:
        """The last state of the last episode that ended at each table, n records; a read-only view."""
        return self._open["final_states"]

    @property
    def seats_at(self) -> npt.NDArray[np.int64]:
        """The number of players at each table, int64 (n,); a read-only view."""
        return self._open["seats_at"]

    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """The seed from which each table was last dealt, uint64 (n,), 0 before the first `reset`; a read-only view.

        Later episodes continue from the table's generator, so `reset(seed=tables.seeds)` repeats the whole sequence.
        """
        return self._open["seed"]

    @property
    def num_seats(self) -> int:
        """The largest number of players that a table has or can have."""
        return int(self._possible_seats.max())

    @property
    def refused(self) -> npt.NDArray[np.bool_]:
        """Whether the last action of each row was illegal, bool (n,)."""
        return self._controls["refused"] != 0

    @property
    def learners(self) -> npt.NDArray[np.int8]:
        """The learner's seat at each table, int8 (n,), -1 if the caller plays every seat; a read-only view."""
        return self._open["learner"]

    @property
    def payoffs(self) -> npt.NDArray[np.float32]:
        """The learner's reward in this step at each table, float32 (n,), 0 without a learner; a read-only view."""
        return self._open["payoff"]

    def observe(self, seat: int | npt.ArrayLike) -> Any:
        """The observation of a seat at every table, even if another seat is to move.

        Args:
            seat: one seat for all tables, or whole numbers (n,), one for each table.

        Returns:
            New arrays in the chosen form, with the seat's history if the tables have histories.

        Raises:
            ValueError: a table has no such seat.
            RuntimeError: called before `reset`.
        """
        seats = self._seats_given(seat)
        records = observe_rows(self.game, self._states, seats, threads=self.threads)
        shown = in_form(self.game, self.form, records, self.threads)
        if not self.length:
            return shown
        history = np.zeros((self.num_tables, self.length, WIDTH), np.uint8)
        past_entries(self.game).history_rows(self._states, self._rows, seats, self._logs, words_of(history))
        return with_history(self.form, shown, history)

    def full_observation(
        self, seat: int | npt.ArrayLike | None = None, out: Mapping[str, npt.NDArray[np.float32]] | None = None
    ) -> dict[str, npt.NDArray[np.float32]]:
        """Every table with all cards face up, in the layout of `observation="cards"`, for centralized critics.

        The channels of known cards contain whole hands, and the channels of the stock its order. This works for tables
        with any form of observation.

        Args:
            seat: as in `observe`; None: the seat to move, or seat 0 if the episode is over.
            out: C-contiguous arrays to write into, by name; None: new arrays.

        Raises:
            ValueError: a table has no such seat, or an array does not fit.
            TypeError: an array does not fit.
            RuntimeError: called before `reset`.
        """
        for name, shape in self.game.cards.shapes.items():
            if out is not None and name not in out:
                raise ValueError(f"out has no array {name!r}: it needs {', '.join(self.game.cards.shapes)}")
            if out is not None:
                check_buffer(name, out[name], (self.num_tables, *shape), np.float32)
        return open_cards(self.game, self._states, self._seats_given(seat), out, threads=self.threads)

    def full_states(self, seat: int | npt.ArrayLike | None = None) -> npt.NDArray[np.uint8]:
        """The full state of every table, the bytes of records of `game.full_state`: uint8 (n, bytes), a new array.

        The field `observation` is the observation of the seat (see `full_observation`); the hidden parts follow.
        """
        return full_states(self.game, self._states, self._seats_given(seat), threads=self.threads)

    def final_observation(self, row: int, seat: int) -> Any:
        """The observation of a seat at the end of the last episode that ended in this row, in the chosen form."""
        seen = np.empty(1, self.game.observation)
        states, seat = self._ended(row, seat)
        kernels_of(self.game).observe_one(states, seat, seen, self._spare_mask)
        shown = in_form(self.game, self.form, seen.view(np.uint8))
        if not self.length:
            return shown
        history = np.empty((self.length, WIDTH), np.uint8)
        past_entries(self.game).history_one(states, seat, self._final_logs[row], words_of(history))
        return with_history(self.form, shown, history)

    def result(self, row: int, seat: int) -> dict[str, Any]:
        """The result for a seat in the last episode that ended in this row, with the keys of the infos of other
        environments.

        `partner` is the seat of the partner; the key is missing if every seat plays alone.
        """
        states, seat = self._ended(row, seat)
        partners = partners_of(self.game, states[0])
        return self.game.result(states[0], seat) | ({"partner": partners[seat]} if partners else {})

    def _seats_given(self, seat: int | npt.ArrayLike | None) -> npt.NDArray[np.int64]:
        """The seat for each table, int64 (n,).

        Raises:
            ValueError: a table has no such seat.
            RuntimeError: called before `reset`.
        """
        if not self._dealt:
            raise RuntimeError("call reset() before looking at the tables")
        if seat is None:
            return np.maximum(self.seats, 0)
        given = np.asarray(seat)
        numbers = given.dtype.kind in "iu" and not isinstance(seat, np.ma.MaskedArray)
        if not numbers or given.shape not in ((), self.seats.shape):
            raise ValueError(f"seat must be a whole number, or {self.num_tables} of them, not {seat!r:.80}")
        seats = np.ascontiguousarray(np.broadcast_to(given, self.seats.shape), np.int64)
        wrong = np.flatnonzero((seats < 0) | (seats >= self._seats_at))
        if len(wrong):
            row = wrong[0]
            raise ValueError(
                f"row {row} has no seat {seats[row]}: {self._seats_at[row]} play there, seats 0 to "
                f"{self._seats_at[row] - 1}"
            )
        return seats

    def _ended(self, row: int, seat: int) -> tuple[npt.NDArray[Any], int]:
        """The last state of the last episode that ended in a row (an array of one record), and the seat.

        Raises:
            ValueError: there is no such row or seat, or no episode has ended in the row.
        """
        at = int(self._check_rows([row])[0])
        num_seats = num_seats_of(self.game, self._final_states[at])
        if not num_seats:
            raise ValueError(f"no episode has ended in row {at} yet")
        return self._final_states[at : at + 1], checked_seat(seat, num_seats)
