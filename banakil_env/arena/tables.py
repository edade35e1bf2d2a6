"""How is a set of tables played out? In lockstep, each player asked once for all the tables where it is to move.

A player that fails (raises, answers something that is not a legal action, or takes longer than its budget) loses that
table: its seats get minus the forfeit, all others 0, the reason is kept, and the other tables go on. When one call
for many tables fails, they are asked again one by one, so that only the table at fault is lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from banakil_env.arena.kernels import arena_kernels_of
from banakil_env.arena.players import Player
from banakil_env.core.kernels import GENERATOR, ILLEGAL, refusal
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.game import GAME
from banakil_env.kit.records import Recorder

# Points that a failing player's seats lose. No round of a preset is worth as much: all 106 cards are 108 points, going
# out 20, a hand 101 at most. A match knows no bound but its rounds; docs/arena.md says what it is lost by in play.
FORFEIT = {"round": 150, "match": 1000}

ENDINGS = {S.OUT: "out", S.EXHAUSTED: "exhausted", S.TURNS: "turns", S.MATCH: "match", S.ROUNDS: "rounds"}
LOST = "lost"  # the ending of a table where a player failed

_CLOSED = -3  # no seat is to move, because a player failed
_LONGEST_REASON = 400


@dataclass(frozen=True)
class Table:
    """One table to be played: a deal, and which player (an index) sits at each seat."""

    deal: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Settings:
    """What all tables of a match have in common.

    Attributes:
        options: the game's own: num_players, partners, rules, episode, max_turns.
        first_seed: of deal 0; deal i is dealt from that plus i.
        budget: seconds a player may take for one decision; a call for k tables may take k times as long. None: any
            time.
        record: write every game down.
    """

    options: dict[str, Any]
    first_seed: int
    budget: float | None = None
    record: bool = False


@dataclass
class Watch:
    """What is being asked of whom: how another process sees that a player hangs, and what it has found out before.

    Attributes:
        slots: four numbers: the time (`time.monotonic`) by which the answer is due, 0 when nobody is asked; the player;
            how many tables are asked about; the first of them, as an index.
        failures: tables, as indices, that are known to be lost, by whom and why.
        singly: players that are to be asked about one table at a time.
    """

    slots: Any = field(default_factory=lambda: [0.0] * 4)
    failures: dict[int, tuple[int, str]] = field(default_factory=dict)
    singly: set[int] = field(default_factory=set)


class Witness(Protocol):
    """Whoever wants to know all that is decided, not only what came of it. Arrays are the tables' own: copy them."""

    def decided(
        self,
        tables: npt.NDArray[np.int64],
        states: npt.NDArray[Any],
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        actions: npt.NDArray[np.int64],
    ) -> None:
        """Called before actions are carried out, legal or not.

        Args:
            tables: (k,) the tables, as indices, each once.
            states: of all tables.
            observations, masks, actions: (k, bytes), (k, actions), (k,): what was seen there, and the answer.
        """
        ...

    def ended(self, states: npt.NDArray[Any]) -> None:
        """Called once, with the last state of every table."""
        ...


class PlayerFailed(Exception):
    """A player raised, was late, or gave something that is no array of actions; the text says which."""


class _OutOfTime(BaseException):
    """Raised by the alarm inside a player's own code, past its `except Exception`."""


def play_tables(
    players: Sequence[Player],
    labels: Sequence[str],
    tables: Sequence[Table],
    settings: Settings,
    watch: Watch | None = None,
    witness: Witness | None = None,
) -> list[dict[str, Any]]:
    """Play every table to its end; what happened at each, in the order given.

    Args:
        players: those that `Table.seats` counts.
        labels: their names, each different; with the deal and the seats they make a player's dice.
        witness: is told of every decision.

    Returns:
        A dict a table, ready for JSON: `points` by seat; `ending` (out, exhausted, turns, match, rounds, lost);
        `winner`, the seat that went out or the first of the side that won the match, or None; `hand`, whether in one
        turn; `turns` of the last round; `rounds`; `decisions` and `seconds`, lists by those at the table in the order
        of `players`; `failed`, [player, reason] or None; and, if games are written down, `record`.
    """
    return _Hall(players, labels, tables, settings, watch or Watch(), witness).play()


