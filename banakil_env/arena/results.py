"""What came out of a match? Margins, rates and ratings of every player and pair, each with its interval.

All numbers are means over deals: first over the tables of a deal, then over the deals, which the intervals are of.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.plan import Plan
from banakil_env.arena.seatings import pairings, seatings
from banakil_env.arena.statistics import Interval, interval
from banakil_env.arena.store import Outcomes

# What is said of each player: name, what it means. Rates are shares of 1.
MEASURES = {
    "margin": "points a deal more than the opponents' (mean over opponents)",
    "points": "points a deal, mean over the player's seats",
    "win": "tables won: the seat with the most points, shared when both players have one",
    "out": "tables at which it went out",
    "hand": "tables at which it went out in one turn",
    "exhausted": "tables at which the stock ran out, or the turns or rounds",
    "turns": "turns of the (last) round",
    "rounds": "rounds",
    "lost": "tables lost by failing: raised, late, illegal",
}


@dataclass(frozen=True)
class Rating:
    """Of the Plackett-Luce model of openskill: the skill, and how uncertain it is (a standard deviation)."""

    mu: float
    sigma: float


class Results:
    """The deals of a match, and what follows from them.

    Attributes:
        plan: what was played.
        pairs: the pairs of players, as indices.
        deals: the tables of every deal, by deal.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.pairs = pairings(len(plan.players))
        self.deals: list[Outcomes] = []
        self._shapes = seatings(plan.num_players, plan.plays_partners)
        self._seats = [table.seats for table in plan.tables([0])]
        self._margins: list[list[float]] = []

    def add(self, tables: Outcomes) -> None:
        """The next deal."""
        self.deals.append(tables)
        each = len(self._shapes)
        of_table = [self._margin(i, table) for i, table in enumerate(tables)]
        self._margins.append([sum(of_table[i : i + each]) / each for i in range(0, len(tables), each)])

    def _margin(self, number: int, table: dict[str, Any]) -> float:
        """Points of the pair's first player more than its second's, seat for seat."""
        first = self.pairs[number // len(self._shapes)][0]
        own = [points for seat, points in zip(self._seats[number], table["points"]) if seat == first]
        other = [points for seat, points in zip(self._seats[number], table["points"]) if seat != first]
        return sum(own) / len(own) - sum(other) / len(other)

    def margins(self) -> npt.NDArray[np.float64]:
        """(deals, pairs): by how many points a deal the first of the pair was ahead, mean over the tables."""
        return np.array(self._margins, float).reshape(len(self._margins), len(self.pairs))

    def margin(self, one: str, other: str) -> Interval:
        """By how many points a deal one player is ahead of another."""
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
        """The share of tables that one player wins against another."""
        a, b = self._index(one), self._index(other)
        return self._mean(a, _won, only=b)

    def player(self, name: str) -> dict[str, Interval]:
        """All of MEASURES for a player against all others."""
        player = self._index(name)
        signs = np.array([(player == a) - (player == b) for a, b in self.pairs], float)
        count = np.abs(signs).sum()
        margin = interval(self.margins() @ signs / count, self.plan.level)
        return {"margin": margin} | {measure: self._mean(player, function) for measure, function in _BY_TABLE.items()}

    def _mean(
        self, player: int, function: Callable[[dict[str, Any], tuple[int, ...], int], float], only: int | None = None
    ) -> Interval:
        """The mean over deals of a number of each table where a player sits (with another)."""
        numbers = [i for i, seats in enumerate(self._seats) if player in seats and (only is None or only in seats)]
        values = [
            sum(function(tables[i], self._seats[i], player) for i in numbers) / len(numbers) for tables in self.deals
        ]
        return interval(values, self.plan.level)

    def seconds(self, name: str) -> float:
        """Mean seconds that a player took for a decision; NaN when it made none."""
        player = self._index(name)
        seconds, decisions = 0.0, 0
        for tables in self.deals:
            for seats, table in zip(self._seats, tables):
                if player in seats:
                    place = sorted(set(seats)).index(player)
                    seconds += table["seconds"][place]
                    decisions += table["decisions"][place]
        return seconds / decisions if decisions else math.nan

    def failures(self) -> list[dict[str, Any]]:
        """Every table that was lost by failing: deal, table, player and reason."""
        return [
            {
                "deal": deal,
                "table": number,
                "player": self.plan.players[table["failed"][0]],
                "reason": table["failed"][1],
            }
            for deal, tables in enumerate(self.deals)
            for number, table in enumerate(tables)
            if table["failed"]
        ]

    def ratings(self) -> dict[str, Rating]:
        """Each player's rating, deal after deal: a deal is won by whoever has more points over all its tables.

        ImportError: openskill is not installed (the extra `arena`).
        """
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise ImportError("ratings need openskill: pip install 'banakil-env[arena]'") from None
        model = PlackettLuce()
        ratings = [model.rating() for _ in self.plan.players]
        for margins in self._margins:
            for (a, b), margin in zip(self.pairs, margins):
                (ratings[a],), (ratings[b],) = model.rate(
                    [[ratings[a]], [ratings[b]]], scores=[max(margin, 0), max(-margin, 0)]
                )
        return {name: Rating(rating.mu, rating.sigma) for name, rating in zip(self.plan.players, ratings)}

    def plain_factor(self, one: str, other: str) -> float:
        """How many times more deals plain play would need for an interval as narrow: each deal once, seats by chance.

        NaN when every margin is 0, as between a player without dice and itself.
        """
        pair = self.pairs.index(tuple(sorted((self._index(one), self._index(other)))))
        each = len(self._shapes)
        single = [self._margin(i, tables[i]) for tables in self.deals for i in range(pair * each, pair * each + each)]
        duplicate = float(self.margins()[:, pair].var(ddof=1))
        return float(np.var(single, ddof=1)) / duplicate if duplicate else math.nan


def _won(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    if table["failed"]:
        return float(table["failed"][0] != player)
    best = {seat for seat, points in zip(seats, table["points"]) if points == max(table["points"])}
    return (player in best) / len(best)


def _points(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    own = [points for seat, points in zip(seats, table["points"]) if seat == player]
    return sum(own) / len(own)


def _went_out(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    return float(table["ending"] == "out" and seats[table["winner"]] == player)


def _hand(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    return float(table["hand"]) * _went_out(table, seats, player)


def _exhausted(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    return float(table["ending"] in ("exhausted", "turns", "rounds"))


def _lost(table: dict[str, Any], seats: tuple[int, ...], player: int) -> float:
    return float(table["failed"] is not None and table["failed"][0] == player)


_BY_TABLE: dict[str, Callable[[dict[str, Any], tuple[int, ...], int], float]] = {
    "points": _points,
    "win": _won,
    "out": _went_out,
    "hand": _hand,
    "exhausted": _exhausted,
    "turns": lambda table, seats, player: float(table["turns"]),
    "rounds": lambda table, seats, player: float(table["rounds"]),
    "lost": _lost,
}
