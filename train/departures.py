"""Finds the moves in which a player departs from a rule-based player, and measures the gain of each departure.

    python -m train.departures net:agents/zoo/banakil-2p --rounds 10000

The player has one seat of every table, and the deterministic rule-based player has the others. If the player's move
departs from the rule-based move, the rule-based player plays the round out at every seat after either move, with all
hands as they are and with the same `--orders` orders of the stock. The gain of the departure is the difference of the
mean outcomes; equal moves gain nothing. The departures of a round add up to the player's advantage over the rule-based
player in this round, with nearly all luck removed: the luck of the deal and of later draws. A round that is over
before the player's first decision counts too, without a departure: the means are over all rounds dealt.
(Burch and others, "AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect
Information Games", 2018: the sum has the same mean as the margins themselves.)
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import Progress

from banakil_env.agents import PlayerError, make_player
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.arena.statistics import Interval, interval
from banakil_env.core.answers import checked_actions
from banakil_env.core.markdown import markdown_table
from banakil_env.core.playouts import outcomes
from banakil_env.core.terminal import escaped
from banakil_env.envs.vector import Tables
from train.table_arguments import add_table_arguments, settled_player, table_of

TABLES = 1024
ORDERS = 20
SEEDS = "tuning-v1"  # not the deals of `arena-v1`, since choices are made from these results

Verbs = tuple[str, str]  # the verbs of the rule-based player's action and of the player's action


@dataclass
class Departures:
    """The results of the rounds that have ended.

    Attributes:
        gains: for each round, the gain of each departure in points, by its verbs; empty without a departure.
        margins: for each round, the margin of the player's seat. It is 0 for a round that was over before the player's
            first decision, since `Tables` does not keep it; `instead` would have the same value.
        instead: for each round, the margin of the rule-based player in the player's place with the same cards.
    """

    gains: list[dict[Verbs, list[float]]] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    instead: list[float] = field(default_factory=list)

    def total(self, level: float = 0.95) -> Interval:
        """The gain in points per round, with its interval over rounds."""
        return interval(np.array([sum(map(sum, gains.values())) for gains in self.gains], float), level)

    def table(self) -> list[tuple[Verbs, float, float, Interval]]:
        """By verbs, the most points first: departures per round, points per departure, points per round."""
        rows = []
        for verbs in {verbs: None for gains in self.gains for verbs in gains}:
            of_rounds = [gains.get(verbs, []) for gains in self.gains]
            times = sum(map(len, of_rounds)) / len(of_rounds)
            points = interval(np.array([sum(gains) for gains in of_rounds], float))
            rows.append((verbs, times, points.mean / times, points))
        return sorted(rows, key=lambda row: -row[3].mean)


def measure(
    player: Player,
    other: str,
    table: TableOptions,
    rounds: int,
    seed: int = SEED_SETS[SEEDS],
    orders: int = ORDERS,
    at_once: int = TABLES,
    progress: Callable[[Departures], None] = lambda found: None,
) -> Departures:
    """Play at least `rounds` rounds, the same number at every table, including rounds without a decision.

    Args:
        player: the player.
        other: one of `settled_players` of the table's game, at all other seats.
        table: the table.
        rounds: the number of rounds.
        seed: the seed of the batch (`Tables.reset`).
        orders: the number of orders of the stock over which a gain is averaged; 0 for the true stock, with which the
            gains of a round add up to its margin minus `instead`.
        at_once: the largest number of tables.
        progress: called whenever a round has ended.

    Raises:
        IllegalAction: the player's answer is not a legal action.
        ValueError: a number is invalid, or `other` is not one of `settled_players`.
    """
    if rounds < 1 or at_once < 1 or orders < 0:
        raise ValueError(f"rounds and tables must be 1 or more and orders 0 or more, not {rounds}, {at_once}, {orders}")
    game = table.found
    settled_player(game, other, "the player at the other seats")
    n, each = shared_out(rounds, at_once)
    tables = Tables(n, game=game, opponents=other, seat="random", **table.options)
    would = CompiledPlayer(other, game)
    tables.reset(seed)
    dice, found = np.random.default_rng(seed), Departures()
    noted = [dict[Verbs, list[float]]() for _ in range(n)]
    moves = np.zeros((2, n), np.int64)
    done, dropped, rows = np.zeros(n, np.int64), np.zeros(n, np.int64), np.arange(n)
    _count_dropped(tables, dropped, done, each, found)
    instead = _foreseen(tables, rows, other)
    while (done < each).any():
        thrown, seats, counts = dice.integers(2**64, size=n, dtype=np.uint64), tables.seats.copy(), done < each
        moves[:] = would.act(tables.observations, tables.masks, thrown)
        seen, masks = tables.observations[counts], tables.masks[counts]
        answer = player.act(seen, masks.copy(), thrown[counts])  # copies, since the player can change or keep them
        moves[1, counts] = checked_actions(answer, masks, player.name, game.actions.text)
        departed = np.flatnonzero(moves[0] != moves[1])
        first, second = margins_after(tables, departed, moves, other, orders, thrown)
        for row, gain in zip(departed, second - first):
            verbs = game.actions[int(moves[0, row])].verb, game.actions[int(moves[1, row])].verb
            noted[row].setdefault(verbs, []).append(float(gain))
        tables.step(moves[1])
        ended = np.flatnonzero((tables.terminations | tables.truncations) & counts)
        for row in ended:
            found.gains.append(noted[row])
            noted[row] = {}
        found.margins += tables.rewards[rows, seats][ended].tolist()
        found.instead += instead[ended].tolist()
        instead[ended] = _foreseen(tables, ended, other)[ended]
        done[ended] += 1
        _count_dropped(tables, dropped, done, each, found)
        if len(ended):
            progress(found)
    return found


def shared_out(rounds: int, at_once: int) -> tuple[int, int]:
    """The number of tables, at most `at_once`, and the number of rounds at each, for at least `rounds` rounds.

    Every table plays the same number of rounds; otherwise short rounds would be too frequent.
    """
    each = -(-rounds // at_once)
    return -(-rounds // each), each


def _count_dropped(
    tables: Tables, dropped: npt.NDArray[np.int64], done: npt.NDArray[np.int64], each: int, found: Departures
) -> None:
    """Add the rounds that were over before the player's first decision, which `Tables` deals again at once.

    Args:
        tables: the tables.
        dropped: the number of such rounds counted so far at each table; changed in place.
        done: the rounds of each table, at most `each`; changed in place. A table ends with its round number `each`,
            whether that round was dropped or not.
        each: the number of rounds at each table.
        found: the results.
    """
    now = tables.controls["unplayed"]
    new = int(np.minimum(now - dropped, each - done).sum())
    done[:] = np.minimum(done + now - dropped, each)
    dropped[:] = now
    found.gains += [{} for _ in range(new)]
    found.margins += [0.0] * new
    found.instead += [0.0] * new


def margins_after(
    tables: Tables,
    rows: npt.NDArray[np.int64],
    moves: npt.NDArray[np.int64],
    player: str,
    orders: int,
    seeds: npt.NDArray[np.uint64],
) -> npt.NDArray[np.float32]:
    """The margins in points of the seats to move, if `player` plays the rounds out after each of several moves.

    Args:
        tables: the tables.
        rows: (k,), the tables that are played out.
        moves: (m, tables), the moves.
        player: the rule-based player.
        orders: the number of orders of the stock.
        seeds: the seed of these orders, for each table.

    Returns:
        (m, k), the margins after each move at each of `rows`.
    """
    game = tables.game
    ends = np.zeros((len(moves), tables.num_tables, game.max_seats), np.float32)
    for out, first in zip(ends, moves):
        outcomes(game, tables.states, rows, player, "margin", out, moves=first, orders=orders, seeds=seeds)
    margins: npt.NDArray[np.float32] = ends[:, rows, tables.seats[rows]]
    return margins


def _foreseen(tables: Tables, rows: np.ndarray, other: str) -> np.ndarray:
    """The margins of the seats to move at these tables, if `other` plays on with the true cards."""
    out = np.zeros((tables.num_tables, tables.game.max_seats), np.float32)
    outcomes(tables.game, tables.states, rows, other, "margin", out)
    return out[np.arange(tables.num_tables), tables.seats]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.departures", description=__doc__.split("\n\n")[0])
    parser.add_argument("player", help="any player, such as net:agents/zoo/banakil-2p")
    parser.add_argument("--of", help="the compiled player from which it departs (default: the strongest of the game)")
    add_table_arguments(parser)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--orders", type=int, default=ORDERS, help="of the stock, that each departure is tried in")
    parser.add_argument("--tables", type=int, default=TABLES, help="at once, at most; each plays as many rounds")
    parser.add_argument("--seeds", choices=SEED_SETS, default=SEEDS, help="the set of deals")
    options = parser.parse_args(arguments)
    try:
        table = table_of(options)
        game = table.found
        player, other = make_player(options.player, game), settled_player(game, options.of, "--of")
        with Progress(console=Console(file=sys.stderr)) as bar:
            task = bar.add_task("rounds", total=options.rounds)
            how = SEED_SETS[options.seeds], options.orders, options.tables
            found = measure(
                player, other, table, options.rounds, *how, lambda now: bar.update(task, completed=len(now.gains))
            )
    except (PlayerError, ValueError) as error:
        parser.error(escaped(error))
    rows = [
        (would, own, f"{times:.3f}", f"{each:+z.2f}", f"{points.mean:+z.3f} ± {points.half_width:.3f}")
        for (would, own), times, each, points in found.table()
    ]
    print(markdown_table((other, options.player, "a round", "points each", "points per round (95 %)"), rows))
    total, wider = found.total(), found.total(0.99)
    print(f"all: {total} points per round (99 %: ± {wider.half_width:.2f}) in {len(found.gains):,} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
