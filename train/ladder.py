"""Measures the strength of players at the standing tables: plays the rungs of the ladder and stores the figures.

    python -m train.ladder --game gin                                        # random, greedy, expert, the zoo's agent
    python -m train.ladder --game gin --rung search:200ms --deals 200        # one rung, against the strongest
    python -m train.ladder --game all --deals 2000
    python -m train.ladder --game gin --rung search:200ms --by departures --seconds 150

Each rung plays the rule-based players `greedy` and `expert` on duplicate deals of `arena-v1`: every deal once in each
seating, so that both hold every hand. A slow rung, such as a search, plays only the strongest of them.

With `--by departures` the rung has one seat, and its departures from the moves of the rule-based player are measured in
true deals (`train.departures`), with far less luck. A time such as `search:200ms` is then replaced by the number of
playouts that one thread makes in it on this machine, so that the figures can be measured again.

The figures go to `docs/ladders.json`, one line each, from which `python docs/generate.py` makes docs/ladders.md and
docs/results.md. A new measurement replaces the earlier line that was measured in the same way. If a pair was measured
in both ways, the page shows the figure of whole deals.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from banakil_env.agents import make_player
from banakil_env.agents.search import SearchPlayer
from banakil_env.arena import Plan, Results
from banakil_env.arena.generations import MODEL, newest
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import Player
from banakil_env.arena.report import table_title
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.arena.statistics import interval
from banakil_env.arena.workers import play_deals
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game, Table
from banakil_env.core.terminal import escaped
from banakil_env.games import GAMES, find
from train import departures

FILE = Path(__file__).resolve().parents[1] / "docs" / "ladders.json"
ZOO = FILE.parents[1] / "agents" / "zoo"
AGENT = "agent"  # the rung of the newest agent of the zoo with an adviser for the table
UNADVISED = "unadvised"  # the same agent without the advice that it was trained with
# Agents without an adviser: taught by a player; learned in self-play; learned also in games with rule-based players.
ALONE, LEARNED, SPARRED = "alone", "learned", "sparred"
RUNGS = (LEARNED, SPARRED, ALONE, AGENT)  # the lowest first
OF_ZOO = (*RUNGS, UNADVISED)
SEED_SET = "arena-v1"
# Numbers of deals that are played at the same time: many, since a network is called for all tables at once; few if the
# time is checked between them.
DEALS_AT_ONCE, SLOW_AT_ONCE = 100, 5
DEALS, DEPARTURES = "deals", "departures"  # the ways to measure
ROUNDS_AT_ONCE = 4  # for departures, where the time is checked between them
PROBES = 3  # searches that are timed; each has the number of playouts that the one before suggests
PROBE = 400  # playouts per move in the first of them


# A row of an agent's card: opponent, lead with its 95 % and 99 % intervals, points, share won, time, deals.
_CARD_ROW = re.compile(
    r"^\| `(?P<against>greedy|expert)` \| (?P<ahead>[-+][0-9.]+) ± (?P<within>[0-9.]+) \| "
    r"± (?P<wider>[0-9.]+) \|.*\| (?P<time>[0-9.]+) (?P<unit>µs|ms) \| (?P<deals>[0-9]+) \|$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Figure:
    """The lead of a player over another at a standing table.

    Attributes:
        game, table: the names of the game and the table.
        player: a rung; "agent" for the zoo's newest agent of the table, "unadvised" for the same agent without its
            adviser.
        against: a rule-based player.
        ahead: points per deal.
        within_95, within_99: half widths of the intervals over deals.
        deals: the number of deals of `arena-v1`, each played in every seating; by departures, each played once.
        decision: the player's mean time per decision in microseconds, with many tables in one call; by departures,
            processor time of decisions with two or more legal actions.
        command: the command that measures it again.
        agent: the folder in the zoo of the agent that was measured; empty for other players.
        by: "deals" for the margins of whole deals; "departures" for the gains of the moves in which the player departs.
    """

    game: str
    table: str
    player: str
    against: str
    ahead: float
    within_95: float
    within_99: float
    deals: int
    decision: float
    command: str
    by: str = DEALS
    agent: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, str, str]:
        """The key that identifies a line of the file."""
        return *self.pair, self.by

    @property
    def pair(self) -> tuple[str, str, str, str, str]:
        """The players and their table, for which the page has one figure.

        A search counts as one player with any budget.
        """
        kind = "search" if self.player.startswith("search:") else self.player
        return self.game, self.table, kind, self.agent, self.against


def read(file: Path = FILE) -> list[Figure]:
    """Read the figures that the page shows from a file: of agents only the newest. Empty if there is no file."""
    return shown(figure for figure in _all(file) if figure.agent == _agent_of(figure.table, figure.player))


def shown(figures: Iterable[Figure]) -> list[Figure]:
    """One figure per pair, in the order of the pairs: the last one by deals, or else the last one by departures."""
    found: dict[tuple[str, ...], Figure] = {}
    for figure in figures:
        before = found.get(figure.pair)
        if before is None or figure.by == DEALS or before.by == DEPARTURES:
            found[figure.pair] = figure
    return list(found.values())


def _all(file: Path) -> list[Figure]:
    """All figures of a file, including those of earlier agents; empty if there is no file."""
    if not file.is_file():
        return []
    return [Figure(**line) for line in json.loads(file.read_text(encoding="utf-8"))]


def folder_of(table: str, player: str, zoo: Path | None = None) -> Path | None:
    """The folder of the agent that this rung stands for at a table.

    Returns None if there is no such folder, or the rung is not an agent.
    """
    zoo = zoo or ZOO
    if player in (AGENT, UNADVISED):
        return newest(zoo, table)
    folder = zoo / f"{table}-{player}"
    return folder if player in OF_ZOO and (folder / MODEL).is_file() else None


def _agent_of(table: str, player: str) -> str:
    """The name of the agent's folder; empty for other players."""
    folder = folder_of(table, player)
    return folder.name if folder else ""


