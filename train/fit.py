"""Fits the parameters of a rule-based player by self-play on duplicate deals, with CMA-ES.

    python -m train.fit --game gin                          # every row of the player `expert`
    python -m train.fit --game rummy --row four --generations 200 --seed 2
    python -m train.fit --game rummy --league 15            # against its own earlier means too
    python -m train.fit --game kalooki --scan 2000          # each number over its whole range first
    python -m train.fit --game gin --compare                # only measure how far it is ahead now

CMA-ES begins with small steps around the current values. It cannot leave a region where all values play the same,
such as a bound that no gain ever reaches. With `--scan` each parameter is first tried alone at `TRIED` values over its
range, on the same deals. The best value is taken if it is ahead of the current one with a confidence of 99 %.

A candidate plays each deal in every seating of the arena (with four seats: two against two). Its opponents are the
player with its current values, and `greedy`, half of the deals each. All candidates of a generation play the same
deals, and every generation has new deals, from the seeds for training. With `--league K` the mean of the candidates
joins the opponents after every K generations. The search then also learns to beat earlier means: a player that beats
`greedy` by far can lose to a player that beats it. The mean of the last generations is kept if it is ahead of the
previous values on fresh deals. Its values, the seed and the figures go to the TOML file next to the player's module.
`--compare` writes new figures for the values in that file.

Values at the lowest or highest end of their range are printed: a wider range may be better.
"""

from __future__ import annotations

import argparse
import functools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import tomli_w
from tqdm import tqdm

from banakil_env.arena.options import TableOptions
from banakil_env.arena.seatings import seatings
from banakil_env.arena.statistics import Interval, interval
from banakil_env.core.batch import action_of
from banakil_env.core.engine import apply, legal_mask, num_seats, observe, reward, seat_to_move, start, status
from banakil_env.core.files import write_whole
from banakil_env.core.game import REWARDS, Game, IllegalAction
from banakil_env.core.jit import INT, Entry, Library, bind, read, written
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.parameters import Fitted, Parameters, Row
from banakil_env.core.players import asked_players_of
from banakil_env.core.threads import in_parts
from banakil_env.games import GAMES, find

BY_VALUES = -1  # the opponents play with values, not as a rule-based player of the game
DEALS_A_THREAD = 16
FIRST_SEED, SEEDS_A_RUN = 2**62, 2**40  # training draws its seeds below 2**63; each fit uses a separate part of them
STEP = 0.08  # the first step, as a share of each parameter's range
TRIED = 9  # number of values of a parameter over its range, including its bounds


def decide(seen: Any, mask: Any, values: Any) -> int:
    """The action of the fitted player with these values of its parameters; replaced by the player's function."""
    raise NotImplementedError


def _play_deal(
    state: Any,
    seed: int,
    other: Any,
    mine: Any,
    theirs: Any,
    kind: int,
    seen: Any,
    mask: Any,
    dice: Any,
    reward_kind: int,
) -> float:
    """Play one table of a deal; returns the challenger's mean reward minus the others', NaN after an illegal move.

    Args:
        state: the rules of the table; overwritten.
        seed: the seed of the deal.
        other: by seat, 1 for the opponents and 0 for the challenger.
        mine: the parameter values of the challenger.
        theirs: the parameter values of the opponents, if `kind` is BY_VALUES.
        kind: the rule-based player of the opponents, or BY_VALUES.
        seen, mask, dice: buffers.
        reward_kind: the kind of reward, by its number.
    """
    start(state, seed)
    dice.rng = seed
    while not status(state):
        seat = seat_to_move(state)
        observe(state, seat, seen)
        legal_mask(state, mask)
        if not other[seat]:
            action = decide(seen, mask, mine)
        elif kind == BY_VALUES:
            action = decide(seen, mask, theirs)
        else:
            action = action_of(kind, seen, mask, dice)
        if not apply(state, action):
            return np.nan
    seats, others = num_seats(state), 0
    own_total = other_total = 0.0
    for seat in range(seats):
        if other[seat]:
            other_total += reward(state, seat, reward_kind)
            others += 1
        else:
            own_total += reward(state, seat, reward_kind)
    return own_total / (seats - others) - other_total / others


