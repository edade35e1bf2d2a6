"""How do several processes play one match? Each gets some deals at a time and sends back what happened at their tables.

Players depend on nothing but their rows, so it does not matter who plays which deal. A process that hangs in native
code, where no alarm reaches it, is ended from here; its deals are played again by another, the player at fault asked
about one table at a time, and then without the table at fault.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from banakil_env.arena.plan import Plan
from banakil_env.arena.players import Player
from banakil_env.arena.store import Outcomes
from banakil_env.arena.tables import Watch, play_tables

LOOK = 0.25  # seconds between two looks at whether a process hangs
GRACE = 5.0  # seconds beyond the budget before a process is ended; within them its own alarm rings
TRIES = 3  # of deals during which a process died while nobody was asked

Played = tuple[list[int], list[Outcomes], float]  # deals, their tables, the seconds they took


class WorkerError(RuntimeError):
    """A process of the arena failed, not a player."""


def play_deals(
    players: Sequence[Player], plan: Plan, deals: Sequence[int], record: bool, watch: Watch | None = None
) -> list[Outcomes]:
    """Play all tables of some deals here; their outcomes, deal by deal."""
    tables = plan.tables(deals)
    outcomes = play_tables(players, plan.players, tables, plan.settings(record), watch)
    each = len(tables) // len(deals)
    return [outcomes[i : i + each] for i in range(0, len(outcomes), each)]


def play_here(
    players: Sequence[Player], plan: Plan, next_deals: Callable[[], list[int]], record: bool
) -> Iterator[Played]:
    """Play what `next_deals` gives, until it gives nothing, in this process."""
    while deals := next_deals():
        begun = time.monotonic()
        outcomes = play_deals(players, plan, deals, record)
        yield deals, outcomes, time.monotonic() - begun


def play_elsewhere(
    players: Sequence[Player], plan: Plan, next_deals: Callable[[], list[int]], record: bool, processes: int
) -> Iterator[Played]:
    """The same in other processes. WorkerError: a player cannot be sent there, or one failed for no player's fault."""
    luggage = pack(players, plan, record)
    workers = [Worker(luggage) for _ in range(processes)]
    try:
        for worker in workers:
            worker.give(next_deals())
        while busy := [worker for worker in workers if worker.deals]:
            ready = wait([worker.pipe for worker in busy], timeout=LOOK)
            for worker in busy:
                if worker.pipe in ready:
                    played = worker.receive(plan)
                    if played is not None:
                        yield played
                        worker.give(next_deals())
                elif worker.hangs():
                    worker.end()
    finally:
        for worker in workers:
            worker.end()


def pack(players: Sequence[Player], plan: Plan, record: bool) -> bytes:
    """What a worker is made from. WorkerError: a player cannot be sent to another process."""
    try:
        return pickle.dumps((tuple(players), plan, record))
    except Exception as error:
        raise WorkerError(
            f"the players cannot be sent to other processes ({error}): name them as module:function, or play in this "
            f"one (in Python processes=1 without isolate, as a command --processes 1 --budget 0)"
        ) from None


class Worker:
    """A process, and what it is doing.

    Args:
        luggage: what `pack` has made.
    """

    def __init__(self, luggage: bytes) -> None:
        self._luggage = luggage
        self._context = multiprocessing.get_context("spawn")
        self._slots = self._context.RawArray("d", 4)
        self.deals: list[int] = []
        self._hung = False
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe()
        self._slots[:] = [0.0] * 4
        self._process = self._context.Process(target=_work, args=(theirs, self._slots, self._luggage), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, deals: list[int]) -> None:
        """Have it play these deals; none: it has nothing to do."""
        self.deals, self._failures, self._singly, self._deaths = deals, dict[int, tuple[int, str]](), set[int](), 0
        if deals:
            self._send()

    def _send(self) -> None:
        self.pipe.send((self.deals, self._failures, self._singly))

    def receive(self, plan: Plan) -> Played | None:
        """What it has played; None when it died and its deals are being played again."""
        try:
            outcomes, seconds, error = self.pipe.recv()
        except (EOFError, OSError):
            self._bury(plan)
            return None
        if error:
            raise WorkerError(f"a process of the arena failed with deals {self.deals}:\n{error}")
        return self.deals, outcomes, seconds

    def play(self, plan: Plan, deals: list[int]) -> Played:
        """Give it some deals and wait for them, ending it as often as it hangs."""
        self.give(deals)
        while True:
            if wait([self.pipe], timeout=LOOK):
                played = self.receive(plan)
                if played is not None:
                    return played
            elif self.hangs():
                self.end()

    def hangs(self) -> bool:
        """Whether an answer is overdue by more than the grace."""
        due = self._slots[0]
        self._hung = due > 0 and time.monotonic() > due + GRACE
        return self._hung

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()

    def _bury(self, plan: Plan) -> None:
        """It died: note who was asked at the time, and have its deals played again."""
        self._process.join()
        player, asked, table = (int(number) for number in self._slots[1:])
        how = "did not answer in time and could not be interrupted" if self._hung else "brought down its process"
        self._hung = False
        if asked == 1:
            self._failures[table] = (player, f"{how} (exit code {self._process.exitcode})")
        elif asked > 1:
            self._singly.add(player)
        else:
            self._deaths += 1
            if self._deaths == TRIES:
                raise WorkerError(
                    f"a process of the arena died {TRIES} times (exit code {self._process.exitcode}) with deals "
                    f"{self.deals}"
                )
        self._start()
        self._send()


def _work(pipe: Connection, slots: Any, luggage: bytes) -> None:
    """The life of a process: deals come, outcomes go."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who started it decides
    os.environ["OMP_NUM_THREADS"] = "1"  # of libraries that are loaded from here on: the processes share the cores
    try:
        players, plan, record = pickle.loads(luggage)
        if "torch" in sys.modules:  # perhaps it was loaded before
            sys.modules["torch"].set_num_threads(1)
    except Exception:
        pipe.recv()
        pipe.send((None, 0.0, traceback.format_exc()))
        return
    while True:
        try:
            deals, failures, singly = pipe.recv()
        except EOFError:
            return
        begun = time.monotonic()
        try:
            outcomes = play_deals(players, plan, deals, record, Watch(slots, failures, singly))
        except Exception:
            pipe.send((None, 0.0, traceback.format_exc()))
            return
        pipe.send((outcomes, time.monotonic() - begun, None))
