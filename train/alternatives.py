"""Tries other actions at the decisions of a rule-based player, and finds those that gain.

    python -m train.alternatives expert --game canasta --players 2 --rounds 300

At a share of the decisions with a choice another legal action is drawn: first its verb, then the action. The player
plays the round out at every seat after either action, with all hands as they are and the same orders of the stock
(`train.departures` does the same for the choices of another player). The player itself would not choose the other
action, so the mean gain is mostly negative. But if the gains are split by numbers that the seat sees (cards of a hand,
of the pile, of the stock ...), there can be positions where the other action is better on average. The player's
evaluation should then contain a rule about these positions.

For each pair of verbs the table shows the mean gain, and the group of positions in which a gain is clearest, if there
is one. Positions of a round share its deal, which the intervals ignore. With many groups, some look better by
chance: test the rule in a fit (`train.fit`), on other deals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import Progress

from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.arena.statistics import Interval, interval
from banakil_env.core.fields import COUNTS, SCALED
from banakil_env.core.game import Game
from banakil_env.core.markdown import markdown_table
from banakil_env.core.terminal import escaped
from banakil_env.envs.vector import Tables
from train.departures import ORDERS, margins_after, shared_out
from train.table_arguments import add_table_arguments, settled_player, table_of

TABLES = 64
SHARE = 0.1  # share of the decisions with a choice at which another action is tried
PARTS = 5  # largest number of parts of a number's range; they have about equally many positions
LEAST = 16  # smallest number of positions in a part

Verbs = tuple[str, str]  # the verbs of the player's action and of the other action


@dataclass
class Alternatives:
    """The results so far.

    Attributes:
        gains: points gained by the other action, by the verbs of both.
        seen: the observation for each gain, by the same verbs.
        rounds: the number of rounds that have ended.
    """

    gains: dict[Verbs, list[float]] = field(default_factory=dict)
    seen: dict[Verbs, list[npt.NDArray[np.uint8]]] = field(default_factory=dict)
    rounds: int = 0


@dataclass(frozen=True)
class Part:
    """Positions where a number that the seat sees is between `low` and `high`, and the gain in points there."""

    number: str
    low: int
    high: int
    gain: Interval

    def __str__(self) -> str:
        between = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
        return f"{self.number} {between}: {self.gain.mean:+.1f} ± {self.gain.half_width:.1f}"


def measure(
    player: str,
    table: TableOptions,
    rounds: int,
    seed: int = 0,
    share: float = SHARE,
    progress: Callable[[Alternatives], None] = lambda found: None,
) -> Alternatives:
    """Try other actions in at least `rounds` rounds of a player.

    Args:
        player: one of `settled_players` of the table's game; it plays at all seats.
        table: the table.
        rounds: the number of rounds in total.
        seed: the seed of the deals and of the draws.
        share: the share of the decisions with a choice at which an action is tried.
        progress: called after every step of all tables.

    Raises:
        ValueError: an unsuitable player, or an invalid number.
    """
    game = table.found
    player = settled_player(game, player, "the player")
    if rounds < 1 or not 0 < share <= 1:
        raise ValueError(f"rounds must be 1 or more and the share over 0 and up to 1, not {rounds} and {share}")
    n, each = shared_out(rounds, TABLES)
    left = np.full(n, each)  # rounds left at each table
    tables, own = Tables(n, game=game, **table.options), CompiledPlayer(player, game)
    rng, found = np.random.default_rng(seed), Alternatives()
    verbs = np.array([action.verb for action in game.actions])
    moves = np.zeros((2, n), np.int64)  # the player's own actions, and others
    tables.reset(int(rng.integers(2**63)))  # any seed below 2**63: small seeds deal the games in documents and tests
    while left.any():
        thrown = rng.integers(2**64, size=n, dtype=np.uint64)
        moves[:] = own.act(tables.observations, tables.masks, thrown)
        tried = np.flatnonzero((left > 0) & (tables.masks.sum(1) > 1) & (rng.random(n) < share))
        for row in tried:
            moves[1, row] = _another(tables.masks[row], int(moves[0, row]), verbs, rng)
        first, second = margins_after(tables, tried, moves, player, ORDERS, thrown)
        for row, gain in zip(tried, second - first):
            both = verbs[moves[0, row]], verbs[moves[1, row]]
            found.gains.setdefault(both, []).append(float(gain))
            found.seen.setdefault(both, []).append(tables.observations[row].copy())
        tables.step(moves[0])
        ended = (tables.terminations | tables.truncations) & (left > 0)
        left -= ended
        found.rounds += int(ended.sum())
        progress(found)
    return found


def _another(mask: npt.NDArray[np.int8], own: int, verbs: npt.NDArray[np.str_], rng: np.random.Generator) -> int:
    """A legal action other than the player's: first a verb is drawn from the legal ones, then an action with it."""
    legal = np.flatnonzero(mask)
    legal = legal[legal != own]
    verb = rng.choice(np.unique(verbs[legal]))
    return int(rng.choice(legal[verbs[legal] == verb]))


