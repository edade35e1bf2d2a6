"""Finds the decisions where a rule-based player loses points, by playouts of all alternatives.

    python -m train.headroom expert --seconds 600

At positions of the player's own games every legal action is tried in the same determinized deals, as in a search, and
the player plays the round out at all seats. (Of takes, the player's own and those of up to twelve cards are tried.) The
figure is therefore only as accurate as the beliefs of the game (`train.calibration`). Half of the deals choose the
action that looks best, and the other half measure it, so that luck in the choice does not count. The result is the gain
per round if one decision in it is replaced by the chosen action; replacing all decisions gains about the sum.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from banakil_env.agents.search import SearchPlayer, candidates_of
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.arena.statistics import Interval, interval
from banakil_env.core.markdown import markdown_table
from banakil_env.core.terminal import escaped
from banakil_env.envs.vector import Tables
from train.table_arguments import add_table_arguments, table_of

TABLES = 64
DEALS = 160  # deals at each position; half of them choose the action
SURE = 1.0  # an action must look better than the player's own by this number of standard errors
MOST_BETWEEN = 30  # largest number of steps of all tables between two positions


@dataclass
class Headroom:
    """The results so far.

    Attributes:
        gains: for each position, the gain in points; 0 if the player's own action was kept.
        verbs: for each position, the verbs of the player's own action and of the better one ("" without a better one).
        decisions: the number of decisions at all tables.
        rounds: the number of rounds that ended in this time, counted once for each seat.
    """

    gains: list[float] = field(default_factory=list)
    verbs: list[tuple[str, str]] = field(default_factory=list)
    decisions: int = 0
    rounds: int = 0

    @property
    def a_round(self) -> float:
        """The mean number of decisions of one seat in a round."""
        return self.decisions / self.rounds

    def total(self) -> Interval:
        """The gain in points per round over all actions, with its interval over positions."""
        return interval(np.array(self.gains) * self.a_round)

    def table(self) -> list[tuple[str, str, float, float, float]]:
        """The results by pair of verbs, with the most points first.

        A row has the verb of the player's action, the verb of the better action, the share of decisions, the points per
        decision, and the points per round.
        """
        rows = []
        for verbs in dict.fromkeys(self.verbs):
            if verbs[1]:
                gains = [gain for gain, found in zip(self.gains, self.verbs) if found == verbs]
                share = len(gains) / len(self.gains)
                rows.append((*verbs, share, float(np.mean(gains)), share * float(np.mean(gains)) * self.a_round))
        return sorted(rows, key=lambda row: -row[4])


def measure(
    player: str, table: TableOptions, go_on: Callable[[Headroom], bool], seed: int = 0, deals: int = DEALS
) -> Headroom:
    """Measure positions of the player's games while `go_on` returns true.

    Args:
        player: a rule-based player of the table's game, which must support search.
        table: the table.
        go_on: called with the results so far.
        seed: the seed of the games.
        deals: the number of deals at each position, an even number.
    """
    game = table.found
    tables, own = Tables(TABLES, game=game, **table.options), CompiledPlayer(player, game)
    search = SearchPlayer("1", game, player, models=[player])
    rng, dice, found = np.random.default_rng(seed), np.zeros(TABLES, np.uint64), Headroom()
    # Any seed below 2**63. Training and `train.beliefs` draw from the same range, but hardly ever the same seeds.
    tables.reset(int(rng.integers(2**63)))
    while go_on(found):
        for _ in range(int(rng.integers(1, MOST_BETWEEN))):
            tables.step(own.act(tables.observations, tables.masks, dice))
            found.decisions += TABLES
            ended = tables.terminations | tables.truncations
            found.rounds += int(ended.sum()) * table.seats
        actions = own.act(tables.observations, tables.masks, dice)
        row = int(rng.integers(TABLES))
        gain, better = _look_at(search, tables.observations[row], tables.masks[row], int(actions[row]), rng, deals)
        found.gains.append(gain)
        found.verbs.append((game.actions[int(actions[row])].verb, better))
    return found


def _look_at(
    search: SearchPlayer, observation: np.ndarray, mask: np.ndarray, own: int, rng: np.random.Generator, deals: int
) -> tuple[float, str]:
    """The possible gain at a position, and the verb of the better action; 0 and "" if no action looks better."""
    candidates = candidates_of(search.game, mask, own)
    if len(candidates) == 1:
        return 0.0, ""
    search.suppose(observation.view(search.game.observation), rng)
    margins = search.margins(candidates, rng, deals)
    gains = margins - margins[:, :1]
    choosing, measuring = gains[: deals // 2], gains[deals // 2 :]
    best = int(choosing.mean(0).argmax())
    if choosing[:, best].mean() <= SURE * choosing[:, best].std(ddof=1) / (deals // 2) ** 0.5:
        return 0.0, ""
    return float(measuring[:, best].mean()), search.game.actions[int(candidates[best])].verb


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.headroom", description="Where does a player lose points?")
    parser.add_argument("player", help="a compiled player of the game, such as expert")
    add_table_arguments(parser)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    end = time.monotonic() + options.seconds
    try:
        table = table_of(options)
        found = measure(options.player, table, lambda so_far: time.monotonic() < end or not so_far.rounds, options.seed)
    except ValueError as error:
        parser.error(escaped(error))
    print(f"{len(found.gains):,} positions; {found.a_round:.1f} decisions of a seat in a round")
    rows = [
        (own, better, f"{share:.1%}", f"{each:+z.1f}", f"{a_round:+z.2f}")
        for own, better, share, each, a_round in found.table()
    ]
    print(markdown_table(("own action", "better", "share of decisions", "points each", "points per round"), rows))
    print(f"all: {found.total().mean:+z.1f} ± {found.total().half_width:.1f} points per round")
    return 0


if __name__ == "__main__":
    sys.exit(main())
