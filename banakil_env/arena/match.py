"""Plays a match deal by deal until it is complete, in one process or several, and continues interrupted matches.

The results are those of deals 0 to n - 1. Each deal depends only on its number, so the results do not depend on the
number of processes or on interruptions. Only the seconds that decisions took differ.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from banakil_env.arena.apart import WorkerError, leave_if_imported, set_apart
from banakil_env.arena.ask import MatchStopped, PlayerFailed
from banakil_env.arena.identities import identity_of
from banakil_env.arena.lost_tables import failure_of, failure_text
from banakil_env.arena.outcomes import Outcomes
from banakil_env.arena.plan import Plan, labels
from banakil_env.arena.players import Player, make_players
from banakil_env.arena.results import Results
from banakil_env.arena.statistics import interval
from banakil_env.arena.store import Store
from banakil_env.arena.workers import play_elsewhere, play_here
from banakil_env.core.hints import no_argument
from banakil_env.core.install import install_line
from banakil_env.games import DEFAULT_GAME

SECONDS_AT_A_TIME = 1.0  # target time of the deals that a process gets at a time
LONGEST_AT_A_TIME = 10.0  # the same, if more deals at a time are played faster
# Playing more deals at a time must be this much faster, as with a network called for many tables at once.
WORTH_IT = 1.2
TABLES_AT_A_TIME = 1024
MOST_PROCESSES = 1024

ON_FAILURE = ("lose", "raise")

Progress = Callable[[int, int, str], None]


def play_match(
    players: Sequence[str | Player | Callable[..., Any]],
    plan: Plan | None = None,
    *,
    folder: Path | str | None = None,
    processes: int = 1,
    isolate: bool = False,
    cluster: bool = False,
    record: bool = False,
    on_failure: str = "lose",
    progress: Progress | None = None,
    **options: Any,
) -> Results:
    """Play a match on duplicate deals: every pair of the players, or every group of players at mixed tables.

    Args:
        players: two or more: names, functions, classes or objects (`Player`). Players with the same name are
            distinguished by a number behind it.
        plan: the match, with the names of these players as `players`; or give its attributes as keywords:
            `num_players=4, deals=2000, width=1`.
        folder: every deal is stored here as soon as it is played; a match found there is continued. None: not stored.
        processes: the number of processes, at most the number of deals. With more than one, `isolate` is True.
        isolate: give every player that is not rule-based a separate process, to which only observations, masks and
            dice are sent. The process is ended if the player hangs in native code or crashes. Players are pickled.
            False: players run in this process, and can block it, end it and read its memory.
        cluster: play on a Ray cluster (`arena.cluster`). `processes` is then the number of its processors to use, 0 for
            all.
        record: record every game, in `folder/records`.
        on_failure: when a player fails, "lose" makes it lose the table and continues the match; "raise" raises the
            failure. If a player that talks gives no reply, the match stops in either case.
        progress: called with the number of deals played without a gap, the largest number of deals, and a line with the
            current result.

    Raises:
        ValueError: a player cannot be made.
        PlanError, RulesError: the match cannot be played.
        StoreError: the folder holds another match, was begun with a player of the same name that has changed since, or
            cannot be written.
        PlayerFailed: with `on_failure="raise"`, the first failure in the order of deals.
        MatchStopped: a player that talks gave no reply. Its `results` are those of the deals before; with a folder, the
            same call continues from there.
        WorkerError: a process failed.
    """
    leave_if_imported()
    if on_failure not in ON_FAILURE:
        raise ValueError(f"on_failure is one of {', '.join(ON_FAILURE)}, not {on_failure!r}")
    _check_names(options)
    if plan is not None and options:
        raise TypeError(f"give a plan or its attributes, not both: {', '.join(options)}")
    made = make_players(players, plan.game if plan is not None else options.get("game", DEFAULT_GAME))
    if plan is None:
        plan = Plan(labels([player.name for player in made]), **options)
    if not (1 <= processes <= MOST_PROCESSES or (cluster and processes == 0)):
        raise ValueError(f"processes must be a number from 1 to {MOST_PROCESSES}, not {processes!r:.80}")
    if record and folder is None:
        raise ValueError("games are written down in a folder: name one, or set record to False")
    identities = [identity_of(player) for player in made]
    store = Store(Path(folder), plan, identities) if folder is not None else None
    run = _Run(Results(plan, identities), store, on_failure == "raise")
    if run.enough:
        return run.results
    if cluster:
        played = _cluster().play_on_cluster(set_apart(made), plan, run.next_deals, record, processes)
    elif processes > 1:
        played = play_elsewhere(set_apart(made), plan, run.next_deals, record, processes)
    else:
        played = play_here(set_apart(made) if isolate else made, plan, run.next_deals, record)
    try:
        with contextlib.closing(played):
            for deals, outcomes, seconds in played:
                run.take(deals, outcomes, seconds)
                if progress:
                    progress(len(run.results.deals), plan.deals, run.standing())
    except MatchStopped as stop:
        raise run.stopped(stop, folder) from stop
    run.check_end()
    return run.results


def _check_names(options: Iterable[str]) -> None:
    """Raise TypeError if one of these names is not an argument of `play_match`; the text lists the arguments."""
    own = [name for name, one in inspect.signature(play_match).parameters.items() if one.kind is not one.VAR_KEYWORD]
    known = [*own, *(field.name for field in dataclasses.fields(Plan) if field.name not in own)]
    if unknown := [name for name in options if name not in known]:
        raise TypeError(f"{no_argument('play_match', unknown, known)}; its arguments are {', '.join(known)}")


def _cluster() -> ModuleType:
    """Import the arena over Ray. Raises WorkerError if Ray is not installed."""
    try:
        return importlib.import_module("banakil_env.arena.cluster")
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise WorkerError(f"a match on a cluster needs Ray: {install_line('ray')}") from None


class _Run:
    """The progress of a match: which deals are being played, which are next, and whether the match is complete."""

    def __init__(self, results: Results, store: Store | None, strict: bool) -> None:
        self.results = results
        self._plan, self._store, self._strict = results.plan, store, strict
        self._given: set[int] = set()  # deals that are being played
        self._played: dict[int, Outcomes] = dict(store.deals) if store else {}
        self._next = 0  # every deal below this number has been given out
        self._size = 1
        self._rate = 0.0  # deals per second, of the deals that were taken last
        self._largest = max(1, TABLES_AT_A_TIME // len(self._plan.tables([0])))
        self._looks = results.plan.looks()
        self._look = next(self._looks)
        self.enough = False
        self._count()

    def next_deals(self) -> list[int]:
        """Numbers of deals that no process plays yet; empty when the match is complete."""
        deals: list[int] = []
        while not self.enough and len(deals) < self._size and self._next < self._plan.deals:
            if self._next not in self._played:
                deals.append(self._next)
            self._next += 1
        self._given.update(deals)
        return deals

    def take(self, deals: list[int], outcomes: list[Outcomes], seconds: float) -> None:
        """Take the outcomes of deals that were played in `seconds` seconds.

        Raises:
            WorkerError: these deals were not given out.
            PlayerFailed: a player failed, and the match was started with `on_failure="raise"`.
        """
        if not self._given.issuperset(deals) or len(outcomes) != len(deals):
            raise WorkerError(f"{len(outcomes)} deals came back as {deals}; those being played are {self._given}")
        self._given.difference_update(deals)
        if self._strict:
            self._refuse_failures(deals, outcomes)
        if self._store:
            self._store.add(deals, outcomes)
        self._played.update(zip(deals, outcomes))
        rate = len(deals) / max(seconds, 1e-6)
        pays = rate > WORTH_IT * self._rate and seconds < LONGEST_AT_A_TIME / 2
        if seconds < SECONDS_AT_A_TIME / 2 or pays:
            self._size = min(max(self._size, 2 * len(deals)), self._largest)
        elif seconds > LONGEST_AT_A_TIME:
            self._size = max(1, len(deals) // 2)
        self._rate = rate
        self._count()

    def _refuse_failures(self, deals: list[int], outcomes: list[Outcomes]) -> None:
        for deal, tables in zip(deals, outcomes):
            for number, table in enumerate(tables):
                if table["failed"]:
                    failure = failure_of(self._plan, deal, number, table)
                    told = failure_text(failure)
                    raise PlayerFailed(told, failure["file"], failure["line"], kind=failure["kind"])

    def stopped(self, stop: MatchStopped, folder: Path | str | None) -> MatchStopped:
        """The same error, with the results of the deals that were played and how to continue."""
        if folder is None:
            way = "Only a match with a folder for its deals (--out, in Python folder=) can go on later"
        else:
            way = f"The deals that were played are in {folder}: the same match with this folder goes on from there"
        done = f"{len(self.results.deals)} of at most {self._plan.deals} deals"
        said = f"{stop}. The match has stopped after {done}; no table was counted as lost. {way}"
        told = MatchStopped(said, stop.kind)
        told.results = self.results
        return told

    def check_end(self) -> None:
        """Raise WorkerError if deals are missing although no process plays any more."""
        if not self.enough:
            raise WorkerError(f"deal {len(self.results.deals)} was never played to its end; others may be missing too")

    def _count(self) -> None:
        """Add the played deals that follow without a gap to the results.

        It stops at the first check that is precise enough.
        """
        while not self.enough and (deal := len(self.results.deals)) < self._plan.deals and deal in self._played:
            self.results.add(self._played.pop(deal))
            if self._plan.width is not None and deal + 1 == self._look:
                self.enough = self._widest() <= self._plan.width
                self._look = next(self._looks)
        self._next = max(self._next, len(self.results.deals))
        self.enough = self.enough or len(self.results.deals) == self._plan.deals

    def _widest(self) -> float:
        margins = self.results.margins()
        return max(interval(margins[:, pair], self._plan.level).half_width for pair in range(margins.shape[1]))

    def standing(self) -> str:
        """One line with the current result."""
        if len(self.results.deals) < 2:
            return ""
        margins = self.results.margins()
        first = interval(margins[:, 0], self._plan.level)
        widest = "" if margins.shape[1] == 1 else f", widest ± {self._widest():.2f}"
        a, b = self.results.pairs[0]
        names = self._plan.players
        lost = sum(sum(kinds.values()) for kinds in self.results.forfeits().values())
        forfeits = f", {lost} forfeits" if lost else ""
        return f"{names[a]} - {names[b]} {first.mean:+z.2f} ± {first.half_width:.2f}{widest}{forfeits}"
