"""The results of a match: margins, rates and ratings of every player and pair, each with its interval.

All numbers are means: first over the tables of each deal, then over deals. The intervals are of the mean over deals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.figures import added, shown
from banakil_env.arena.frames import TABLES, frame_of, rows_of
from banakil_env.arena.lost_tables import failure_of
from banakil_env.arena.measures import measures_of
from banakil_env.arena.outcomes import MATCH, Outcomes
from banakil_env.arena.plan import Plan
from banakil_env.arena.report import text
from banakil_env.arena.seatings import pairings
from banakil_env.arena.statistics import Interval, interval
from banakil_env.core.failures import UNKNOWN
from banakil_env.core.identity import Identity
from banakil_env.core.install import install_line

# Computes a number for one player at one table. Arguments: the table (of `play_tables`), the players at its seats, the
# player.
_OfTable = Callable[[dict[str, Any], tuple[int, ...], int], float]


@dataclass(frozen=True)
class Rating:
    """A rating by the Plackett-Luce model of openskill: the skill, and its uncertainty (a standard deviation)."""

    mu: float
    sigma: float


class Results:
    """The deals of a match, and the statistics computed from them.

    Attributes:
        plan: the settings of the match.
        identities: the identity of each player, in the order of `plan.players`; empty if unknown.
        pairs: the pairs of players, as indices.
        deals: the outcomes of every deal's tables.
    """

    def __init__(self, plan: Plan, identities: Sequence[Identity] = ()) -> None:
        self.plan = plan
        self.identities = tuple(identities)
        self.pairs = pairings(len(plan.players))
        self.deals: list[Outcomes] = []
        self._groups = plan.groups
        self._seats = [table.seats for table in plan.tables([0])]
        self._each = len(self._seats) // len(self._groups)
        self._sign = -1 if plan.found.low_wins else 1  # factor for points: a larger product is better
        self._points: list[list[list[float]]] = []  # by deal, group and member of the group: mean points, see `add`
        self._margins: list[list[float]] = []

    def add(self, tables: Outcomes) -> None:
        """Add the tables of the next deal."""
        self.deals.append(tables)
        points = []
        for i, group in enumerate(self._groups):
            numbers = range(i * self._each, (i + 1) * self._each)
            points.append([sum(self._gain(tables[n], self._seats[n], player) for n in numbers) for player in group])
        self._points.append(points)
        self._margins.append([self._margin(points, pair) for pair in self.pairs])

    def _gain(self, table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
        """A player's points at a table, negated in games where low points win: more is better."""
        return self._sign * _points(table, seats, player)

    def _margin(self, points: list[list[float]], pair: tuple[int, ...]) -> float:
        """The lead of the first player of a pair over the second in one deal: the mean over the tables of the pair."""
        ahead = [
            own[group.index(pair[0])] - own[group.index(pair[1])]
            for group, own in zip(self._groups, points)
            if pair[0] in group and pair[1] in group
        ]
        return sum(ahead) / (self._each * len(ahead))

    def margins(self) -> npt.NDArray[np.float64]:
        """The lead of the first player of each pair in each deal, in points, as a mean over its tables.

        Returns:
            float64 (deals, pairs).
        """
        return np.array(self._margins, float).reshape(len(self._margins), len(self.pairs))

    def margin(self, one: str, other: str) -> Interval:
        """The lead of one player over another in points per deal."""
        a, b = self._index(one), self._index(other)
        if a == b:
            raise ValueError(f"{one} has no margin over itself")
        sign = 1 if (a, b) in self.pairs else -1
        return interval(sign * self.margins()[:, self.pairs.index((min(a, b), max(a, b)))], self.plan.level)

    def _index(self, name: str) -> int:
        if name not in self.plan.players:
            raise ValueError(f"{name!r} did not play: the players are {', '.join(self.plan.players)}")
        return self.plan.players.index(name)

    def win(self, one: str, other: str) -> Interval:
        """The share of their common tables at which one player is ahead of the other; a tie counts half."""
        a, b = self._index(one), self._index(other)
        return self._mean(a, _ahead(b, self._sign), only=b)

    def player(self, name: str) -> dict[str, Interval]:
        """The measures of a player (`measures_of`), each as a mean over its tables with all other players."""
        player = self._index(name)
        signs = np.array([(player == a) - (player == b) for a, b in self.pairs], float)
        count = np.abs(signs).sum()
        margin = interval(self.margins() @ signs / count, self.plan.level)
        measures = [measure for measure in measures_of(self.plan.found, self.plan.episode) if measure != "margin"]
        return {"margin": margin} | {measure: self._mean(player, self._of_table(measure)) for measure in measures}

    def _of_table(self, measure: str) -> _OfTable:
        """A function that computes a measure at one table."""
        if measure in ("win", "match_win"):
            return _won(self._sign)
        return _with_mark(measure) if measure in self.plan.found.marks else _BY_TABLE[measure]

    def _mean(self, player: int, function: _OfTable, only: int | None = None) -> Interval:
        """The mean over deals of a number computed at each table of a player.

        Args:
            player: the index of the player.
            function: computes the number at one table.
            only: the index of another player: only tables where both sit count. None: all tables of the player.
        """
        numbers = [i for i, seats in enumerate(self._seats) if player in seats and (only is None or only in seats)]
        values = [
            sum(function(tables[i], self._seats[i], player) for i in numbers) / len(numbers) for tables in self.deals
        ]
        return interval(values, self.plan.level)

    def seconds(self, name: str) -> float:
        """The mean time of a player's decisions in seconds; NaN if it made none."""
        player = self._index(name)
        seconds, decisions = 0.0, 0
        for tables in self.deals:
            for seats, table in zip(self._seats, tables):
                if player in seats:
                    place = sorted(set(seats)).index(player)
                    seconds += table["seconds"][place]
                    decisions += table["decisions"][place]
        return seconds / decisions if decisions else math.nan

    def figures(self) -> dict[str, dict[str, float]]:
        """The costs of the players' decisions, summed over all tables.

        They are given by player and by the names of `arena.figures.SHOWN`. Only players that report figures are
        included.
        """
        found: dict[int, dict[str, float]] = {}
        forfeits = self.forfeits()
        for tables in self.deals:
            for seats, table in zip(self._seats, tables):
                for player, told in zip(sorted(set(seats)), table.get("figures", ())):
                    if told:
                        found[player] = added(found.get(player, {}), told)
        names = {player: self.plan.players[player] for player in sorted(found)}
        return {name: shown(found[player], sum(forfeits.get(name, {}).values())) for player, name in names.items()}

    def forfeits(self) -> dict[str, dict[str, int]]:
        """How many tables each player lost by failing: by player, then by kind (`core.failures.KINDS`), most first.

        Players without such tables are left out.
        """
        found: dict[str, Counter[str]] = {}
        for tables in self.deals:
            for failed in (table["failed"] for table in tables if table["failed"]):
                name = self.plan.players[failed["player"]]
                found.setdefault(name, Counter())[failed.get("kind", UNKNOWN)] += 1
        return {name: dict(found[name].most_common()) for name in self.plan.players if name in found}

    def failures(self) -> list[dict[str, Any]]:
        """Every table that was lost by failing, in the form of `failure_of`."""
        return [
            failure_of(self.plan, deal, number, table)
            for deal, tables in enumerate(self.deals)
            for number, table in enumerate(tables)
            if table["failed"]
        ]

    def failed_everywhere(self) -> list[str]:
        """The players that failed at every table where they made a decision."""
        blamed: set[int] = set()
        whole: set[int] = set()
        for tables in self.deals:
            for seats, table in zip(self._seats, tables):
                if table["failed"]:
                    blamed.add(table["failed"]["player"])
                else:
                    whole.update(who for who, made in zip(sorted(set(seats)), table["decisions"]) if made)
        return [self.plan.players[player] for player in sorted(blamed - whole)]

    def rows(self, of: str = TABLES) -> list[dict[str, Any]]:
        """The rows of `frame` as plain values."""
        return rows_of(self, of)

    def frame(self, of: str = TABLES) -> Any:
        """The results as a `pandas.DataFrame`.

        Args:
            of: what a row is. "tables": a player at a table, with its mean points over its seats there, its lead
                `ahead` over the mean of the other seats (more is better in every game), and how the table ended.
                "deals": two players in a deal, and the lead `ahead` of the first; deals are independent.
                "players", "pairs": the measures of a player or a pair, each with the ends of its interval.

        Raises:
            ImportError: pandas is not installed (the extra `frames`).
            ValueError: there are no rows of this name.
        """
        return frame_of(self.rows(of))

    def __str__(self) -> str:
        """The tables of players and pairs as text, and the failures."""
        return text(self)

    def ratings(self) -> dict[str, Rating]:
        """Each player's rating, updated deal by deal.

        In each deal, players who met are ranked by their points in all its tables.

        Raises ImportError if openskill is not installed (the extra `arena`).
        """
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise ImportError(f"ratings need openskill: {install_line('arena')}") from None
        model = PlackettLuce()
        ratings = [model.rating() for _ in self.plan.players]
        for points in self._points:
            for group, scores in zip(self._groups, points):
                rated = model.rate([[ratings[player]] for player in group], scores=scores)
                for player, (rating,) in zip(group, rated):
                    ratings[player] = rating
        return {name: Rating(rating.mu, rating.sigma) for name, rating in zip(self.plan.players, ratings)}

    def plain_factor(self, one: str, other: str) -> float:
        """How many times more deals plain play would need for an interval of the same width.

        Plain play is each deal played once, with random seats. The result is NaN if every margin is 0, as between a
        deterministic player and itself.
        """
        a, b = sorted((self._index(one), self._index(other)))
        numbers = [i for i, seats in enumerate(self._seats) if a in seats and b in seats]
        single = [
            self._gain(tables[i], self._seats[i], a) - self._gain(tables[i], self._seats[i], b)
            for tables in self.deals
            for i in numbers
        ]
        duplicate = float(self.margins()[:, self.pairs.index((a, b))].var(ddof=1))
        return float(np.var(single, ddof=1)) / duplicate if duplicate else math.nan


