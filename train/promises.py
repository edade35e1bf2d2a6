"""Compares the gain that a search expects of a move that departs from `expert`'s with the gain that follows.

    python -m train.promises 400 --game hand --players 2 --seconds 120

The positions come from games of the strongest rule-based player, on deals of `tuning-v1`, and the search assumes that
this player has the other seats. Where a search of this budget departs from that player's move, the gain of the
departure is measured three times:

* *promised*: in the deals in which the search chose the move;
* *in other deals*: in 200 deals from the same beliefs, which were not used for the choice;
* *came*: with the true hands, averaged over orders of the stock.

The first minus the second is the luck of the choice: the best of many moves looks better than it is. The second minus
the third is the error of the beliefs. A bar (`--bars`) is the number of standard errors by which a move must look
better than the player's. There is one search for each bar, and all searches use the same dice.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from banakil_env.agents.search import SearchPlayer
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.arena.statistics import interval
from banakil_env.core.markdown import markdown_table
from banakil_env.core.terminal import escaped
from banakil_env.envs.vector import Tables
from train.departures import margins_after
from train.table_arguments import add_table_arguments, table_of

TABLES = 64
ORDERS = 40  # orders of the stock over which a gain is averaged
DEALS = 200  # number of other deals
POSITIONS_AT_ONCE = 4  # tables from which a position is taken between two steps
MOST_BETWEEN = 12  # largest number of steps of all tables between two positions
MANY = 9  # from this number of moves on, a choice counts as one among many


class Departure(NamedTuple):
    """A departure of the search from the rule-based player's move, and its gain in points, measured three times."""

    bar: float
    verbs: tuple[str, str]  # the verbs of the rule-based player's move and of the search's move
    moves: int  # number of moves that the search tried
    promised: float
    again: float
    came: float


def measure(
    budget: str,
    bars: Sequence[float],
    table: TableOptions,
    go_on: Callable[[int, list[Departure]], bool],
    seed: int = 0,
    verb: str | None = None,
) -> tuple[int, list[Departure]]:
    """Measure positions while `go_on(positions, departures)` returns true.

    Args:
        budget: the budget of the search.
        bars: the numbers of standard errors by which a move must look better than the rule-based player's.
        table: the table.
        go_on: called with the number of positions and the departures so far.
        seed: the seed of the dice.
        verb: only positions where the rule-based player's move has this verb.

    Returns:
        The number of positions and the departures.
    """
    game, rng = table.found, np.random.default_rng(seed)
    player = game.strongest_player  # at all seats, also in `_came`
    searches = {bar: SearchPlayer(budget, game, sure=bar, models=[player]) for bar in bars}
    tables, own = Tables(TABLES, game=game, **table.options), CompiledPlayer(player, game)
    tables.reset([SEED_SETS["tuning-v1"] + deal for deal in range(TABLES)])
    dice, positions, found = np.zeros(TABLES, np.uint64), 0, list[Departure]()
    while go_on(positions, found):
        for _ in range(int(rng.integers(1, MOST_BETWEEN))):
            tables.step(own.act(tables.observations, tables.masks, dice))
        moves = own.act(tables.observations, tables.masks, dice)
        rows = [row for row, move in enumerate(moves) if verb in (None, game.actions[int(move)].verb)]
        for row in rng.permutation(rows)[:POSITIONS_AT_ONCE]:
            found += _departures(tables, int(row), int(moves[row]), searches, rng)
            positions += 1
    return positions, found


def _departures(
    tables: Tables, row: int, own: int, searches: dict[float, SearchPlayer], rng: np.random.Generator
) -> list[Departure]:
    """The departures of each search from the move `own` at this table."""
    game, bits, found = tables.game, int(rng.integers(2**63)), []
    gains: dict[int, tuple[float, float]] = {}
    for bar, search in searches.items():
        advice = search.explain(tables.observations[row].copy(), tables.masks[row].copy(), bits)
        move = advice.action
        if move == own or not advice.margins:
            continue
        if move not in gains:
            gains[move] = _again(tables, row, own, move, search, rng), _came(tables, row, own, move, rng)
        verbs = game.actions[own].verb, game.actions[move].verb
        promised = advice.margins[move].mean - advice.margins[own].mean
        found.append(Departure(bar, verbs, len(advice.margins), promised, *gains[move]))
    return found


def _again(tables: Tables, row: int, own: int, move: int, search: SearchPlayer, rng: np.random.Generator) -> float:
    """The gain of `move` over the player's move `own`, in deals that were not used for the choice."""
    search.suppose(tables.observations[row].view(tables.game.observation).reshape(1).copy(), rng)
    margins = search.margins(np.array([own, move]), rng, DEALS).mean(axis=0)
    return float(margins[1] - margins[0])


def _came(tables: Tables, row: int, own: int, move: int, rng: np.random.Generator) -> float:
    """The gain of `move` over the player's move `own` with the true hands, averaged over orders of the stock."""
    seeds = np.full(TABLES, rng.integers(2**63), np.uint64)
    moves = np.repeat([[own], [move]], TABLES, axis=1)
    first, second = margins_after(tables, np.array([row]), moves, tables.game.strongest_player, ORDERS, seeds)[:, 0]
    return float(second) - float(first)


def table_of_promises(bars: Sequence[float], positions: int, found: list[Departure]) -> str:
    """A table with a row for each bar: all departures, and those chosen among few and among many moves."""
    rows = []
    bands = {"all": range(10**6), f"below {MANY}": range(MANY), f"{MANY} or more": range(MANY, 10**6)}
    for bar in bars:
        for name, band in bands.items():
            these = [each for each in found if each.bar == bar and each.moves in band]
            if len(these) > 1:
                gains = np.array([(each.promised, each.again, each.came) for each in these])
                rows.append((f"{bar:g}", name, f"{len(these):,} of {positions:,}", *map(interval, gains.T)))
    return markdown_table(("bar", "moves tried", "departures", "promised", "in other deals", "came"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.promises", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("budget", help="of the search, such as 400 or 200ms")
    add_table_arguments(parser)
    parser.add_argument("--bars", type=float, nargs="+", default=[1.0, 2.0, 3.0], help="in standard errors")
    parser.add_argument("--verb", help="only where the compiled player does this, such as discard")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    try:
        table, end = table_of(options), time.monotonic() + options.seconds
        how = options.seed, options.verb
        positions, found = measure(options.budget, options.bars, table, lambda *so_far: time.monotonic() < end, *how)
    except ValueError as error:
        parser.error(escaped(error))
    print(table_of_promises(options.bars, positions, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
