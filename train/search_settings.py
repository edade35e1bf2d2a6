"""Compares settings of a search: several searches decide at the same positions, and are evaluated in the true deals.

    python -m train.search_settings expert/600/1 greedy/1500/1 expert/600/2 --game gin --seconds 120

A setting is PLAYER/BUDGET/ERRORS: the player in the playouts, the budget, and the number of standard errors by which a
move must look better than that player's own. A further `/greedy+expert` names the players that the search assumes at
the other seats (default: those of the game), and `/uniform` disables beliefs. The positions come from games of the
strongest rule-based player, on deals of `tuning-v1`. That player plays out the search's move, and its own move, with
the true hands, averaged over orders of the stock. The difference is the gain of the search in one decision. Since all
searches decide at the same positions, much of the luck cancels in their differences.

Gains are given per round: the mean gain times the number of decisions in a round. They are gains of single decisions,
and do not add up to the margin of a match in which the search makes every decision: a later move often gains the same
points.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from banakil_env.agents.search import SearchPlayer
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.arena.statistics import interval
from banakil_env.core.game import Game
from banakil_env.core.markdown import markdown_table
from banakil_env.core.terminal import escaped
from banakil_env.envs.vector import Tables
from train.departures import margins_after
from train.table_arguments import add_table_arguments, table_of

TABLES = 64
ORDERS = 24  # orders of the stock over which a move is averaged
MOST_BETWEEN = 20  # largest number of steps of all tables between two positions
_SETTING = re.compile(r"([a-z]+)/([^/]+)/([0-9.]+)(?:/(?!uniform)([a-z]+(?:\+[a-z]+)*))?(/uniform)?")


@dataclass
class Compared:
    """The results.

    Attributes:
        gains: by setting and position, the points that its move gained over the strongest player's own move.
        seconds: processor time by setting.
        decisions: the number of decisions at all tables.
        rounds: the number of rounds that ended in this time, counted once for each seat.
    """

    gains: dict[str, list[float]]
    seconds: dict[str, float]
    decisions: int = 0
    rounds: int = 0
    departed: dict[str, int] = field(default_factory=dict)

    @property
    def a_round(self) -> float:
        """The mean number of decisions of one seat in a round."""
        return self.decisions / max(1, self.rounds)


def search_of(setting: str, game: Game) -> SearchPlayer:
    """The search that a text such as `expert/600/1` names. Raises ValueError if there is no such search."""
    found = _SETTING.fullmatch(setting)
    models = found[4].split("+") if found and found[4] else None
    if found is None or not {found[1], *(models or ())} <= set(game.settled_players):
        players = ", ".join(game.settled_players)
        raise ValueError(
            f"a setting is PLAYER/BUDGET/ERRORS, the player one of {players}, then /MODEL+MODEL of these, if any, and "
            f"/uniform, if so; not {setting!r:.80}"
        )
    return SearchPlayer(found[2], game, found[1], sure=float(found[3]), beliefs=not found[5], models=models)


def compare(settings: Sequence[str], table: TableOptions, go_on: Callable[[Compared], bool], seed: int = 0) -> Compared:
    """Measure positions while `go_on` returns true, and until a round has ended.

    Args:
        settings: the settings, as `search_of` takes them.
        table: the table.
        go_on: called with the results so far.
        seed: the seed of the dice; the deals are the same for every seed.
    """
    game = table.found
    searches = {setting: search_of(setting, game) for setting in settings}
    for search in searches.values():
        search.prepare()
    own_player = game.strongest_player
    tables, own = Tables(TABLES, game=game, **table.options), CompiledPlayer(own_player, game)
    tables.reset([SEED_SETS["tuning-v1"] + deal for deal in range(TABLES)])
    rng, dice = np.random.default_rng(seed), np.zeros(TABLES, np.uint64)
    found = Compared({each: [] for each in settings}, dict.fromkeys(settings, 0.0))
    found.departed = dict.fromkeys(settings, 0)
    while not found.rounds or go_on(found):
        for _ in range(int(rng.integers(1, MOST_BETWEEN))):
            tables.step(own.act(tables.observations, tables.masks, dice))
            found.decisions += TABLES
            found.rounds += int((tables.terminations | tables.truncations).sum()) * table.seats
        actions, row, bits = own.act(tables.observations, tables.masks, dice), int(rng.integers(TABLES)), rng.bytes(8)
        chosen = {}
        for setting, search in searches.items():
            begun = time.process_time()
            record = tables.observations[row].view(game.observation).reshape(1).copy()
            chosen[setting] = search.decide(record, tables.masks[row].copy(), int.from_bytes(bits, "little"))
            found.seconds[setting] += time.process_time() - begun
        worth = _judged(tables, row, {int(actions[row]), *chosen.values()}, own_player, rng)
        for setting, action in chosen.items():
            found.gains[setting].append(worth[action] - worth[int(actions[row])])
            found.departed[setting] += action != actions[row]
    return found


def _judged(tables: Tables, row: int, moves: set[int], player: str, rng: np.random.Generator) -> dict[int, float]:
    """For each of `moves`, the margin of the seat that makes it at table `row`, if `player` plays on at every seat.

    The hands are the true ones, and the margin is averaged over orders of the stock.
    """
    if len(moves) == 1:
        return dict.fromkeys(moves, 0.0)
    seeds = np.full(TABLES, rng.integers(2**63), np.uint64)
    tried = np.repeat(np.array([*moves])[:, None], TABLES, axis=1)
    margins = margins_after(tables, np.array([row]), tried, player, ORDERS, seeds)[:, 0]
    return dict(zip(moves, margins.tolist()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m train.search_settings", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("settings", nargs="+", help="such as expert/600/1 or greedy/200ms/2/greedy+expert/uniform")
    add_table_arguments(parser)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    try:
        table, end = table_of(options), time.monotonic() + options.seconds
        found = compare(options.settings, table, lambda so_far: time.monotonic() < end, options.seed)
    except ValueError as error:
        parser.error(escaped(error))
    first = np.array(found.gains[options.settings[0]])
    print(f"{len(first):,} positions, {found.a_round:.1f} decisions of a seat in a round; points per round (95 %)")
    rows = []
    for setting, gains in found.gains.items():
        gain, less = (interval(values * found.a_round) for values in (np.array(gains), np.array(gains) - first))
        share, each = found.departed[setting] / len(gains), 1000 * found.seconds[setting] / len(gains)
        rows.append((setting, gain, less, f"{share:.0%}", f"{each:.1f}"))
    print(markdown_table(("setting", "gain", "gain less the first's", "departs", "ms a decision"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
