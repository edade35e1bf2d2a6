"""Measures a player by a protocol: plays the games and computes the figures from the outcome of every deal.

An answer is a JSON object: the protocol with its definition, the player's identity, the command, the deals, and

    rows        the results: points ahead by deal, the training, or the solved game
    figures     values computed from the rows, by `figures_of`
    machine     versions and seconds: the only part in which two answers of one player can differ
"""

from __future__ import annotations

import functools
import json
import platform
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.arena.identities import identity_of
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import Player, make_players
from banakil_env.arena.seatings import seatings
from banakil_env.arena.seeds import KEYED, seed_of
from banakil_env.arena.tables import Settings, Table, play_tables
from banakil_env.core.files import parse_json, read_within, write_whole
from banakil_env.core.identity import Identity
from banakil_env.core.release import VERSION, version_of
from banakil_env.suite.answers import FORMAT, ITSELF, MOST_BYTES, figures_of, rounded
from banakil_env.suite.deals import PUBLIC, commitment, published_key
from banakil_env.suite.endgames import POSITIONS, Endgame
from banakil_env.suite.learned import check_learned, runs_of
from banakil_env.suite.protocols import COST, LEFT_OUT, PARTNERS, SOLVED, TRANSFER, Protocol, table_text
from banakil_env.suite.run import LIBRARIES
from banakil_env.suite.tasks import PLAYER, RANDOM, TaskError

AT_ONCE = 50  # deals that are played together, so that one call of a network serves many tables
CURVE = "curve.json"  # a file in the folder of an agent, see `train.curve`
BUDGET = 60.0  # time limit of a decision in seconds
ITERATIONS = (1, 10, 100, 1000)  # numbers of iterations of CFR+
DECISIONS = "{decisions}"  # in the name of a player: replaced by the number of decisions

Progress = Callable[[str, int, int], None]
# The player at each seat, by table. First: the player (0) and one other (1). Second: the player (0), its partner (1)
# and opponents (2).
_WITH_PARTNER = ((0, 2, 1, 2), (1, 2, 0, 2), (2, 0, 2, 1), (2, 1, 2, 0))