def _maker_of(table: Table, player: str) -> str:
    """The name from which `make_player` makes a rung.

    Raises:
        ValueError: the table has no agent.
    """
    if player not in OF_ZOO:
        return player
    agent = _agent_of(table.name, player)
    if not agent:
        raise ValueError(
            f"there is no agent of {table.name} in {ZOO}; train one (python -m train), or leave out {player}"
        )
    return f"{'unadvised:' * (player == UNADVISED)}net:{ZOO / agent}"


def keep(figure: Figure, file: Path = FILE) -> None:
    """Write a figure to a file, in place of the earlier one or after the others of its game."""
    figures = {each.key: each for each in _all(file)} | {figure.key: figure}
    order = {name: number for number, name in enumerate(GAMES)}
    lines = [json.dumps(dataclasses.asdict(each)) for each in sorted(figures.values(), key=lambda f: order[f.game])]
    write_whole(file, ("[\n" + ",\n".join(lines) + "\n]\n").encode())


def of_cards(zoo: Path = ZOO) -> list[Figure]:
    """The figures on the cards of the zoo's agents: matches against `greedy` and `expert`, on the same deals.

    Of agents with an adviser only the newest of each table is included. An agent is left out if the rules on its card
    differ from those of the standing table with its name.
    """
    return [
        figure
        for game in map(find, GAMES)
        for table in game.tables
        for player in RUNGS
        if (folder := folder_of(table.name, player, zoo))
        for figure in _of_card(game, table, player, folder)
    ]


def _of_card(game: Game, table: Table, player: str, folder: Path) -> list[Figure]:
    """The figures on one card."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    plan = Plan((AGENT, "greedy"), game=game.name, **table.options)
    if f"\n{table_title(Results(plan))}. Duplicate deals of `{SEED_SET}`" not in text:
        return []
    return [
        Figure(
            game=game.name,
            table=table.name,
            player=player,
            against=row["against"],
            ahead=float(row["ahead"]),
            within_95=float(row["within"]),
            within_99=float(row["wider"]),
            deals=int(row["deals"]),
            decision=float(row["time"]) * (1 if row["unit"] == "µs" else 1000),
            command=f"the card of agents/zoo/{folder.name}",
            agent=folder.name,
        )
        for row in _CARD_ROW.finditer(text)
    ]


def rungs_of(game: Game, table: Table) -> list[str]:
    """The rungs that play fast: the rule-based players, and the zoo's agents if the table has some."""
    return [*game.players, *(player for player in RUNGS if folder_of(table.name, player))]


