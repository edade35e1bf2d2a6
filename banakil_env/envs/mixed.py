"""Tables of several games in one batch with common shapes: `MixedTables`.

    tables = MixedTables(["gin", {"game": "yaniv", "num_players": [2, 3]}], tables=64, observation="features")
    observations, masks = tables.reset(seed=0)
    tables.step(tables.random_actions())

The rows of a game are consecutive, in the order of the list. Each game has its own `Tables` in `parts`, which steps its
rows in one compiled call. Arrays whose shape depends on the game are padded with zeros at the end of each row: the
observation of a game begins at column 0, and its actions are the first columns of the masks.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.random import check_seed, seeds_of_rows
from banakil_env.envs.arguments import checked_actions, checked_rows
from banakil_env.envs.forms import CARDS, DICT, FEATURES, with_history
from banakil_env.envs.tables.arrays import absent
from banakil_env.envs.vector import HistorySnapshot, IllegalActions, Snapshot, Tables
from banakil_env.games import GAMES


class MixedTables:
    """Tables of several games, or of several settings of one game, that are stepped together.

    After `reset` and each `step`, row i of each array belongs to table i. As in `Tables`, **the next step overwrites
    these arrays**.

    Args:
        games: the entries of the batch. An entry is the name of a game, or a dict with `game`, with options of its
            tables (num_players, rules, ...) and with the number of `tables`.
        tables: the number of tables of each entry that does not specify it.
        shared: arguments of `Tables` for all entries, such as opponents, observation, history, reward and threads.
            `opponents` must exist in every game. `num_players=[2, 3, 4]` draws the number for each episode.

    Attributes:
        parts: the `Tables` of each entry.
        first: int64 (parts + 1,), the first row of each part, and the number of rows.
        part_of: int64 (n,), the part of each row.
        games: int64 (n,), the game of each row, as its index in `banakil_env.games.GAMES`; it does not depend on the
            other games in the batch.
        masks: int8 (n, actions), 1 for legal actions; `actions` is the largest number of actions of a game.
        seats, rewards, terminations, truncations, payoffs, learners, seats_at: see `Tables`. Rewards are float32 (n,
            seats), with 0 in the columns of seats that a game does not have.
        observations, features, history and other arrays of the form of observation: see `Tables`; they are padded. The
            arrays of the form "cards" have the same shapes in every game.

    Raises:
        ValueError, TypeError: those of `Tables`, with the entry; or a form of observation without a common layout.
    """

    def __init__(self, games: Sequence[str | Mapping[str, Any]], tables: int = 1, **shared: Any) -> None:
        if isinstance(games, (str, Mapping)) or not isinstance(games, Sequence) or not games:
            raise TypeError(f"games must be a list of names or of dicts with `game` and options, not {games!r:.80}")
        if shared.get("observation") == DICT:
            raise ValueError(
                "observation='dict' names other arrays in every game; a batch of several games has a common layout "
                "with 'cards', and padded with 'features' or 'bytes'"
            )
        if any("buffers" in each for each in (shared, *(entry for entry in games if isinstance(entry, Mapping)))):
            raise TypeError("MixedTables makes its own arrays: remove buffers, and copy the arrays that you keep")
        for entry in games:
            _check_common(entry)
        self.parts = tuple(_part(entry, tables, shared) for entry in games)
        sizes = [part.num_tables for part in self.parts]
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.num_tables = n = int(self.first[-1])
        self.part_of = np.repeat(np.arange(len(sizes)), sizes)
        places = list(GAMES)
        self.games = np.repeat([places.index(part.game.name) for part in self.parts], sizes)
        self.length, self.form = self.parts[0].length, self.parts[0].form
        self.payoffs, self.learners = np.zeros(n, np.float32), np.zeros(n, np.int8)
        self.chosen = np.zeros(n, np.int64)
        self._share_arrays()

    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    terminations: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int64]
    observations: npt.NDArray[np.uint8]
    features: npt.NDArray[np.float32]
    history: npt.NDArray[np.uint8]

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise absent(self, name)

    def _share_arrays(self) -> None:
        """Make the common arrays. A part writes directly into its rows if its shapes agree; other arrays are copied."""
        self._padded: list[tuple[str, npt.NDArray[Any], Tables]] = []
        specs = [part.buffer_specs() for part in self.parts]
        for name, (_, dtype) in specs[0].items():
            shapes = [spec[name][0][1:] for spec in specs]
            widest = tuple(map(max, zip(*shapes)))
            whole = np.zeros((self.num_tables, *widest), dtype)
            setattr(self, name, whole)
            for part, shape, rows in zip(self.parts, shapes, self._rows_of_parts()):
                own = whole[rows]
                cells = own[(slice(None), *map(slice, shape))]
                np.copyto(cells, getattr(part, name))
                if shape == widest:
                    part.write_into(**{name: own})
                else:
                    self._padded.append((name, cells, part))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the common arrays, which a copy shares with its own parts."""
        shared = {"_padded", *self.parts[0].buffer_specs()}
        return {name: value for name, value in vars(self).items() if name not in shared}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._share_arrays()

    def __copy__(self) -> MixedTables:
        """A deep copy: if two batches shared parts, the parts could only write into the arrays of one of them."""
        return copy.deepcopy(self)

    def _rows_of_parts(self) -> list[slice]:
        return [slice(int(a), int(b)) for a, b in zip(self.first[:-1], self.first[1:])]

    def _collect(self) -> None:
        """Copy the arrays that the parts could not write directly."""
        for name, cells, part in self._padded:
            np.copyto(cells, getattr(part, name))
        for part, rows in zip(self.parts, self._rows_of_parts()):
            self.payoffs[rows], self.learners[rows] = part.payoffs, part.learners

    @property
    def num_seats(self) -> int:
        """The largest number of players that a table has or can have."""
        return max(part.num_seats for part in self.parts)

    @property
    def refused(self) -> npt.NDArray[np.bool_]:
        """Whether the last action of each row was illegal, bool (n,), a new array."""
        return np.concatenate([part.refused for part in self.parts])

    @property
    def seen(self) -> Any:
        """The observations in the chosen form, padded; with a history, a dict that contains it too."""
        seen: Any = self.features if self.form == FEATURES else self.observations
        if self.form == CARDS:
            seen = {name: getattr(self, name) for name in self.parts[0].game.cards.shapes}
        return with_history(self.form, seen, self.history) if self.length else seen

    def seen_copy(self) -> Any:
        """The observations as in `seen`, in new arrays that no step overwrites."""
        return _copied(self.seen)

    def observe(self, seat: int | npt.ArrayLike) -> Any:
        """The observation of a seat at every table, even if another seat is to move; new arrays in the form of `seen`.

        Args:
            seat: one seat for all tables, or whole numbers (n,), one for each table.

        Raises:
            ValueError: a table has no such seat.
            RuntimeError: called before `reset`.
        """
        shown = self.seen_copy()
        for part, rows, given in zip(self.parts, self._rows_of_parts(), self._seats_given(seat)):
            _fill(shown, rows, part.observe(given))
        return shown

    def full_observation(self, seat: int | npt.ArrayLike | None = None) -> dict[str, npt.NDArray[np.float32]]:
        """Every table with all cards face up, in the layout of `observation="cards"`: see `Tables.full_observation`.

        Args:
            seat: as in `observe`; None: the seat to move, or seat 0 if the episode is over.
        """
        shown = [part.full_observation(given) for part, given in zip(self.parts, self._seats_given(seat))]
        return {name: np.concatenate([each[name] for each in shown]) for name in shown[0]}

    def _seats_given(self, seat: int | npt.ArrayLike | None) -> list[Any]:
        """The seat or the seats for each part.

        Raises:
            ValueError: neither a single seat nor one for each table.
        """
        given = np.asarray(seat)
        if given.ndim == 0:
            return [seat] * len(self.parts)
        if given.shape != (self.num_tables,):
            raise ValueError(f"seat must be a whole number, or {self.num_tables} of them, not {seat!r:.80}")
        return [given[rows] for rows in self._rows_of_parts()]

    @property
    def seats_at(self) -> npt.NDArray[np.int64]:
        """The number of players at each table, int64 (n,), a new array. If it is drawn, it changes with episodes."""
        return np.concatenate([part.seats_at for part in self.parts])

    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """The seed from which each table was last dealt, uint64 (n,), a new array."""
        return np.concatenate([part.seeds for part in self.parts])

    def reset(
        self, seed: int | Sequence[int | None] | None = None, rows: npt.ArrayLike | None = None
    ) -> tuple[Any, npt.NDArray[np.int8]]:
        """Begin a new episode at all tables, or at some. Returns `seen` and the masks.

        Args:
            seed: as in `Tables.reset`. With a number, row i plays the game of `seeds_of_rows(seed, i)`. With a
                sequence, which has one seed for each row, rows play the games of these seeds.
            rows: the tables, as whole numbers or as n booleans; None: all.
        """
        chosen = np.arange(self.num_tables) if rows is None else checked_rows(rows, self.num_tables)
        seeds: Any = seed
        if seed is not None and not isinstance(seed, (Sequence, np.ndarray)):
            seeds = seeds_of_rows(check_seed(seed), chosen).tolist()
        if seeds is not None and len(seeds) != len(chosen):
            raise ValueError(f"{len(seeds)} seeds were given for {len(chosen)} tables")
        for one in () if seeds is None else seeds:  # check all seeds before the first part is dealt
            if one is not None:
                check_seed(one)
        for number, (part, first) in enumerate(zip(self.parts, self.first)):
            places = np.flatnonzero(self.part_of[chosen] == number)
            own = None if seeds is None else [seeds[place] for place in places]
            if rows is None:
                part.reset(own)
            elif len(places):
                part.reset(own, chosen[places] - first)
        self._collect()
        return self.seen, self.masks

    def step(self, actions: npt.ArrayLike) -> None:
        """Carry out one action at every table. The results are in the arrays.

        Raises:
            IllegalActions: actions were illegal in some rows, which are named by their numbers in the batch; all other
                rows have been stepped.
            Exception: the other errors of `Tables.step`, raised after every part has been stepped.
        """
        given = checked_actions(self.parts[0].game, actions, self.num_tables)
        refused: list[tuple[int, IllegalActions]] = []
        failed: list[Exception] = []
        for part, rows in zip(self.parts, self._rows_of_parts()):
            try:
                part.step(given[rows])
            except IllegalActions as error:
                refused.append((rows.start, error))
            except Exception as error:
                failed.append(error)
        self._collect()
        if failed:
            raise failed[0]
        if refused:
            numbers = np.concatenate([first + error.rows for first, error in refused])
            said = "; ".join(f"{self._name(first)}, rows from {first} on: {error}" for first, error in refused)
            raise IllegalActions(said, numbers, np.concatenate([error.actions for _, error in refused]))

    def _name(self, row: int) -> str:
        return self.parts[self.part_of[row]].game.name

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A random legal action of every table, int64 (n,), all equally likely; the next call overwrites the array."""
        for part, rows in zip(self.parts, self._rows_of_parts()):
            self.chosen[rows] = part.random_actions()
        return self.chosen

    def at(self, row: int) -> tuple[Tables, int]:
        """The `Tables` that a row belongs to, and the number of the row in it.

        Raises:
            IndexError: there is no such row.
        """
        if not 0 <= row < self.num_tables:
            raise IndexError(f"there are rows 0 to {self.num_tables - 1}, not {row}")
        part = int(self.part_of[row])
        return self.parts[part], row - int(self.first[part])

    def result(self, row: int, seat: int) -> dict[str, Any]:
        """The result for a seat in the last episode that ended in this row; see `Tables.result`."""
        part, own = self.at(row)
        return part.result(own, seat)

    def final_observation(self, row: int, seat: int) -> Any:
        """The observation of a seat at the end of the last episode that ended in this row, in the shape of its game."""
        part, own = self.at(row)
        return part.final_observation(own, seat)

    def snapshot(self) -> tuple[Snapshot | HistorySnapshot, ...]:
        """A snapshot of all tables: a tuple with one for each part."""
        return tuple(part.snapshot() for part in self.parts)

    def restore(self, snapshots: Sequence[Snapshot | HistorySnapshot]) -> None:
        """Restore a snapshot; see `Tables.restore`.

        Raises:
            ValueError: the snapshot is of other tables; nothing changes.
        """
        if len(snapshots) != len(self.parts):
            raise ValueError(f"{len(snapshots)} snapshots were given for {len(self.parts)} parts")
        before = self.snapshot()
        try:
            for part, snapshot in zip(self.parts, snapshots):
                part.restore(snapshot)
        except Exception:
            for part, snapshot in zip(self.parts, before):
                part.restore(snapshot)
            raise
        self._collect()


def _copied(seen: Any) -> Any:
    return {name: array.copy() for name, array in seen.items()} if isinstance(seen, dict) else seen.copy()


def _fill(seen: Any, rows: slice, own: Any) -> None:
    """Write the observations `own` of one game into the first columns of its `rows` of `seen`."""
    if isinstance(seen, dict):
        for name, array in seen.items():
            _fill(array, rows, own[name])
    else:
        seen[(rows, *map(slice, own.shape[1:]))] = own


def _check_common(entry: str | Mapping[str, Any]) -> None:
    """Raise ValueError if an entry sets an argument that decides the shape of the arrays of the whole batch."""
    own = [name for name in ("observation", "history") if isinstance(entry, Mapping) and name in entry]
    if own:
        raise ValueError(
            f"{' and '.join(own)} must be the same in the whole batch: give it to MixedTables, as an argument next to "
            f"the list, not in the entry {entry!r:.80}"
        )


def _part(entry: str | Mapping[str, Any], tables: int, shared: Mapping[str, Any]) -> Tables:
    """Make the tables of one entry, from its options and the `shared` ones; `tables` is their number by default."""
    options: dict[str, Any] = dict(entry) if isinstance(entry, Mapping) else {"game": entry}
    if "game" not in options:
        raise ValueError(f"an entry needs the name of its game: {{'game': 'gin', ...}}, not {entry!r:.80}")
    number = options.pop("tables", tables)
    try:
        return Tables(number, **{**shared, **options})
    except (TypeError, ValueError) as error:
        error.add_note(f"in the entry {entry!r:.80} of MixedTables")
        raise