def _play_deals(
    states: Any,
    seeds: Any,
    tables: Any,
    mine: Any,
    theirs: Any,
    kind: int,
    seen: Any,
    mask: Any,
    dice: Any,
    reward_kind: int,
    out: Any,
) -> None:
    """Write the challenger's lead in each deal into `out`, as a mean over all tables of the deal.

    `seeds` are those of the deals, and each row of `tables` is the `other` of a table; see `_play_deal`.
    """
    for i in range(seeds.shape[0]):
        total = 0.0
        for table in range(tables.shape[0]):
            total += _play_deal(
                states[0], seeds[i], tables[table], mine[0], theirs[0], kind, seen[0], mask, dice[0], reward_kind
            )
        out[i] = total / tables.shape[0]


@functools.cache
def _loop_of(game: Game, fitted: Fitted) -> Entry:
    play_deal = bind(
        _play_deal,
        f"{game.name}_fit_deal",
        decide=fitted.decide,
        action_of=asked_players_of(game),
    )
    declared = {
        "states": written(game.state, 1),
        "seeds": read("u8", "deals"),
        "tables": read("i8", "tables", "seats"),
        **dict.fromkeys(("mine", "theirs"), read(fitted.parameters.values.dtype, 1)),
        "kind": INT,
        "seen": written(game.observation, 1),
        "mask": written("i1", game.num_actions),
        "dice": written(GENERATOR, 1),
        "reward_kind": INT,
        "out": written("f8", "deals"),
    }
    return Library(f"{game.name}_fit").entry(_play_deals, declared, long=True, _play_deal=play_deal)


@dataclass
class Arena:
    """A table for games between values, or between values and a rule-based player."""

    game: Game
    fitted: Fitted
    row: Row
    threads: int = 2
    reward: str = "points"

    def margins(self, mine: Any, theirs: Any, other: str, first: int, deals: int) -> npt.NDArray[np.float64]:
        """The lead of `mine` in points for each of `deals` deals, as a mean over all seatings.

        Args:
            mine: the parameter values of the player.
            theirs: the parameter values of the opponents, if `other` is empty.
            other: the rule-based player that is the opponent, a name of `game.players`; or "".
            first: the seed of the first deal; the others follow.
            deals: the number of deals.

        Raises:
            IllegalAction: the values made an illegal move.
        """
        game = self.game
        out, seeds = np.zeros(deals), np.arange(first, first + deals, dtype=np.uint64)
        kind = game.kinds[other] if other else BY_VALUES
        play = _loop_of(game, self.fitted)
        table = TableOptions(game=game.name, **self.row.options)
        tables = np.array(seatings(table.seats, table.plays_partners), np.int64)
        values = [np.asarray(each).reshape(1) for each in (mine, theirs)]

        def part(begin: int, end: int) -> None:
            work = np.empty(1, game.observation), np.empty(game.num_actions, np.int8), np.zeros(1, GENERATOR)
            own = game.new(**self.row.options)
            play(own, seeds[begin:end], tables, *values, kind, *work, REWARDS[self.reward], out[begin:end])

        in_parts(part, deals, self.threads, DEALS_A_THREAD)
        if np.isnan(out).any():
            raise IllegalAction(f"values {mine} or their opponent made an illegal move, from seed {first} on")
        return out


