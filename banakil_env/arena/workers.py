"""Plays one match with several processes: each gets some deals at a time and returns their outcomes.

Players depend only on their rows, so it does not matter which process plays which deal. Each player has a separate
process (`arena.apart`), so the process that plays the deals survives when a player crashes.
"""

from __future__ import annotations

import contextlib
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

from banakil_env.arena.apart import NO_GUARD, PROCESS, PlayerApart, WorkerError, end_all, no_guard, settle
from banakil_env.arena.ask import MatchStopped
from banakil_env.arena.outcomes import Outcomes
from banakil_env.arena.plan import Plan
from banakil_env.arena.players import Player
from banakil_env.arena.tables import play_tables

TRIES = 3  # attempts to play deals during which a process died
PATIENCE = 5.0  # seconds that a process has to end the processes of its players

Played = tuple[list[int], list[Outcomes], float]  # deals, the outcomes of their tables, the seconds they took
Players = Sequence[Player | PlayerApart]


def play_deals(players: Players, plan: Plan, deals: Sequence[int], record: bool) -> list[Outcomes]:
    """Play all tables of some deals in this process, and return the outcomes of each deal."""
    tables = plan.tables(deals)
    outcomes = play_tables(players, plan.players, tables, plan.settings(record))
    each = len(tables) // len(deals)
    return [outcomes[i : i + each] for i in range(0, len(outcomes), each)]


def play_here(players: Players, plan: Plan, next_deals: Callable[[], list[int]], record: bool) -> Iterator[Played]:
    """Play the deals that `next_deals` returns, until it returns none, in this process."""
    try:
        while deals := next_deals():
            begun = time.monotonic()
            outcomes = play_deals(players, plan, deals, record)
            yield deals, outcomes, time.monotonic() - begun
    finally:
        end_all(players)


def play_elsewhere(
    players: Players, plan: Plan, next_deals: Callable[[], list[int]], record: bool, processes: int
) -> Iterator[Played]:
    """Like `play_here`, in other processes, at most one per deal.

    Raises WorkerError if a process failed and no player is at fault.
    """
    luggage = pickle.dumps((players, plan, record))
    workers: list[Worker] = []
    try:
        while len(workers) < processes and (deals := next_deals()):
            workers.append(Worker(luggage))
            workers[-1].give(deals)
        while busy := {worker.pipe: worker for worker in workers if worker.deals}:
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]  # `wait` gives back what it was given
                played = worker.receive()
                if played is not None:
                    yield played
                    worker.give(next_deals())
    finally:
        for worker in workers:
            worker.end()


class Worker:
    """A process that plays deals, and the deals that it is playing.

    Args:
        luggage: pickled: the players, the plan, and whether games are recorded.
    """

    def __init__(self, luggage: bytes) -> None:
        self._luggage = luggage
        self.deals: list[int] = []
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), name=PROCESS)
        self._process.start()
        theirs.close()
        self._send(self._luggage)

    def _send(self, value: Any) -> None:
        """Send a value to the process. If the process has died, `receive` notices it."""
        with contextlib.suppress(OSError):
            self.pipe.send(value)

    def give(self, deals: list[int]) -> None:
        """Send deals to play; an empty list means that no deals are left."""
        self.deals, self._deaths = deals, 0
        if deals:
            self._send(deals)

    def receive(self) -> Played | None:
        """The outcomes of the deals; None if the process died, after which a new process plays these deals again.

        Raises MatchStopped or WorkerError if the process reports it, and WorkerError if processes die repeatedly.
        """
        try:
            process, deals, outcomes, seconds, error = self.pipe.recv()
        except (EOFError, OSError):
            self._bury()
            return None
        if isinstance(error, MatchStopped):
            raise error
        if error:
            raise WorkerError(f"a process of the arena failed with deals {self.deals}:\n{error}")
        if process != self._process.pid or deals != self.deals or len(outcomes) != len(deals):
            raise WorkerError(
                f"process {process} of the arena answers with deals {deals}; process {self._process.pid} was given "
                f"{self.deals}"
            )
        return deals, outcomes, seconds

    def play(self, deals: list[int]) -> Played:
        """Send deals to play, and wait for their outcomes."""
        self.give(deals)
        while (played := self.receive()) is None:
            pass
        return played

    def end(self) -> None:
        """End the process and the processes of its players, whatever they are doing."""
        self.pipe.close()
        self._process.terminate()
        self._process.join(PATIENCE)
        self._process.kill()
        self._process.join()

    def _bury(self) -> None:
        """Start a new process in place of the one that died, and send it the same deals.

        Raises WorkerError if these deals have ended too many processes, or if the program has no main guard.
        """
        self._process.join()
        code = self._process.exitcode
        if code == NO_GUARD:
            raise no_guard() from None
        self._deaths += 1
        if self._deaths == TRIES:
            raise WorkerError(f"a process of the arena died {TRIES} times (exit code {code}) with deals {self.deals}")
        self._start()
        self._send(self.deals)


def _work(pipe: Connection) -> None:
    """The main loop of a process: it receives the luggage, then receives deals and sends outcomes.

    The luggage comes through the pipe. A large argument would block the starting process if the new process ended
    before it read its arguments.
    """
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))  # runs after its players have been ended
    settle()
    process = os.getpid()
    players: Any = ()
    deals = None
    try:
        players, plan, record = pickle.loads(pipe.recv())
        while True:
            deals = pipe.recv()
            begun = time.monotonic()
            outcomes = play_deals(players, plan, deals, record)
            pipe.send((process, deals, outcomes, time.monotonic() - begun, None))
    except (EOFError, ConnectionError):  # the match is over or has failed; the starting process reports it
        return
    except MatchStopped as stop:
        with contextlib.suppress(OSError):
            pipe.send((process, deals, None, 0.0, stop))
    except Exception:
        with contextlib.suppress(OSError):
            pipe.send((process, deals, None, 0.0, traceback.format_exc()))
    finally:
        end_all(players)
        # No processes are left to end: avoids a traceback while Python shuts down.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
