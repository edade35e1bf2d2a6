"""Which games are recorded, and what is kept of every decision in them?

A recording plays the tables of the arena: every pair of players at every deal in all seatings, a single player with
itself. Tables are played out many at a time, always as many, so that the same recording gives the same rows in the same
order: by deal, by table, and as they were decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import Player
from banakil_env.arena.seatings import pairings, seatings
from banakil_env.arena.seeds import FIRST_HELD_OUT, SEEDS_IN_SET, seed_of
from banakil_env.arena.tables import Settings, Table, play_tables
from banakil_env.core.game import REWARDS, TRUNCATED, Game
from banakil_env.core.kernels import kernels_of

# Some 30,000 decisions at a time, which are 35 MB.
TABLES_AT_A_TIME = {"round": 512, "match": 64}

Progress = Callable[[int, int], None]


class RecordingError(ValueError):
    """Games that cannot be recorded, or were not played to the end."""


@dataclass(frozen=True)
class Recording(TableOptions):
    """What is recorded, at such tables.

    Attributes:
        players: their names, each different; one alone plays with itself.
        deals: how many.
        seeds: the seed of the first deal, below 2**63, the next deal's one more; or the name of a held-out set
            (`arena.SEED_SETS`), whose deals are for measuring: nothing that learns from them may be measured there.
        budget: seconds for a decision; None for as long as a player likes.
    """

    players: tuple[str, ...]
    deals: int = 1000
    seeds: int | str = 0
    budget: float | None = None

    def __post_init__(self) -> None:
        if not self.players or len(set(self.players)) < len(self.players):
            raise RecordingError(f"one or more players, each of another name, are recorded; not {self.players!r}")
        if not 1 <= self.deals <= SEEDS_IN_SET:
            raise RecordingError(f"deals must be a number from 1 to {SEEDS_IN_SET}, not {self.deals!r}")
        if not isinstance(self.seeds, str) and not 0 <= self.seeds <= FIRST_HELD_OUT - self.deals:
            raise RecordingError(
                f"the deals' seeds go from {self.seeds} to {self.seeds + self.deals - 1}, and must lie from 0 to "
                f"{FIRST_HELD_OUT - 1}: those above are held out; a held-out set is asked for by its name"
            )
        if self.budget is not None and not self.budget > 0:
            raise RecordingError(f"budget must be a number of seconds above 0, not {self.budget!r}")
        self.seed_of(self.deals - 1)
        super().__post_init__()

    def seed_of(self, deal: int) -> int:
        """The seed of a deal."""
        return seed_of(self.seeds, deal) if isinstance(self.seeds, str) else self.seeds + deal

    def seatings(self) -> list[tuple[int, ...]]:
        """Which player (an index) sits at each seat, for every table of a deal."""
        if len(self.players) == 1:
            return [(0,) * self.seats]
        shapes = seatings(self.seats, self.plays_partners)
        return [tuple(pair[who] for who in shape) for pair in pairings(len(self.players)) for shape in shapes]


@dataclass(frozen=True)
class Decisions:
    """The decisions at some tables, one a row: by deal, by table, and as they were decided.

    Attributes:
        deals, seeds: (n,) int64, uint64: the number of the deal, and its seed.
        tables: (n,) int32, which of the deal's tables (`Recording.seatings`).
        rounds, indices: (n,) int32: the rounds ended before in the match, and the decisions before at the table.
        seats, players: (n,) uint8, int64: who decides; the player as an index.
        observations: (n, bytes) uint8, of that seat.
        masks: (n, bytes) uint8, the legal actions as bits: action a is bit a % 8 of byte a // 8.
        actions: (n,) int16.
        points: (n, seats) int32, what the game was worth to each seat at its end, as the arena counts it.
        margins, wins: (n,) float32, int8, to the deciding seat, as the rewards "margin" and "win".
        endings: (n,) str, how it ended, in the game's own words.
        games: (n,) int64, the table as an index of `ends` and `truncated`.
        ends: (tables,) the last state of every table. truncated: (tables,) bool, out of turns or rounds.
        num_actions: of the game.
    """

    deals: npt.NDArray[np.int64]
    seeds: npt.NDArray[np.uint64]
    tables: npt.NDArray[np.int32]
    rounds: npt.NDArray[np.int32]
    indices: npt.NDArray[np.int32]
    seats: npt.NDArray[np.uint8]
    players: npt.NDArray[np.int64]
    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.int16]
    points: npt.NDArray[np.int32]
    margins: npt.NDArray[np.float32]
    wins: npt.NDArray[np.int8]
    endings: npt.NDArray[np.str_]
    games: npt.NDArray[np.int64]
    ends: npt.NDArray[Any]
    truncated: npt.NDArray[np.bool_]
    num_actions: int

    def __len__(self) -> int:
        return len(self.actions)

    def unpacked_masks(self) -> npt.NDArray[np.int8]:
        """(n, actions) int8, 1 for a legal action."""
        return unpack(self.masks, self.num_actions)


def unpack(masks: npt.NDArray[np.uint8], num_actions: int) -> npt.NDArray[np.int8]:
    """Masks of bits (n, bytes) as the environments give them, (n, actions) int8."""
    return np.unpackbits(masks, axis=1, count=num_actions, bitorder="little").view(np.int8)


def decisions(players: Sequence[Player], recording: Recording, progress: Progress | None = None) -> Iterator[Decisions]:
    """Play what is to be recorded, and give its decisions, some deals at a time, in their order.

    Args:
        players: those that the recording names.
        progress: called while tables are played, with the deals that are done and the decisions made so far.

    Raises:
        RecordingError: a player failed; which, where and how.
    """
    seats = recording.seatings()
    step = max(1, TABLES_AT_A_TIME[recording.episode] // len(seats))
    made = 0
    for first in range(0, recording.deals, step):
        deals = range(first, min(first + step, recording.deals))
        tables = [Table(deal, of_table) for deal in deals for of_table in seats]
        notes = _Notes(progress, first, made)
        settings = Settings(recording.game, recording.options, recording.seed_of(0), recording.budget)
        outcomes = play_tables(players, recording.players, tables, settings, witness=notes)
        _refuse_failures(recording, tables, outcomes)
        batch = _batch(notes, recording, tables, outcomes)
        made += len(batch)
        yield batch
    if progress:
        progress(recording.deals, made)


class _Notes:
    """A witness that keeps everything."""

    def __init__(self, progress: Progress | None, done: int, made: int) -> None:
        self._progress, self._done, self._made = progress, done, made
        self.columns: dict[str, list[npt.NDArray[Any]]] = {}
        self.states: npt.NDArray[Any] = np.zeros(0)

    def decided(
        self,
        tables: npt.NDArray[np.int64],
        states: npt.NDArray[Any],
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        actions: npt.NDArray[np.int64],
    ) -> None:
        """See `arena.tables.Witness`."""
        rows = {
            "games": tables,
            "rounds": states["rounds"][tables],
            "seats": states["seat"][tables].astype(np.uint8),
            "observations": observations.copy(),
            "masks": np.packbits(masks, axis=1, bitorder="little"),
            "actions": actions,
        }
        for name, row in rows.items():
            self.columns.setdefault(name, []).append(row)
        self._made += len(tables)
        if self._progress:
            self._progress(self._done, self._made)

    def ended(self, states: npt.NDArray[Any]) -> None:
        """See `arena.tables.Witness`."""
        self.states = states


def _refuse_failures(recording: Recording, tables: Sequence[Table], outcomes: Sequence[dict[str, Any]]) -> None:
    for table, outcome in zip(tables, outcomes):
        if outcome["failed"]:
            player, reason = outcome["failed"]["player"], outcome["failed"]["reason"]
            raise RecordingError(
                f"{recording.players[player]} failed at deal {table.deal} (seed {recording.seed_of(table.deal)}): "
                f"{reason}. Only games that are played to the end are recorded"
            )


def _batch(
    notes: _Notes, recording: Recording, tables: Sequence[Table], outcomes: Sequence[dict[str, Any]]
) -> Decisions:
    """What was noted, in its order, and what came of it beside every decision."""
    order = np.argsort(np.concatenate(notes.columns["games"]), kind="stable")
    noted = {}
    for name in list(notes.columns):  # one after the other, so that no two copies of all of it exist
        noted[name] = np.concatenate(notes.columns.pop(name))[order]
    games, seats = noted["games"], noted["seats"]
    each = len(recording.seatings())
    deals = np.array([table.deal for table in tables], np.int64)
    starts = np.searchsorted(games, np.arange(len(tables)))
    margins, truncated = _payoffs(recording.found, notes.states, "margin")
    wins, _ = _payoffs(recording.found, notes.states, "win")
    return Decisions(
        deals=deals[games],
        seeds=np.array([recording.seed_of(table.deal) for table in tables], np.uint64)[games],
        tables=(games % each).astype(np.int32),
        rounds=noted["rounds"].astype(np.int32),
        indices=(np.arange(len(games)) - starts[games]).astype(np.int32),
        seats=seats,
        players=np.array([table.seats for table in tables], np.int64)[games, seats],
        observations=noted["observations"],
        masks=noted["masks"],
        actions=noted["actions"].astype(np.int16),
        points=np.array([outcome["points"] for outcome in outcomes], np.int32)[games],
        margins=margins[games, seats].astype(np.float32),
        wins=wins[games, seats].astype(np.int8),
        endings=np.array([outcome["ending"] for outcome in outcomes])[games],
        games=games,
        ends=notes.states,
        truncated=truncated,
        num_actions=recording.found.num_actions,
    )


def _payoffs(game: Game, states: npt.NDArray[Any], kind: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """(tables, seats): what each table was worth to each seat; (tables,): whether it was truncated."""
    payoffs, statuses = np.zeros((len(states), game.max_seats)), np.zeros(len(states), np.int64)
    for table in range(len(states)):
        statuses[table] = kernels_of(game).end_one(states[table : table + 1], REWARDS[kind], payoffs[table])
    return payoffs, statuses == TRUNCATED