def _won(sign: int) -> _OfTable:
    """A function for the share of a table that a player has won; players with equally good points share the table.

    `sign` is -1 in games where low points win, otherwise 1. A player that failed has the worst points.
    """

    def won(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
        if table["ending"] == MATCH:
            return float(seats[table["winner"]] == player)
        most = max(sign * points for points in table["points"])
        best = {seat for seat, points in zip(seats, table["points"]) if sign * points == most}
        return (player in best) / len(best)

    return won


def _ahead(other: int, sign: int) -> _OfTable:
    """A function that compares a player with player `other` at a table: 1 if the player did better, 0.5 for a tie, 0.

    A player with several seats counts by its best seat. `sign` is -1 in games where low points win, otherwise 1.
    """

    def ahead(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
        own, its = (max(sign * p for seat, p in zip(seats, table["points"]) if seat == one) for one in (player, other))
        return 0.5 if own == its else float(own > its)

    return ahead


def _points(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    own = [points for seat, points in zip(seats, table["points"]) if seat == player]
    return sum(own) / len(own)


def _went_out(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    return float(table["winner"] is not None and seats[table["winner"]] == player)


def _with_mark(mark: str) -> _OfTable:
    """A function that returns 1 if a player went out at a table and `mark` holds there, otherwise 0."""
    return lambda table, seats, player: float(mark in table["marks"]) * _went_out(table, seats, player)


def _undecided(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    return float(table["winner"] is None and table["failed"] is None)


def _lost(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    return float(table["failed"] is not None and table["failed"]["player"] == player)


_BY_TABLE: dict[str, _OfTable] = {
    "points": _points,
    "out": _went_out,
    "exhausted": _undecided,
    "undecided": _undecided,
    "turns": lambda table, seats, player: float(table["turns"]),
    "rounds": lambda table, seats, player: float(table["rounds"]),
    "round_points": lambda table, seats, player: _points(table, seats, player) / max(1, table["rounds"]),
    "lost": _lost,
}