class _Hall:
    """All the tables of one call."""

    def __init__(
        self,
        players: Sequence[Player],
        labels: Sequence[str],
        tables: Sequence[Table],
        settings: Settings,
        watch: Watch,
        witness: Witness | None,
    ) -> None:
        self._players, self._tables, self._settings, self._watch = players, tables, settings, watch
        self._witness = witness
        for somebody in players:
            getattr(somebody, "prepare", lambda: None)()
        self._loops = arena_kernels_of(GAME)
        count = len(tables)
        self._states = np.repeat(GAME.new(**settings.options), count)
        seeds = [settings.first_seed + table.deal for table in tables]
        self._to_move = np.zeros(count, np.int64)
        self._loops.start_many(self._states, np.array(seeds, np.uint64), self._to_move)
        self._seats = np.array([table.seats for table in tables], np.int64).reshape(count, -1)
        self._dice_of = [np.zeros(count, GENERATOR) for _ in players]
        for player, label in enumerate(labels):
            own = [_dice_seed(seed, table.seats, player, label) for seed, table in zip(seeds, tables)]
            self._loops.seed_many(self._dice_of[player], np.array(own, np.uint64))
        self._observations = np.zeros(count, GAME.observation)
        self._masks = np.zeros((count, GAME.num_actions), np.int8)
        self._dice = np.zeros(count, np.uint64)
        self._decisions = np.zeros((count, len(players)), np.int64)
        self._seconds = np.zeros((count, len(players)))
        self._failures: dict[int, tuple[int, str]] = {}
        self._recorders = (
            [Recorder(GAME, state, seed) for state, seed in zip(self._states, seeds)] if settings.record else []
        )

    def play(self) -> list[dict[str, Any]]:
        for table, (player, reason) in self._watch.failures.items():
            self._close(table, player, reason)
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
        """Ask a player about the tables where it is to move, and carry out what it says."""
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
        if k > 1 and player in self._watch.singly:
            rows, actions = self._ask_singly(player, tables)
        else:
            try:
                actions = self._ask(player, tables, 0, k)
            except PlayerFailed as failure:
                if k == 1:
                    self._close(int(tables[0]), player, str(failure))
                    return
                rows, actions = self._ask_singly(player, tables)
        moved = tables[rows]
        if self._recorders:
            self._note(rows, moved, actions)
        if self._witness:
            seen = self._observations[:k].view(np.uint8).reshape(k, -1)
            self._witness.decided(moved, self._states, seen[rows], self._masks[rows], actions)
        self._loops.move_many(self._states, moved, actions, self._to_move)
        self._decisions[moved, player] += 1
        for i in np.flatnonzero(self._to_move[moved] == ILLEGAL):
            table = int(moved[i])
            self._close(table, player, "answered: " + refusal(GAME, self._states[table], int(actions[i])))

    def _note(self, rows: npt.NDArray[np.int64], tables: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        """Write down what is about to be carried out; `rows` of the masks, one for each table."""
        for row, table, action in zip(rows, tables, actions):
            if 0 <= action < GAME.num_actions and self._masks[row, action]:
                self._recorders[table].note(self._states[table], int(action))

    def _ask_singly(
        self, player: int, tables: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Ask about each table in a call of its own; the rows that were answered, and the answers."""
        rows, actions = [], []
        for row in range(len(tables)):
            try:
                actions.append(int(self._ask(player, tables, row, row + 1)[0]))
                rows.append(row)
            except PlayerFailed as failure:
                self._close(int(tables[row]), player, str(failure))
        return np.array(rows, np.int64), np.array(actions, np.int64)

    def _ask(self, player: int, tables: npt.NDArray[np.int64], first: int, end: int) -> npt.NDArray[np.int64]:
        """One call of a player for the rows first..end - 1. PlayerFailed: what went wrong."""
        k = end - first
        allowed = None if self._settings.budget is None else self._settings.budget * k
        begun = time.monotonic()
        slots = self._watch.slots
        slots[1], slots[2], slots[3] = player, k, tables[first]
        slots[0] = 0.0 if allowed is None else begun + allowed
        try:
            with _alarm(allowed):
                # Of the player's own: it may keep or change them.
                answer = self._players[player].act(
                    self._observations[first:end].view(np.uint8).reshape(k, -1).copy(),
                    self._masks[first:end].copy(),
                    self._dice[first:end].copy(),
                )
        except _OutOfTime:
            raise PlayerFailed(_late(allowed, k)) from None
        except (Exception, SystemExit) as error:
            raise PlayerFailed(f"raised {type(error).__name__}: {error}"[:_LONGEST_REASON]) from error
        finally:
            slots[0] = slots[2] = 0.0
            elapsed = time.monotonic() - begun
            self._seconds[tables[first:end], player] += elapsed / k
        if allowed is not None and elapsed > allowed:
            raise PlayerFailed(_late(allowed, k))
        return _as_actions(answer, k)

    def _close(self, table: int, player: int, reason: str) -> None:
        self._failures[table] = (player, reason[:_LONGEST_REASON])
        self._to_move[table] = _CLOSED

    def _outcome(self, table: int) -> dict[str, Any]:
        state, seats = self._states[table], self._seats[table].tolist()
        failed = self._failures.get(table)
        present = sorted(set(seats))
        outcome: dict[str, Any] = {
            "points": [int(points) for points in state["scores" if state["episode"] else "points"][: len(seats)]],
            "ending": ENDINGS.get(int(state["ending"]), LOST),
            "winner": int(state["winner"]) if state["winner"] != S.NO_SEAT else None,
            "hand": bool(state["ending"] == S.OUT and state["in_one_turn"]),
            "turns": int(state["turns"]),
            "rounds": int(state["rounds"]),
            "decisions": [int(self._decisions[table, player]) for player in present],
            "seconds": [round(float(self._seconds[table, player]), 6) for player in present],
            "failed": None,
        }
        if failed:
            forfeit = FORFEIT[self._settings.options.get("episode", "round")]
            outcome["points"] = [-forfeit if seat == failed[0] else 0 for seat in seats]
            outcome |= {"ending": LOST, "winner": None, "hand": False, "failed": list(failed)}
        if self._recorders:
            outcome["record"] = self._recorders[table].text(state)
        return outcome


def _dice_seed(seed: int, seats: Sequence[int], player: int, label: str) -> int:
    """A player's dice at a table: from the deal, the seats it holds and its own name, whoever the others are."""
    own = "".join("x" if seat == player else "." for seat in seats)
    return int.from_bytes(hashlib.blake2b(f"{seed} {own} {label}".encode(), digest_size=8).digest(), "little")


def _late(allowed: float | None, k: int) -> str:
    tables = "" if k == 1 else f" for {k} tables"
    return f"took longer than its budget of {allowed:g} s{tables}"


def _as_actions(answer: Any, k: int) -> npt.NDArray[np.int64]:
    """The answer as k whole numbers. PlayerFailed: it is something else."""
    try:
        actions = np.asarray(answer)
    except Exception as error:
        raise PlayerFailed(f"answered something that is no array: {error}") from None
    if actions.shape != (k,) or actions.dtype.kind not in "iu":
        raise PlayerFailed(
            f"answered {answer!r:.80}, an array of {actions.dtype} of shape {actions.shape}; "
            f"expected were {k} whole numbers, of shape ({k},)"
        )
    if actions.dtype == np.uint64:  # one beyond int64 is no action either way
        actions = np.minimum(actions, np.uint64(2**62))
    return actions.astype(np.int64)


def _may_alarm() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Interrupt Python code that runs longer than this; where the system has no alarm, it is found late afterwards."""
    if seconds is None or not _may_alarm():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise _OutOfTime

    before: Callable[..., Any] | int | None = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
