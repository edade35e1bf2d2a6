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
import numpy.typing as npt

from agents import PlayerError, make_player
from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.arena.seeds import FIRST_HELD_OUT
from banakil_env.arena.statistics import Interval, interval
from banakil_env.envs.vector import Tables
from banakil_env.games.banakil.actions import action_kind
from banakil_env.games.banakil.playouts import outcomes
from banakil_env.games.banakil.state import MAX_SEATS
from train.config import SETTLED

TABLES = 1024


@dataclass
class Departures:
    """What was found so far.

    Attributes:
        gains: points, by the kind of the rule-based player's action and of the player's own.
        rounds: of each round that ended, what all departures in it brought, points.
        rewards, deals: of each of them the seat's margin, and what the rule-based player would have got in its place.
    """

    gains: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    rounds: list[float] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    deals: list[float] = field(default_factory=list)

    def total(self) -> Interval:
        """Points a round, with the interval over rounds."""
        return interval(np.array(self.rounds))

    def table(self) -> list[tuple[str, str, float, Interval, float]]:
        """By kind, the most points first: the other's action, the own, times a round, points each, points a round."""
        rows = []
        for (other, own), gains in self.gains.items():
            times = len(gains) / len(self.rounds)
            rows.append((other, own, times, interval(np.array(gains)), sum(gains) / len(self.rounds)))
        return sorted(rows, key=lambda row: -row[4])


def measure(
    player: Player, other: str, table: dict[str, object], rounds: int, seed: int = FIRST_HELD_OUT
) -> Departures:
    """Play so many rounds or a few more.

    Args:
        other: one of SETTLED, at all other seats. table: options of the tables, such as `{"num_players": 4}`.
        seed: of the first table's first deal.
    """
    tables, would = Tables(TABLES, opponents=other, seat="random", **table), CompiledPlayer(other)
    tables.reset(seed)
    rows, dice = np.arange(TABLES), np.random.default_rng(seed)
    foreseen, found = np.zeros((TABLES, MAX_SEATS), np.float32), Departures()
    outcomes(tables.states, rows, other, "margin", foreseen)
    brought, deals = np.zeros(TABLES), foreseen[rows, tables.seats]
    while len(found.rounds) < rounds:
        thrown, seats = dice.integers(2**64, size=TABLES, dtype=np.uint64), tables.seats.copy()
        theirs = would.act(tables.observations, tables.masks, thrown)
        own = player.act(tables.observations, tables.masks, thrown)
        before = foreseen[rows, seats]
        tables.step(own)
        ended, rewards = tables.terminations | tables.truncations, tables.rewards[rows, seats]
        outcomes(tables.states, np.flatnonzero(ended | (own != theirs)), other, "margin", foreseen)
        gains = np.where(ended, rewards, foreseen[rows, seats]) - before
        brought += gains
        _note(found, own, theirs, gains)
        found.rounds += brought[ended].tolist()
        found.rewards += rewards[ended].tolist()
        found.deals += deals[ended].tolist()
        brought[ended] = 0
        deals[ended] = foreseen[rows, tables.seats][ended]
    return found


def _note(
    found: Departures, own: npt.NDArray[np.int64], theirs: npt.NDArray[np.int64], gains: npt.NDArray[np.float32]
) -> None:
    """Add the departures of one step."""
    for row in np.flatnonzero(own != theirs):
        kinds = action_kind(int(theirs[row])), action_kind(int(own[row]))
        found.gains.setdefault(kinds, []).append(float(gains[row]))


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
    print(f"| {options.of} | {options.player} | a round | points each (95 %) | points a round |")
    print("|---|---|---|---|---|")
    for other, own, times, each, points in found.table():
        print(f"| {other} | {own} | {times:.3f} | {each.mean:+.2f} ± {each.half_width:.2f} | {points:+.3f} |")
    total = found.total()
    print(f"all: {total.mean:+.2f} ± {total.half_width:.2f} points a round in {len(found.rounds):,} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