def fit(arena: Arena, begin: Any, generations: int, deals: int, seed: int, step: float = STEP, league: int = 0) -> Any:
    """Search with CMA-ES for a number of generations; returns the values found, as a record of the parameters.

    Args:
        arena: the table.
        begin: the values that the search begins with, a record of the parameters.
        generations: the number of generations.
        deals: the number of deals that each candidate plays.
        seed: the seed.
        step: the first step, as a share of each parameter's range.
        league: the current mean joins the opponents after each such number of generations; 0 for never.
    """
    import cma  # imported here, since it loads matplotlib and SciPy's statistics, which takes two seconds

    parameters = arena.fitted.parameters
    opponents = _opponents(arena)
    lowest, highest = (
        np.array([getattr(each, end) for each in parameters.declared], float) for end in ("lowest", "highest")
    )
    spread = highest - lowest
    first_mean = (np.array(begin.tolist(), float) - lowest) / spread
    search = cma.CMAEvolutionStrategy(first_mean, step, {"bounds": [0, 1], "seed": seed + 1, "verbose": -9})
    shown = tqdm(range(generations), desc=f"{arena.game.name} {arena.row.name}", mininterval=10)
    for generation in shown:
        first = FIRST_SEED + seed * SEEDS_A_RUN + generation * deals
        if league and generation and generation % league == 0:
            opponents = (*opponents, parameters.record(lowest + search.mean * spread))
        asked = search.ask()
        tried = [parameters.record(lowest + each * spread) for each in asked]
        losses = [-_leads(arena, each, first, deals, opponents).mean() for each in tried]
        search.tell(asked, losses)
        shown.set_postfix(mean=f"{-np.mean(losses):+.3f}", step=f"{search.sigma:.3f}")
    return parameters.record(lowest + search.mean * spread)


def scan(arena: Arena, deals: int, seed: int) -> Any:
    """Scan each parameter over its range; returns the current values, each replaced where another is clearly better."""
    parameters = arena.fitted.parameters
    best = parameters.values[parameters.index(arena.row.name)].copy()
    first = FIRST_SEED + seed * SEEDS_A_RUN + SEEDS_A_RUN // 2  # the seeds of generations do not reach this
    opponents = _opponents(arena)
    stands = _leads(arena, best, first, deals, opponents)
    for each in tqdm(parameters.declared, desc=f"{arena.game.name} {arena.row.name}, scan", mininterval=10):
        found = best, stands, 0.0
        for value in np.unique(np.linspace(each.lowest, each.highest, TRIED).astype(np.int64)):
            tried = best.copy()
            tried[each.name] = value
            leads = _leads(arena, tried, first, deals, opponents)
            gain = interval(leads - stands, 0.99)
            if gain.mean > max(gain.half_width, found[2]):
                found = tried, leads, gain.mean
        if found[2]:
            tqdm.write(f"{each.name}: {best[each.name]} -> {found[0][each.name]}, {found[2]:+.3f}")
        best, stands, _ = found
    return best


def at_an_end(parameters: Parameters, values: Any) -> list[str]:
    """The values at the lowest or highest end of their range, each as a text with its range."""
    return [
        f"{each.name} {values[each.name]} ({each.lowest} to {each.highest})"
        for each in parameters.declared
        if values[each.name] in (each.lowest, each.highest)
    ]


def _opponents(arena: Arena) -> tuple[Any, ...]:
    """The opponents at the start: the current values, and None for `greedy`."""
    parameters = arena.fitted.parameters
    return parameters.values[parameters.index(arena.row.name)], None