def measure(game: Game, table: Table, player: str, against: str, deals: int, seconds: float | None = None) -> Figure:
    """Play a rung against a rule-based player, and measure its lead.

    Args:
        game: the game.
        table: the standing table.
        player: a rung.
        against: the rule-based player.
        deals: the largest number of deals, two or more.
        seconds: the time after which no further deals are begun; the first few are always played. None: no limit.

    Raises:
        PlayerError: there is no such player.
        ValueError: the table has no agent.
    """
    made = [make_player(_maker_of(table, player), game), make_player(against, game)]
    for one_made in made:
        getattr(one_made, "prepare", lambda: None)()  # before the time is measured
    plan = Plan((player, against), game=game.name, deals=deals, seed_set=SEED_SET, budget=None, **table.options)
    results, begun = Results(plan), time.monotonic()
    at_once = SLOW_AT_ONCE if seconds else DEALS_AT_ONCE
    while len(results.deals) < deals and (seconds is None or not results.deals or time.monotonic() < begun + seconds):
        first = len(results.deals)
        for played in play_deals(made, plan, range(first, min(first + at_once, deals)), record=False):
            results.add(played)
    one, other = plan.players
    ahead, margins = results.margin(one, other).mean, results.margins()[:, 0]
    widths = [interval(margins, level).half_width for level in (0.95, 0.99)]
    return _figure(game, table, player, against, [ahead, *widths], len(results.deals), results.seconds(one))


def _figure(
    game: Game,
    table: Table,
    player: str,
    against: str,
    lead: Sequence[float],
    deals: int,
    seconds: float,
    by: str = DEALS,
) -> Figure:
    """A figure of this measurement, rounded, with its command.

    Args:
        game: the game.
        table: the standing table.
        player: the rung.
        against: the rule-based player.
        lead: points per deal, and the half widths of the 95 % and 99 % intervals.
        deals: the number of deals; by departures, of rounds.
        seconds: the player's time per decision.
        by: DEALS or DEPARTURES.
    """
    ahead, within_95, within_99 = (round(points, 4) for points in lead)
    command = f"python -m train.ladder --game {game.name} --table {table.name} --rung {player}"
    command += f" --by {by}" if by != DEALS else ""
    return Figure(
        game=game.name,
        table=table.name,
        player=player,
        against=against,
        ahead=ahead,
        within_95=within_95,
        within_99=within_99,
        deals=deals,
        decision=round(1e6 * seconds, 2),
        command=f"{command} --against {against} --deals {deals}",
        by=by,
        agent=_agent_of(table.name, player),
    )


