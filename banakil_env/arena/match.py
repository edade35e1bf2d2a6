"""How is a match played? Deal by deal until there are enough of them, in one process or several, from where it was.

The results are those of deals 0 to n - 1, each depending on nothing but its own number, so that they are the same
from any number of processes and after any interruption; only the seconds that decisions took differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from banakil_env.arena.plan import Plan, labels
from banakil_env.arena.players import Player
from banakil_env.arena.results import Results
from banakil_env.arena.statistics import interval
from banakil_env.arena.store import Outcomes, Store
from banakil_env.arena.workers import play_elsewhere, play_here

FIRST_LOOK = 100  # deals before the width is first looked at; then after every tenth more
SECONDS_AT_A_TIME = 1.0  # a process comes back about this often
TABLES_AT_A_TIME = 1024

Progress = Callable[[int, int, str], None]


def play_match(
    players: Sequence[Player],
    plan: Plan | None = None,
    *,
    folder: Path | str | None = None,
    processes: int = 1,
    record: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Results:
    """Play a match of all pairs of players on duplicate deals.

    Args:
        players: two or more; of `Player`. Those of one name are told apart by a number behind it.
        plan: what to play, its `players` the names of these; or else give its attributes as keywords: `num_players=4,
            deals=2000, width=1`.
        folder: where every deal is kept as soon as it is played; a match found there goes on. None: nowhere.
        processes: how many play. With more than one, players are pickled.
        record: write every game down, in `folder/records`.
        progress: called with the deals played in a row, those to be played at most, and a line on how it stands.

    Raises:
        PlanError, RulesError: a match that cannot be played. StoreError: the folder holds another. WorkerError: a
            process failed.
    """
    if plan is None:
        plan = Plan(labels([player.name for player in players]), **options)
    if processes < 1:
        raise ValueError(f"processes must be a number from 1 on, not {processes!r}")
    if record and folder is None:
        raise ValueError("games are written down in a folder: name one, or set record to False")
    store = Store(Path(folder), plan.identity()) if folder is not None else None
    run = _Run(plan, store)
    if not run.enough:
        if processes == 1:
            played = play_here(players, plan, run.next_deals, record)
        else:
            played = play_elsewhere(players, plan, run.next_deals, record, processes)
        for deals, outcomes, seconds in played:
            run.take(deals, outcomes, seconds)
            if progress:
                progress(len(run.results.deals), plan.deals, run.standing())
    return run.results


class _Run:
    """Which deals are played, which are next, and whether there are enough."""

    def __init__(self, plan: Plan, store: Store | None) -> None:
        self._plan, self._store = plan, store
        self._played: dict[int, Outcomes] = dict(store.deals) if store else {}
        self._next = 0  # no deal below is still to be given out
        self._size = 1
        self._largest = max(1, TABLES_AT_A_TIME // len(plan.tables([0])))
        self._look = FIRST_LOOK
        self.results = Results(plan)
        self.enough = False
        self._count()

    def next_deals(self) -> list[int]:
        """Some deals that nobody plays yet; none when there are enough."""
        deals: list[int] = []
        while not self.enough and len(deals) < self._size and self._next < self._plan.deals:
            if self._next not in self._played:
                deals.append(self._next)
            self._next += 1
        return deals

    def take(self, deals: list[int], outcomes: list[Outcomes], seconds: float) -> None:
        """Deals that have been played, in so many seconds."""
        if self._store:
            self._store.add(deals, outcomes)
        self._played.update(zip(deals, outcomes))
        if seconds < SECONDS_AT_A_TIME / 2:
            self._size = min(max(self._size, 2 * len(deals)), self._largest)
        elif seconds > 2 * SECONDS_AT_A_TIME:
            self._size = max(1, len(deals) // 2)
        self._count()

    def _count(self) -> None:
        """Add to the results what follows them without a gap; stop at the first look that is precise enough."""
        while not self.enough and (deal := len(self.results.deals)) < self._plan.deals and deal in self._played:
            self.results.add(self._played.pop(deal))
            if self._plan.width is not None and deal + 1 == self._look:
                self.enough = self._widest() <= self._plan.width
                self._look += max(1, self._look // 10)
        self._next = max(self._next, len(self.results.deals))
        self.enough = self.enough or len(self.results.deals) == self._plan.deals

    def _widest(self) -> float:
        margins = self.results.margins()
        return max(interval(margins[:, pair], self._plan.level).half_width for pair in range(margins.shape[1]))

    def standing(self) -> str:
        """One line on how it stands."""
        if len(self.results.deals) < 2:
            return ""
        margins = self.results.margins()
        first = interval(margins[:, 0], self._plan.level)
        widest = "" if margins.shape[1] == 1 else f", widest ± {self._widest():.2f}"
        a, b = self.results.pairs[0]
        names = self._plan.players
        return f"{names[a]} - {names[b]} {first.mean:+.2f} ± {first.half_width:.2f}{widest}"