def answer(
    protocol: Protocol,
    player: str | Player | Callable[..., Any],
    *,
    until: int | None = None,
    deals: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure a player by a protocol.

    Args:
        protocol: the protocol.
        player: as `make_player` takes it. For LEFT_OUT, a name that contains `{decisions}` stands for one agent per
            number of decisions of the protocol. Any other player is measured as one that has not learned the game.
        until: for LEFT_OUT, the last of the numbers of decisions that is measured; None for all of them.
        deals: the number of deals of each match, for a first look; None for that of the protocol.
        progress: called with a description of the match, the number of deals played, and the number to be played.

    Raises:
        TaskError: this player cannot be measured by the protocol.
        ValueError: there is no such player.
    """
    if deals is not None and deals < 2:
        raise TaskError(f"an interval needs two deals at least, not {deals}")
    agents, identity = _agents(protocol, player, until)
    asking = _Asking(protocol, agents, deals or protocol.deals, progress)
    begun, rows = time.process_time(), _ROWS[protocol.kind](asking)
    options = [] if until is None else ["--until", str(until)]
    options += [] if deals is None else ["--deals", str(deals)]
    return {
        "format": FORMAT,
        "protocol": protocol.id,
        "definition": protocol.definition(),
        "player": identity.as_dict(),
        "command": shlex.join(["banakil", "suite", "ask", protocol.name, identity.name, *options, "--out", "FILE"]),
        "package": VERSION,
        "deals": {"part": PUBLIC, "key_sha256": commitment(published_key(PUBLIC))},
        "short": deals is not None,
        "rows": rows,
        "figures": figures_of(protocol, rows),
        "machine": {
            "cpu_seconds": round(time.process_time() - begun, 1),
            "processor": platform.machine(),
            "system": platform.system(),
            "python": platform.python_version(),
            "libraries": {name: version_of(name) for name in LIBRARIES},
        },
    }


def write_answer(said: Mapping[str, Any], path: Path) -> None:
    """Write an answer to a file. Raises OSError if it cannot be written; no partial file is left."""
    write_whole(path, (json.dumps(said, indent=1) + "\n").encode())


def _agents(protocol: Protocol, player: Any, until: int | None) -> tuple[dict[int, Player], Identity]:
    """The players that are measured, by the number of decisions that they have learned from, and their identity.

    Most protocols measure one player, under the key 0, whatever it has learned from.
    """
    if protocol.kind != LEFT_OUT and (until is not None or (isinstance(player, str) and DECISIONS in player)):
        raise TaskError(f"{protocol.name} measures one player: it takes neither --until nor {DECISIONS} in a name")
    if not (isinstance(player, str) and DECISIONS in player):
        if until:
            raise TaskError(
                f"--until {until} needs a name with {DECISIONS} in it, such as net:runs/mine/{DECISIONS}: an agent for "
                "each number of decisions"
            )
        [one] = make_players([player], protocol.found)
        return {0: one}, identity_of(one)
    if until is not None and until not in protocol.decisions:
        allowed = ", ".join(map(str, protocol.decisions))
        raise TaskError(f"--until {until} is not among the numbers of decisions of {protocol.name}: {allowed}")
    points = [each for each in protocol.decisions if until is None or each <= until]
    made = make_players([player.replace(DECISIONS, str(each)) for each in points], protocol.found)
    digests = {str(each): identity_of(agent).digest for each, agent in zip(points, made)}
    return dict(zip(points, made)), Identity(player, digests)


class _Asking:
    """A measurement: the protocol, its players by number of decisions, and how deals are played."""

    def __init__(self, protocol: Protocol, agents: Mapping[int, Player], deals: int, progress: Progress | None) -> None:
        self.protocol, self.agents, self.deals, self.progress = protocol, agents, deals, progress

    @property
    def player(self) -> Player:
        """The player, in protocols that measure only one."""
        [made] = self.agents.values()
        return made

    @functools.cached_property
    def reference(self) -> Player:
        """The reference player of the protocol, the opponent of the measured player."""
        return self.make(self.protocol.reference)

    def make(self, name: str) -> Player:
        """Make a player of the game from its name."""
        return make_players([name], self.protocol.found)[0]

    def ahead(
        self, what: str, table: Mapping[str, Any], players: Sequence[Player], shapes: Sequence[tuple[int, ...]]
    ) -> list[float]:
        """The lead of all players except the last over the last, one number per deal: the mean over its tables.

        Args:
            what: a description of the match, for `progress`.
            table: the options of the table.
            players: the players.
            shapes: for each table of a deal, the player at each seat.
        """
        game, last = self.protocol.found, len(players) - 1
        key = self.protocol.key_of(published_key(PUBLIC), table)
        settings = Settings(game.name, dict(table), lambda deal: seed_of(KEYED, deal, key), BUDGET)
        labels = [*(PLAYER, "partner")[:last], "reference"]
        found: list[float] = []
        while len(found) < self.deals:
            numbers = range(len(found), min(len(found) + AT_ONCE, self.deals))
            tables = [Table(deal, seats) for deal in numbers for seats in shapes]
            outcomes = play_tables(players, labels, tables, settings)
            gains = [_gain(each["points"], table.seats, last) for each, table in zip(outcomes, tables)]
            means = np.array(gains).reshape(len(numbers), len(shapes)).mean(1) * (-1 if game.low_wins else 1)
            found += [rounded(mean) for mean in means]
            if self.progress:
                self.progress(what, len(found), self.deals)
        return found

    def duel(self, table: Mapping[str, Any], one: Player, other: Player) -> list[float]:
        """The lead of one player over another, one number per deal."""
        options = TableOptions(game=self.protocol.game, **table)
        shapes = seatings(options.seats, options.plays_partners)
        return self.ahead(f"{one.name} at {table_text(self.protocol.game, table)}", table, [one, other], shapes)


def _gain(points: Sequence[float], seats: Sequence[int], last: int) -> float:
    """The mean points over the seats of all players except `last`, minus the mean over the seats of `last`."""
    theirs = [number for number, who in zip(points, seats) if who == last]
    ours = [number for number, who in zip(points, seats) if who != last]
    return sum(ours) / len(ours) - sum(theirs) / len(theirs)


# The rows of each kind ------------------------------------------------------------------------------------------------


def _transfer_rows(asking: _Asking) -> dict[str, Any]:
    """For each table: the lead of the player, and of `random`, over the reference."""
    least = asking.make(RANDOM)
    return {
        part: [
            {
                PLAYER: asking.duel(table, asking.player, asking.reference),
                RANDOM: asking.duel(table, least, asking.reference),
            }
            for table in tables
        ]
        for part, tables in (("training", asking.protocol.training), ("held_out", asking.protocol.held_out))
    }


def _partner_rows(asking: _Asking) -> dict[str, Any]:
    """The lead of the player and a partner over two reference players, for each partner.

    The partners are those of the protocol, and a copy of the player.
    """
    table = asking.protocol.table
    assert table is not None
    others = {name: asking.make(name) for name in asking.protocol.partners if name != asking.player.name}
    return {
        name: asking.ahead(f"with {name}", table, [asking.player, partner, asking.reference], _WITH_PARTNER)
        for name, partner in ({ITSELF: asking.player} | others).items()
    }


@functools.cache
def _endgame(game: str) -> Endgame:
    from banakil_env.games import find

    return Endgame(find(game), POSITIONS[game])


@functools.cache
def _solved(game: str) -> dict[str, Any]:
    """The small game and its solution by CFR+, which are the same in every answer."""
    endgame = _endgame(game)
    plans = {iterations: endgame.solve(iterations) for iterations in ITERATIONS}
    best = plans[ITERATIONS[-1]]
    value = endgame.worst_case(0, best[0]), -endgame.worst_case(1, best[1])
    return {
        "deals": len(endgame.deals),
        "nodes": endgame.nodes,
        "value": [rounded(each) for each in value],
        "cfr": {str(each): rounded(endgame.exploitability(plan)) for each, plan in plans.items()},
    }


def _solved_rows(asking: _Asking) -> dict[str, Any]:
    """The points of the player against its best response, in the first seat and in the second."""
    endgame = _endgame(asking.protocol.game)
    plans = endgame.plans_of(asking.player)
    worst = [rounded(endgame.worst_case(seat, plan)) for seat, plan in enumerate(plans)]
    return _solved(asking.protocol.game) | {"worst": worst}


def _cost_rows(asking: _Asking) -> dict[str, Any]:
    """The learning curve in the agent's folder, and the lead of the agent over `random`."""
    table, about = asking.protocol.table, getattr(asking.player, "about", {})
    assert table is not None
    own = TableOptions(game=asking.protocol.game, **table)
    learned = about.get("config", {}).get("table") if isinstance(about, Mapping) else None
    if learned != asdict(own):
        raise TaskError(
            f"{asking.protocol.name} asks an agent that `python -m train` has trained at the table "
            f"{table_text(own.game, table)} of {own.game}, net:FOLDER, not {asking.player.name:.80}"
        )
    return {"curve": _curve(asking.player.name, about), PLAYER: asking.duel(table, asking.player, asking.make(RANDOM))}


def _left_out_rows(asking: _Asking) -> dict[str, Any]:
    """The lead of `random`, and of each agent, over the reference, and the training of each agent.

    There is one agent for each number of decisions that it has learned from.

    Raises TaskError if an agent's file shows that it has learned from more decisions at the game than the row allows.
    """
    protocol, learned = asking.protocol, {}
    assert protocol.table is not None
    for decisions, agent in asking.agents.items():
        about = getattr(agent, "about", None)
        runs, whole = runs_of(about) if isinstance(about, Mapping) else ([], False)
        check_learned(runs, protocol.game, decisions, agent.name)
        learned[str(decisions)] = runs if whole else None
    ahead = {str(each): asking.duel(protocol.table, agent, asking.reference) for each, agent in asking.agents.items()}
    least = asking.duel(protocol.table, asking.make(RANDOM), asking.reference)
    return {"agents": ahead, RANDOM: least, "learned": learned}


def _curve(player: str, about: Mapping[str, Any]) -> list[list[float]]:
    """The learning curve: decisions, seconds and processor seconds at each point.

    Raises TaskError if there is no curve, or it belongs to another agent.
    """
    path = Path(player.partition(":")[2])
    path = (path if path.is_dir() else path.parent) / CURVE
    try:
        points = parse_json(read_within(path, MOST_BYTES).decode(), finite=False)
        curve = [[point["steps"], point["seconds"], point["cpu_seconds"]] for point in points]
        if not all(isinstance(number, (int, float)) for point in curve for number in point) or not curve[-1][2] > 0:
            raise ValueError("it says no seconds of the processor; this version's `python -m train` writes them")
        if about.get("last") not in (None, points[-1]):
            raise ValueError("it is the curve of another agent: its last point is not the one that the agent names")
    except (OSError, ValueError, TypeError, KeyError, IndexError) as error:
        raise TaskError(f"the cost of the training of {player:.80} cannot be read from {path}: {error}") from None
    return curve


_ROWS: Mapping[str, Callable[[_Asking], dict[str, Any]]] = {
    TRANSFER: _transfer_rows,
    PARTNERS: _partner_rows,
    SOLVED: _solved_rows,
    COST: _cost_rows,
    LEFT_OUT: _left_out_rows,
}