class _Timed:
    """A player whose processor time is measured.

    Attributes:
        player: the player.
        seconds: the processor time of all decisions.
        decisions: the number of decisions with two or more legal actions.
    """

    def __init__(self, player: Player) -> None:
        self.player, self.name = player, player.name
        self.seconds, self.decisions = 0.0, 0

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Call the player, and add to its processor time and its number of decisions."""
        begun = time.process_time()
        actions = self.player.act(observations, masks, dice)
        self.seconds += time.process_time() - begun
        self.decisions += int(((masks != 0).sum(axis=1) > 1).sum())
        return actions

    @property
    def each(self) -> float:
        """Mean seconds per decision; 0 if there was none."""
        return self.seconds / max(1, self.decisions)


def _timed(player: Player) -> _Timed:
    getattr(player, "prepare", lambda: None)()
    return _Timed(player)


def playouts_in(game: Game, table: Table, against: str, seconds: float) -> int:
    """The number of playouts per move of a search with `seconds` of processor time on this machine, to two digits.

    A long search makes more playouts per second than a short one. Several searches are therefore measured, each with
    the number of playouts that the search before it suggests.
    """
    options, found = TableOptions(game=game.name, **table.options), PROBE
    for _ in range(PROBES):  # the first probe compiles the functions that `prepare` has not compiled
        search = SearchPlayer(str(found), game)
        timed = _timed(search)
        departures.measure(timed, against, options, ROUNDS_AT_ONCE, orders=1, at_once=ROUNDS_AT_ONCE)
        found = max(1, int(float(f"{search.tried * seconds / timed.seconds:.1e}")))
    return found


def measure_by_departures(
    game: Game, table: Table, player: str, against: str, rounds: int, seconds: float | None = None
) -> Figure:
    """Measure the departures of a rung at one seat from a rule-based player, which has the other seats.

    Args:
        game: the game.
        table: the standing table.
        player: a rung.
        against: the rule-based player, which must be deterministic.
        rounds: the largest number of rounds or matches, rounded up to a multiple of `ROUNDS_AT_ONCE`.
        seconds: the time after which no further rounds are begun; None: no limit.

    Raises:
        PlayerError: there is no such player.
        ValueError: the table has no agent.
    """
    timed = _timed(make_player(_maker_of(table, player), game))
    options = TableOptions(game=game.name, **table.options)
    found, begun = departures.Departures(), time.monotonic()
    while len(found.gains) < rounds and (seconds is None or not found.gains or time.monotonic() < begun + seconds):
        seed = SEED_SETS[SEED_SET] + len(found.gains)
        found.gains += departures.measure(timed, against, options, ROUNDS_AT_ONCE, seed, at_once=ROUNDS_AT_ONCE).gains
    total = found.total()
    lead = [total.mean, total.half_width, found.total(0.99).half_width]
    return _figure(game, table, player, against, lead, len(found.gains), timed.each, DEPARTURES)


def _of_time(rung: str, game: Game, table: Table, against: str) -> str:
    """Replace the time of a search's budget by a number of playouts; other rungs are returned as they are.

    Raises:
        ValueError: the search has several threads, so its processor time differs from wall time.
    """
    kind, _, budget = rung.partition(":")
    if kind != "search":
        return rung
    search = SearchPlayer(budget, game)
    if search.threads > 1:
        raise ValueError(f"{rung} has {search.threads} threads; by departures a search has one: leave out @")
    return rung if search.seconds is None else f"search:{playouts_in(game, table, against, search.seconds)}"


def opponents_of(game: Game, player: str) -> Iterator[str]:
    """Yield the opponents that a rung is measured against, among the rule-based players other than `random`.

    A rule-based player meets those listed before it; `random` and the trained agents of `RUNGS` meet all. Any other
    rung, such as a search, is slow and meets only the strongest.
    """
    settled = game.settled_players
    for other in settled if player in (*game.players, *RUNGS) else settled[-1:]:
        if player == other:
            return
        yield other


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.ladder", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--game", required=True, choices=[*GAMES, "all"])
    parser.add_argument("--table", help="the name of a standing table, such as gin-2p (default: each)")
    parser.add_argument(
        "--rung",
        nargs="+",
        help="players; agent for the zoo's, unadvised for the same without its adviser (default: each that plays fast)",
    )
    parser.add_argument("--against", help="a compiled player (default: see above)")
    parser.add_argument("--deals", type=int, default=2000, help="or rounds, by departures")
    parser.add_argument("--by", choices=[DEALS, DEPARTURES], default=DEALS, help="the way to measure")
    parser.add_argument("--seconds", type=float, help="after which no further deals of a pair are begun")
    parser.add_argument("--out", type=Path, default=FILE, help="the file of figures")
    options = parser.parse_args(arguments)
    if options.deals < 2:
        parser.error(f"--deals must be 2 or more, for an interval; not {options.deals}")
    games = [find(name) for name in (GAMES if options.game == "all" else [options.game])]
    tables = [(game, table) for game in games for table in game.tables if options.table in (None, table.name)]
    if not tables:
        names = [table.name for game in games for table in game.tables]
        parser.error(f"there is no standing table {options.table!r:.80}; there are {', '.join(names)}")
    try:
        for game, table in tables:
            there = rungs_of(game, table)
            wanted = options.rung or there
            if not options.table:  # not every table has such an agent
                wanted = [rung for rung in wanted if rung not in OF_ZOO or folder_of(table.name, rung)]
            for rung in wanted:
                for against in [options.against] if options.against else opponents_of(game, rung):
                    by_departures = options.by == DEPARTURES
                    how = measure_by_departures if by_departures else measure
                    player = _of_time(rung, game, table, against) if by_departures else rung
                    found = how(game, table, player, against, options.deals, options.seconds)
                    keep(found, options.out)
                    print(
                        f"{table.name}: {player} {found.ahead:+z.3f} ± {found.within_95:.3f} ahead of {against}",
                        flush=True,
                    )
    except ValueError as error:
        parser.error(escaped(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