def _leads(arena: Arena, mine: Any, first: int, deals: int, opponents: Sequence[Any]) -> npt.NDArray[np.float64]:
    """The leads of values by deal, with equally many deals against each opponent (values, or None for `greedy`)."""
    ends = [deals * i // len(opponents) for i in range(len(opponents) + 1)]
    margins = []
    for each, begin, end in zip(opponents, ends, ends[1:]):
        theirs, name = (mine, "greedy") if each is None else (each, "")
        margins.append(arena.margins(mine, theirs, name, first + begin, end - begin))
    return np.concatenate(margins)


def compare(arena: Arena, values: Any, others: dict[str, Any], deals: int, first: int) -> dict[str, Interval]:
    """The lead of values over other players, by name.

    Args:
        arena: the table.
        values: the values.
        others: by name, a record of values, or None for the rule-based player with this name.
        deals: the number of deals.
        first: the seed of the first deal.
    """
    found = {}
    for name, theirs in others.items():
        margins = arena.margins(
            values, values if theirs is None else theirs, name if theirs is None else "", first, deals
        )
        found[name] = interval(margins, 0.99)
    return found


def keep(arena: Arena, values: Any, command: str, figures: dict[str, Interval], deals: int) -> None:
    """Write the values of the arena's row of parameters to the parameter file, with the command and the figures.

    The other rows stay.
    """
    file, names = arena.fitted.parameters.file, arena.fitted.parameters.names
    rows = _read(file)
    rows[arena.row.name] = {
        "fitted": command,
        "deals": deals,
        "ahead": {name: _shown(figure) for name, figure in figures.items()},
        "values": dict(zip(names, values.tolist())),
    }
    write_whole(file, tomli_w.dumps(rows).encode())


def remeasure(arena: Arena, ahead_of_greedy: Interval, deals: int) -> None:
    """Write the lead over `greedy` of the arena's row of parameters, and its number of deals, into the parameter file.

    A file without this row stays as it is.
    """
    file = arena.fitted.parameters.file
    rows = _read(file)
    if arena.row.name in rows:
        row = rows[arena.row.name]
        row["deals"], row["ahead"] = deals, {"greedy": _shown(ahead_of_greedy)}
        write_whole(file, tomli_w.dumps(rows).encode())


def _read(file: Path) -> dict[str, Any]:
    """The rows of a file of values; empty if the file does not exist."""
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _shown(figure: Interval) -> str:
    return f"{figure.mean:+.3f} ± {figure.half_width:.3f}"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--game", required=True, choices=GAMES)
    parser.add_argument("--player", default="expert")
    parser.add_argument("--row", help="the row to fit (default: each)")
    parser.add_argument("--scan", type=int, default=0, help="deals of the scan over each range; 0: no scan")
    parser.add_argument("--generations", type=int, default=150, help="of candidates, for each row")
    parser.add_argument("--deals", type=int, default=1600, help="that each candidate of a generation plays")
    parser.add_argument("--check", type=int, default=20_000, help="fresh deals at the end")
    parser.add_argument("--step", type=float, default=STEP, help="the first step, as a share of each parameter's range")
    league_help = "generations after which the mean joins the opponents, again and again; 0: never"
    parser.add_argument("--league", type=int, default=0, help=league_help)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--compare", action="store_true", help="fit nothing")
    args = parser.parse_args()
    game = find(args.game)
    if args.player not in game.fitted:
        parser.error(f"{game.title} has no fitted player {args.player!r}; it has {', '.join(game.fitted) or 'none'}")
    fitted = game.fitted[args.player]
    names = [row.name for row in fitted.parameters.rows]
    if args.row is not None and args.row not in names:
        parser.error(f"{game.title} has no row {args.row!r}; it has {', '.join(names)}")
    for row in fitted.parameters.rows:
        if args.row in (None, row.name):
            _fit_row(Arena(game, fitted, row, args.threads), args)


def _fit_row(arena: Arena, args: argparse.Namespace) -> None:
    """Fit one row, print its lead on fresh deals, and write it if it is ahead of the previous values."""
    name, parameters = f"{arena.game.name} {arena.row.name}", arena.fitted.parameters
    before = parameters.values[parameters.index(arena.row.name)].copy()
    values = before
    if not args.compare:
        begin = scan(arena, args.scan, args.seed) if args.scan else before
        values = fit(arena, begin, args.generations, args.deals, args.seed, args.step, args.league)
    first = FIRST_SEED + (args.seed + 1) * SEEDS_A_RUN - args.check
    figures = compare(arena, values, {"greedy": None} | ({} if args.compare else {"before": before}), args.check, first)
    for other, found in figures.items():
        print(f"{name}: {found.mean:+.3f} ± {found.half_width:.3f} ahead of {other} (99 %, {args.check} deals)")
    if ends := at_an_end(parameters, values):
        print(f"{name}: at an end of the range, which may be too narrow: {', '.join(ends)}")
    if args.compare:
        remeasure(arena, figures["greedy"], args.check)
    elif figures["before"].mean > 0:
        command = f"python -m train.fit --game {arena.game.name} --row {arena.row.name}"
        command += f" --generations {args.generations} --deals {args.deals} --seed {args.seed}"
        command += f" --scan {args.scan}" if args.scan else ""
        command += f" --step {args.step}" if args.step != STEP else ""
        command += f" --league {args.league}" if args.league else ""
        keep(arena, values, command, figures, args.check)
        print(f"{name}: written to {parameters.file.name}")


if __name__ == "__main__":
    main()
