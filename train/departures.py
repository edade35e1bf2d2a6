"""Where does a player depart from a rule-based one, and what does each departure bring?

    python -m train.departures ppo:agents/zoo/banakil-2p --rounds 10000

The player sits at one seat of every table and the rule-based player, which throws no dice, at the others. Whenever it
does what that one would not have done, the round is played out by the rule-based player at every seat, with the cards
as they are. What the outcome changes by is what the departure brings; moves that are the same bring nothing. So the
departures of a round add up to what the player does better in it than the other would have done, and the luck of the
deal is gone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from agents import PlayerError, make_player
from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.arena.statistics import Interval, interval
from banakil_env.envs.vector import Tables
from banakil_env.games.banakil.actions import action_kind
from banakil_env.games.banakil.playouts import outcomes
from banakil_env.games.banakil.state import MAX_SEATS
from train.config import SETTLED

TABLES = 1024
DEALS = SEED_SETS["tuning-v1"]  # whoever learns from what is found here chooses by it

Kinds = tuple[str, str]  # of the rule-based player's action, and of the player's own


@dataclass
class Departures:
    """What was found in the rounds that have ended.

    Attributes:
        gains: of each round, what each departure brought, points, by its kinds.
        margins, instead: of each round, the margin of the player's seat, and what the rule-based player would have got
            in its place; the difference is the sum of the gains.
    """

    gains: list[dict[Kinds, list[float]]] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    instead: list[float] = field(default_factory=list)

    def total(self) -> Interval:
        """Points a round, with the interval over rounds."""
        return interval(np.array([sum(map(sum, gains.values())) for gains in self.gains], float))

    def table(self) -> list[tuple[Kinds, float, float, Interval]]:
        """By kinds, the most points first: how often in a round, points each, points a round."""
        rows = []
        for kinds in {kinds: None for gains in self.gains for kinds in gains}:
            of_rounds = [gains.get(kinds, []) for gains in self.gains]
            times = sum(map(len, of_rounds)) / len(of_rounds)
            points = interval(np.array([sum(gains) for gains in of_rounds], float))
            rows.append((kinds, times, points.mean / times, points))
        return sorted(rows, key=lambda row: -row[3].mean)


def measure(player: Player, other: str, table: dict[str, object], rounds: int, seed: int = DEALS) -> Departures:
    """Play so many rounds, or a few more.

    Args:
        other: one of SETTLED, at all other seats. table: options of the tables, such as `{"num_players": 4}`.
        seed: of the first table's first deal.
    """
    n = min(TABLES, rounds)
    tables, would = Tables(n, opponents=other, seat="random", **table), CompiledPlayer(other)
    tables.reset(seed)
    rows, dice, found = np.arange(n), np.random.default_rng(seed), Departures()
    foreseen, noted = np.zeros((n, MAX_SEATS), np.float32), [dict[Kinds, list[float]]() for _ in rows]
    outcomes(tables.states, rows, other, "margin", foreseen)
    instead = foreseen[rows, tables.seats]
    while len(found.gains) < rounds:
        thrown, seats = dice.integers(2**64, size=n, dtype=np.uint64), tables.seats.copy()
        theirs = would.act(tables.observations, tables.masks, thrown)
        own = player.act(tables.observations, tables.masks, thrown)
        before = foreseen[rows, seats]
        tables.step(own)
        ended, margins = tables.terminations | tables.truncations, tables.rewards[rows, seats]
        outcomes(tables.states, np.flatnonzero(ended | (own != theirs)), other, "margin", foreseen)
        gains = np.where(ended, margins, foreseen[rows, seats]) - before
        for row in np.flatnonzero(own != theirs):
            kinds = action_kind(int(theirs[row])), action_kind(int(own[row]))
            noted[row].setdefault(kinds, []).append(float(gains[row]))
        for row in np.flatnonzero(ended):
            found.gains.append(noted[row])
            noted[row] = {}
        found.margins += margins[ended].tolist()
        found.instead += instead[ended].tolist()
        instead[ended] = foreseen[rows, tables.seats][ended]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.departures", description=__doc__.split("\n\n")[0])
    parser.add_argument("player", help="any player, such as ppo:agents/zoo/banakil-2p")
    parser.add_argument("--of", choices=SETTLED, default="expert", help="from whom it departs")
    parser.add_argument("--players", type=int, default=2, help="2, 3 or 4")
    parser.add_argument("--rules", default="pagat")
    parser.add_argument("--rounds", type=int, default=10_000)
    options = parser.parse_args(arguments)
    try:
        player = make_player(options.player)
        table = {"num_players": options.players, "rules": options.rules}
        found = measure(player, options.of, table, options.rounds)
    except (PlayerError, ValueError) as error:
        parser.error(str(error))
    print(f"| {options.of} | {options.player} | a round | points each | points a round (95 %) |")
    print("|---|---|---|---|---|")
    for (other, own), times, each, points in found.table():
        print(f"| {other} | {own} | {times:.3f} | {each:+.2f} | {points.mean:+.3f} ± {points.half_width:.3f} |")
    total = found.total()
    print(f"all: {total.mean:+.2f} ± {total.half_width:.2f} points a round in {len(found.gains):,} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