def parts(game: Game, gains: Sequence[float], seen: Sequence[npt.NDArray[np.uint8]]) -> list[Part]:
    """Split the positions by each number that the seat sees, and measure the gain in each part.

    Args:
        game: the game.
        gains: the gain at each position, in points.
        seen: the observation at each position.

    Returns:
        The parts, with the clearest gain (the most standard errors above 0) first.
    """
    points, found = np.array(gains), []
    records = np.stack(list(seen)).view(game.observation)[:, 0]
    for name, values in _numbers(game, records):
        lows = np.unique(np.quantile(values, np.linspace(0, 1, PARTS, endpoint=False), method="nearest"))
        for low, end in zip(lows, [*lows[1:], np.inf]):
            inside = (values >= low) & (values < end)
            if inside.sum() >= LEAST and points[inside].std() > 0:
                found.append(Part(name, int(low), int(values[inside].max()), interval(points[inside])))
    return sorted(found, key=lambda part: -part.gain.mean / part.gain.half_width)


def _numbers(game: Game, records: npt.NDArray[np.void]) -> Iterator[tuple[str, npt.NDArray[np.int64]]]:
    """Yield numbers in observations by name: the sizes, and the number of cards in each row of cards."""
    for each in (game.observation_fields[name] for name in game.observation_fields):
        if each.role not in (SCALED, COUNTS) or each.record:
            continue
        values = records[each.name].astype(np.int64)
        if each.role == COUNTS:
            values = values.sum(axis=-1)
        values = values.reshape(len(records), -1)
        for i in range(values.shape[1]):
            if len(np.unique(values[:, i])) > 1:
                yield f"{each.name}[{i}]" if values.shape[1] > 1 else each.name, values[:, i]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.alternatives", description=__doc__.split("\n\n")[0])
    parser.add_argument("player", help="a deterministic compiled player of the game, such as expert")
    add_table_arguments(parser)
    parser.add_argument("--rounds", type=int, default=300, help="of the player, in all (default: %(default)s)")
    share_help = "share of the decisions at which another action is tried (default: %(default)s)"
    parser.add_argument("--share", type=float, default=SHARE, help=share_help)
    parser.add_argument("--seed", type=int, default=0, help="of the deals and of the actions that are tried")
    options = parser.parse_args(arguments)
    try:
        table = table_of(options)
        with Progress(console=Console(file=sys.stderr)) as bar:
            task = bar.add_task("rounds", total=options.rounds)
            how = options.player, table, options.rounds, options.seed, options.share
            found = measure(*how, lambda now: bar.update(task, completed=now.rounds))
    except ValueError as error:
        parser.error(escaped(error))
    rows = []
    for verbs, gains in sorted(found.gains.items(), key=lambda item: -len(item[1])):
        if len(gains) >= LEAST:
            clearest = parts(table.found, gains, found.seen[verbs])[:1]
            where = str(clearest[0]) if clearest and clearest[0].gain.mean > 0 else ""
            rows.append((*verbs, f"{len(gains):,}", interval(np.array(gains)), where))
    print(markdown_table((options.player, "instead", "tried", "points each (95 %)", "where it gains"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
