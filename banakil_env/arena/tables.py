"""Plays a set of tables in lockstep: one call to each player for all the tables where it is to move.

A player fails if it raises an error, returns something that is not a legal action, or takes longer than its budget. It
then loses that table: its seats get minus the forfeit and all others 0, the kind of failure and the reason are stored,
and the other tables continue. When one call for many tables fails, it is repeated for each table separately, and
only the tables at fault are lost. If a player that talks gives no reply, no table is lost: the match stops
(`MatchStopped`).
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from banakil_env.arena.apart import PlayerApart
from banakil_env.arena.ask import MatchStopped, PlayerFailed, ask, late, prepare, printable, talks
from banakil_env.arena.figures import added, figures_of, has_figures
from banakil_env.arena.players import Player
from banakil_env.core import failures
from banakil_env.core.batch import seed_dice
from banakil_env.core.kernels import GENERATOR, ILLEGAL, kernels_of, refusal
from banakil_env.games import find
from banakil_env.kit.records import Recorder

LOST = "lost"  # the ending of a table where a player failed

_CLOSED = -3  # to move: no seat, because a player failed


@dataclass(frozen=True)
class Table:
    """One table to be played: a deal, and the player (an index) at each seat."""

    deal: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Settings:
    """Settings that all tables of a match share.

    Attributes:
        game: the name of the game.
        options: options of the game: num_players, rules, episode, ...
        seed_of: maps the number of a deal to the seed that it is dealt from.
        budget: time limit of a decision in seconds; a call for k tables can take k times as long. None: no limit.
        record: record every game.
        moves: store the actions of every table.
        forfeit: points that a player loses with a table where it fails; None for the default of the game.
    """

    game: str
    options: dict[str, Any]
    seed_of: Callable[[int], int]
    budget: float | None = None
    record: bool = False
    moves: bool = False
    forfeit: int | None = None


class Witness(Protocol):
    """An observer of all decisions. The arrays that it gets are changed later, so it must copy what it stores."""

    def decided(
        self,
        tables: npt.NDArray[np.int64],
        states: npt.NDArray[Any],
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        actions: npt.NDArray[np.int64],
    ) -> None:
        """Called before actions are carried out, whether they are legal or not.

        Args:
            tables: (k,) indices of the tables, each once.
            states: the states of all tables.
            observations: (k, bytes), the observation at each of the k tables.
            masks: (k, actions), the legal actions.
            actions: (k,), the chosen actions.
        """
        ...

    def ended(self, states: npt.NDArray[Any]) -> None:
        """Called once, with the final state of every table."""
        ...


def play_tables(
    players: Sequence[Player | PlayerApart],
    labels: Sequence[str],
    tables: Sequence[Table],
    settings: Settings,
    witness: Witness | None = None,
) -> list[dict[str, Any]]:
    """Play every table to its end, and return their outcomes in the given order.

    Args:
        players: the players; `Table.seats` holds indices into this list.
        labels: the names of the players, each different. A player's dice are determined by its label, the deal and the
            seats.
        tables: the tables.
        settings: the settings of all tables.
        witness: called at every decision.

    Returns:
        One dict per table, ready for JSON, with these keys:

        - `points` by seat, in the game's own sign;
        - `ending`, a word of the game, or "lost";
        - `winner`, the seat that went out, the first seat of the side that won the match, or None;
        - `marks`, the marks of the game that hold;
        - `turns` of the last round, and `rounds`;
        - `decisions` and `seconds`, lists with one entry per player at the table, in the order of `players`;
        - `failed`, None or a dict of `player`, `seat`, `kind` (`core.failures.KINDS`), `reason`, and the `file` and
          `line` of the player's code, each None if unknown;
        - `figures`, one entry per player at the table, if one of them reports figures (`arena.figures`);
        - `record`, the game as text, if games are recorded;
        - `moves`, the actions that were carried out, in order, if moves are stored.

    Raises:
        MatchStopped: a player that talks has given no reply.
    """
    return _Hall(players, labels, tables, settings, witness).play()


class _Hall:
    """All the tables of one call of `play_tables`."""

    def __init__(
        self,
        players: Sequence[Player | PlayerApart],
        labels: Sequence[str],
        tables: Sequence[Table],
        settings: Settings,
        witness: Witness | None,
    ) -> None:
        self._players, self._labels, self._tables, self._settings = players, labels, tables, settings
        self._witness = witness
        for player in players:
            player.prepare() if isinstance(player, PlayerApart) else prepare(player)
        self._game = game = find(settings.game)
        self._loops = kernels_of(game)
        count = len(tables)
        self._states = np.repeat(game.new(**settings.options), count)
        seeds = [settings.seed_of(table.deal) for table in tables]
        self._to_move = np.zeros(count, np.int64)
        self._loops.start_many(self._states, np.array(seeds, np.uint64), self._to_move)
        self._seats = np.array([table.seats for table in tables], np.int64).reshape(count, -1)
        self._dice_of = [np.zeros(count, GENERATOR) for _ in players]
        for number, label in enumerate(labels):
            own = [dice_seed(seed, table.seats, number, label) for seed, table in zip(seeds, tables)]
            seed_dice(self._dice_of[number], np.array(own, np.uint64))
        self._observations = np.zeros(count, game.observation)
        self._masks = np.zeros((count, game.num_actions), np.int8)
        self._dice = np.zeros(count, np.uint64)
        self._decisions = np.zeros((count, len(players)), np.int64)
        self._seconds = np.zeros((count, len(players)))
        self._failures: dict[int, dict[str, Any]] = {}
        self._figures: dict[tuple[int, int], dict[str, float]] = {}  # by (table, player)
        self._moves: list[list[int]] = [[] for _ in tables]
        self._recorders = (
            [Recorder(game, state, seed) for state, seed in zip(self._states, seeds)] if settings.record else []
        )

    def play(self) -> list[dict[str, Any]]:
        while True:
            running = np.flatnonzero(self._to_move >= 0)
            if not len(running):
                break
            movers = self._seats[running, self._to_move[running]]
            for player in range(len(self._players)):
                asked = running[movers == player]
                if len(asked):
                    self._turn(player, asked)
        if self._witness:
            self._witness.ended(self._states)
        return [self._outcome(table) for table in range(len(self._tables))]

    def _turn(self, player: int, tables: npt.NDArray[np.int64]) -> None:
        """Call a player for the tables where it is to move, and carry out its actions."""
        k = len(tables)
        self._loops.look_many(
            self._states,
            tables,
            self._observations[:k],
            self._masks[:k],
            self._dice_of[player],
            self._dice[:k],
        )
        rows = np.arange(k)
        try:
            actions = self._ask(player, tables, 0, k)
        except PlayerFailed as failure:
            if k == 1:
                self._close(int(tables[0]), player, failure)
                return
            rows, actions = self._ask_singly(player, tables)
        moved = tables[rows]
        if self._recorders:
            self._note(rows, moved, actions)
        if self._witness:
            seen = self._observations[:k].view(np.uint8).reshape(k, -1)
            self._witness.decided(moved, self._states, seen[rows], self._masks[rows], actions)
        seats = self._to_move[moved]
        self._loops.move_many(self._states, moved, actions, self._to_move)
        self._decisions[moved, player] += 1
        for i in np.flatnonzero(self._to_move[moved] == ILLEGAL):
            table = int(moved[i])
            self._to_move[table] = seats[i]
            fault = "answered: " + refusal(self._game, self._states[table], int(actions[i]))
            self._close(table, player, PlayerFailed(fault, kind=failures.ILLEGAL))
        if self._settings.moves:
            legal = self._to_move[moved] != _CLOSED
            for table, action in zip(moved[legal].tolist(), actions[legal].tolist()):
                self._moves[table].append(action)

    def _note(self, rows: npt.NDArray[np.int64], tables: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        """Add the legal ones of the actions that are about to be carried out to the records of their games.

        `rows` are the rows of the masks, one per table.
        """
        for row, table, action in zip(rows, tables, actions):
            if 0 <= action < self._game.num_actions and self._masks[row, action]:
                self._recorders[table].note(self._states[table], int(action))

    def _ask_singly(
        self, player: int, tables: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Call the player for each table separately.

        Returns:
            The rows where the player gave an action, and these actions.
        """
        rows, actions = [], []
        for row in range(len(tables)):
            try:
                actions.append(int(self._ask(player, tables, row, row + 1)[0]))
                rows.append(row)
            except PlayerFailed as failure:
                self._close(int(tables[row]), player, failure)
        return np.array(rows, np.int64), np.array(actions, np.int64)

    def _ask(self, player: int, tables: npt.NDArray[np.int64], first: int, end: int) -> npt.NDArray[np.int64]:
        """Call a player once for the rows first..end - 1, and measure the time.

        Raises:
            PlayerFailed: the player failed.
            MatchStopped: the player talks, and has given no reply.
        """
        try:
            return self._answers(player, tables, first, end)
        except PlayerFailed as failure:
            if failure.stops(self._players[player]):
                raise MatchStopped(f"{self._labels[player]} {failure.reason}", failure.kind) from failure
            raise

    def _answers(self, player: int, tables: npt.NDArray[np.int64], first: int, end: int) -> npt.NDArray[np.int64]:
        """Call a player once for the rows first..end - 1. Raises PlayerFailed if the player fails in any way."""
        k = end - first
        who = self._players[player]
        budget = getattr(who, "seconds_a_decision", self._settings.budget)
        allowed = None if budget is None or getattr(who, "untimed", False) else budget * k
        # Pass copies, since the player can keep or change them.
        rows = (
            self._observations[first:end].view(np.uint8).reshape(k, -1).copy(),
            self._masks[first:end].copy(),
            self._dice[first:end].copy(),
        )
        if isinstance(who, PlayerApart):
            who.restart()
        begun = time.monotonic()
        try:
            actions = who.ask(*rows, allowed) if isinstance(who, PlayerApart) else ask(who, *rows, allowed)
        finally:
            elapsed = time.monotonic() - begun
            self._seconds[tables[first:end], player] += elapsed / k
            self._keep_figures(player, tables[first:end], rows[0])
        if allowed is not None and elapsed > allowed and not talks(who):
            raise PlayerFailed(late(allowed, k), kind=failures.DEADLINE)
        return actions

    def _keep_figures(self, player: int, tables: npt.NDArray[np.int64], rows: npt.NDArray[np.uint8]) -> None:
        """Add the figures that a player reports about the rows of its last call."""
        if has_figures(self._players[player]):
            for table, told in zip(tables.tolist(), figures_of(self._players[player], rows)):
                self._figures[table, player] = added(self._figures.get((table, player), {}), told)

    def _close(self, table: int, player: int, failure: PlayerFailed) -> None:
        """End a table that `player`, which was to move, loses by a failure."""
        self._failures[table] = {
            "player": player,
            "seat": int(self._to_move[table]),
            "kind": failure.kind,
            "reason": failure.reason,
            "file": failure.file,
            "line": failure.line,
        }
        self._to_move[table] = _CLOSED

    def _outcome(self, table: int) -> dict[str, Any]:
        state, seats = self._states[table], self._seats[table].tolist()
        failed = self._failures.get(table)
        present = sorted(set(seats))
        ended = self._game.outcome(state)
        outcome: dict[str, Any] = {
            "points": list(ended.scores),
            "ending": ended.ending or LOST,
            "winner": ended.winner,
            "marks": list(ended.marks),
            "turns": ended.turns,
            "rounds": ended.rounds,
            "decisions": [int(self._decisions[table, player]) for player in present],
            "seconds": [round(float(self._seconds[table, player]), 6) for player in present],
            "failed": None,
        }
        if failed:
            said = self._settings.forfeit
            lost = self._game.forfeit(self._settings.options) if said is None else said
            forfeit = lost * (1 if self._game.low_wins else -1)
            outcome["points"] = [forfeit if seat == failed["player"] else 0 for seat in seats]
            outcome |= {"ending": LOST, "winner": None, "marks": [], "failed": failed}
        if any(has_figures(self._players[player]) for player in present):
            outcome["figures"] = [self._figures.get((table, player), {}) for player in present]
        if self._recorders:
            outcome["record"] = self._record(table)
        if self._settings.moves:
            outcome["moves"] = self._moves[table]
        return outcome

    def _record(self, table: int) -> str:
        """The record of a game as text, with a comment that names the player at each seat."""
        game, rest = self._recorders[table].text(self._states[table]).split("\n", 1)
        names = [printable(self._labels[player]) for player in self._seats[table]]
        seats = [f"# seat {seat}: {' '.join(name.split())}" for seat, name in enumerate(names)]
        return "\n".join([game, *seats, rest])


def dice_seed(seed: int, seats: Sequence[int], player: int, label: str) -> int:
    """The seed of a player's dice at a table. It depends on the deal, the player's seats and its label only."""
    own = "".join("x" if seat == player else "." for seat in seats)
    return int.from_bytes(hashlib.blake2b(f"{seed} {own} {label}".encode(), digest_size=8).digest(), "little")
