"""Plays the games of a recording and stores every decision.

A recording plays the tables of the arena: every pair of players at every deal in all seatings; a single player plays
against itself. A fixed number of tables is played at a time. The same recording therefore gives the same rows in the
same order: by deal, by table, and in the order of play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.options import TableOptions
from banakil_env.arena.plan import MOST_SECONDS
from banakil_env.arena.players import Player
from banakil_env.arena.seatings import pairings, seatings
from banakil_env.arena.seeds import FIRST_HELD_OUT, SEEDS_IN_SET, seed_of
from banakil_env.arena.tables import Settings, Table, play_tables
from banakil_env.core.game import REWARDS, Game
from banakil_env.core.kernels import kernels_of

# About 30,000 decisions at a time, which take 35 MB.
TABLES_AT_A_TIME = {"round": 512, "match": 64}

Progress = Callable[[int, int], None]


class RecordingError(ValueError):
    """A recording that is impossible, or a game that was not played to its end."""


@dataclass(frozen=True)
class Recording(TableOptions):
    """The players and deals of a recording; it also has the options of the tables.

    Attributes:
        players: names, each different; a single player plays against itself.
        deals: the number of deals.
        seeds: the seed of the first deal, below 2**63 (each later deal has the next seed); or the name of a held-out
            set (`arena.SEED_SETS`). Held-out deals are for measuring: an agent that has learned from them must not be
            measured on them.
        budget: time limit of a decision in seconds; None for no limit.
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
                f"{FIRST_HELD_OUT - 1}: those above are held out; a held-out set is chosen by its name"
            )
        if self.budget is not None and not 0 < self.budget <= MOST_SECONDS:
            raise RecordingError(
                f"budget must be a number of seconds above 0, at most {MOST_SECONDS}, not {self.budget!r}"
            )
        self.seed_of(self.deals - 1)
        super().__post_init__()

    def seed_of(self, deal: int) -> int:
        """The seed of a deal."""
        return seed_of(self.seeds, deal) if isinstance(self.seeds, str) else self.seeds + deal

    def seatings(self) -> list[tuple[int, ...]]:
        """The player (an index) at each seat, for every table of a deal."""
        if len(self.players) == 1:
            return [(0,) * self.seats]
        shapes = seatings(self.seats, self.plays_partners)
        return [tuple(pair[who] for who in shape) for pair in pairings(len(self.players)) for shape in shapes]


@dataclass(frozen=True)
class Decisions:
    """The decisions at some tables, one per row: ordered by deal, by table, and in the order of play.

    Attributes:
        deals: (n,) int64, the number of the deal.
        seeds: (n,) uint64, the seed of the deal.
        tables: (n,) int32, the number of the table in its deal (an index into `Recording.seatings`).
        rounds: (n,) int32, the number of earlier rounds of the match.
        indices: (n,) int32, the number of earlier decisions at the table.
        seats: (n,) uint8, the seat that decides.
        players: (n,) int64, its player as an index.
        observations: (n, bytes) uint8, the observation of that seat.
        masks: (n, bytes) uint8, the legal actions as bits: action a is bit a % 8 of byte a // 8.
        actions: (n,) int16.
        points: (n, seats) int32, the points of each seat at the end of the game, as the arena counts them.
        margins: (n,) float32, the reward "margin" of the seat that decides.
        wins: (n,) int8, the reward "win" of the seat that decides.
        endings: (n,) str, how the game ended, in the words of the game.
        games: (n,) int64, the table as an index into `ends`.
        ends: (tables,) the final state of every table.
        num_actions: the number of actions of the game.
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
    num_actions: int

    def __len__(self) -> int:
        return len(self.actions)

    def unpacked_masks(self) -> npt.NDArray[np.int8]:
        """The masks as (n, actions) int8, 1 for a legal action."""
        return unpack(self.masks, self.num_actions)


def unpack(masks: npt.NDArray[np.uint8], num_actions: int) -> npt.NDArray[np.int8]:
    """Unpack masks from bits, (n, bytes), to the masks of the environments, (n, actions) int8."""
    return np.unpackbits(masks, axis=1, count=num_actions, bitorder="little").view(np.int8)


def decisions(players: Sequence[Player], recording: Recording, progress: Progress | None = None) -> Iterator[Decisions]:
    """Play the recording, and yield its decisions in order, some deals at a time.

    Args:
        players: the players that the recording names.
        recording: what to play.
        progress: called during play with the numbers of finished deals and of decisions so far.

    Raises:
        RecordingError: a player failed; the text names the player, the place and the reason.
    """
    seats = recording.seatings()
    step = max(1, TABLES_AT_A_TIME[recording.episode] // len(seats))
    made = 0
    for first in range(0, recording.deals, step):
        deals = range(first, min(first + step, recording.deals))
        tables = [Table(deal, of_table) for deal in deals for of_table in seats]
        notes = _Notes(progress, first, made)
        settings = Settings(recording.game, recording.options, recording.seed_of, recording.budget)
        outcomes = play_tables(players, recording.players, tables, settings, witness=notes)
        _refuse_failures(recording, tables, outcomes)
        batch = _batch(notes, recording, tables, outcomes)
        made += len(batch)
        yield batch
    if progress:
        progress(recording.deals, made)


class _Notes:
    """A `Witness` (`arena.tables`) that stores every decision of the recorded games and reports the progress."""

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
        """Store the decisions at the tables, and report the progress; the arguments are those of `Witness.decided`."""
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
        """Store the final state of every table."""
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
    """The decisions of some tables in order, each with the outcome of its game."""
    order = np.argsort(np.concatenate(notes.columns["games"]), kind="stable")
    noted = {}
    for name in list(notes.columns):  # one column after the other, so that there are never two copies of all decisions
        noted[name] = np.concatenate(notes.columns.pop(name))[order]
    games, seats = noted["games"], noted["seats"]
    each = len(recording.seatings())
    deals = np.array([table.deal for table in tables], np.int64)
    starts = np.searchsorted(games, np.arange(len(tables)))
    margins, wins = (_payoffs(recording.found, notes.states, kind) for kind in ("margin", "win"))
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
        num_actions=recording.found.num_actions,
    )


def _payoffs(game: Game, states: npt.NDArray[Any], kind: str) -> npt.NDArray[np.float64]:
    """The rewards of kind `kind` (such as "margin") of each seat at the end of each table, (tables, seats)."""
    payoffs = np.zeros((len(states), game.max_seats))
    for table in range(len(states)):
        kernels_of(game).end_one(states[table : table + 1], REWARDS[kind], payoffs[table])
    return payoffs
