"""The program of `make demo`: trains a small agent for a few minutes, lets it play, and shows what it has learned.

First MaskablePPO of Stable-Baselines3 learns two-player Banakil from random weights for a minute, for comparison. Then
the project's own trainer makes an agent in three minutes: the agent gets the move of the strongest rule-based player as
input, and learns where another move gains more. It plays every rule-based player on duplicate deals that training never
saw, and the folder `demo/` gets the learning curve, the results, the agent and one game to read.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from banakil_env import arena
from banakil_env.agents.model import Network
from banakil_env.agents.network import FILE as AGENT_FILE
from banakil_env.agents.network import NetworkPlayer
from banakil_env.arena import tables
from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.arena.report import as_dict
from banakil_env.arena.statistics import Interval
from banakil_env.core.files import write_whole
from banakil_env.kit.records import replay
from banakil_env.render.text import table as table_text
from train.begin import make_run
from train.config import Config, with_
from train.curve import AGENT, DEALS_AT_ONCE, match
from train.progress import Display
from train.recipes import recipe
from train.run import Run

DEALS = 500
GAMES = 9  # number of games; one of them is written to a file


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.demo", description="Train a small agent and let it play.")
    parser.add_argument("--out", default="demo", help="folder for what is written (default: demo)")
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)  # of each training, for tests
    parser.add_argument("--deals", type=int, default=DEALS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    first, second = recipe("demo-sb3"), recipe("demo-advised")
    if options.seconds is not None:
        changes = {"seconds": options.seconds, "evaluation.deals": min(options.deals, DEALS_AT_ONCE)}
        first, second = with_(first, changes), with_(second, changes)
    demo(first, second, Path(options.out), options.deals, Console(width=None if sys.stdout.isatty() else 100))
    return 0


def demo(first: Config, second: Config, folder: Path, deals: int, console: Console) -> dict[str, arena.Results]:
    """Train twice, let the second agent play, show and write; its match against each rule-based player."""
    begun = time.monotonic()
    console.print(
        f"MaskablePPO of Stable-Baselines3 learns two-player Banakil from nothing, {_what(first)}. It is rewarded at "
        f"the end of a round only, with the points that it is ahead.\n",
        highlight=False,
    )
    _train(first, folder / "sb3", console)
    console.print(
        f"\nThe project's own trainer, AggreVaTe: at every decision the agent is told what {second.trials.player} "
        f"would do, and learns by trying others where another move brings more, {_what(second)}.\n",
        highlight=False,
    )
    run = _train(second, folder, console)
    console.print(
        f"\nNow that agent plays the rule-based players on {deals} held-out deals each, every deal from both seats.\n",
        highlight=False,
    )
    strongest_first = list(second.game.players)[::-1]
    matches = {name: _match(run.agent, name, second, deals, console) for name in strongest_first}
    console.print(_table(matches))
    for name, results in matches.items():
        console.print(_verdict(name, results.margin(AGENT, name)), highlight=False)
    write_whole(folder / "results.json", _results_json(run.progress, second, matches).encode())
    hardest = min(matches, key=lambda name: matches[name].margin(AGENT, name).mean)
    write_whole(folder / "game.txt", _game(run.agent, hardest, second).encode())
    console.print(_written(folder, second, hardest, time.monotonic() - begun), highlight=False)
    return matches


def _train(config: Config, folder: Path, console: Console) -> Run:
    run = make_run(config, folder)
    progress = run.train(Display(config, sys.stdout))
    rate = progress.steps / progress.seconds
    console.print(
        f"\nIt has made {progress.steps:,} decisions in {progress.seconds / 60:.1f} minutes, {rate:,.0f} a second.",
        highlight=False,
    )
    return run


def _what(config: Config) -> str:
    """The configuration: the table, the opponents, the network and the time."""
    names = {"self": "itself", "past": "its past selves"}
    opponents = ", ".join(names.get(name, name) for name in dict.fromkeys(config.pool.players))
    shape = " x ".join(map(str, config.network.hidden))
    return (
        f"{config.rollout.tables} tables at a time, opponents: {opponents}; a network of {shape}, "
        f"{(config.seconds or 0) / 60:.1f} minutes"
    )


def _match(network: Network, opponent: str, config: Config, deals: int, console: Console) -> arena.Results:
    """The agent against one rule-based player, on deals that neither training nor its evaluations saw."""
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"against {opponent}", total=deals)
        return match(network, opponent, config, deals, "arena-v1", lambda played: bar.update(task, completed=played))


def _table(matches: dict[str, arena.Results]) -> Table:
    table = Table(title="The agent against the rule-based players", title_justify="left")
    table.add_column("against")
    for head in ("points a deal ahead (95 %)", "tables won", "went out", "deals"):
        table.add_column(head, justify="right")
    for name, results in matches.items():
        table.add_row(
            name,
            str(results.margin(AGENT, name)),
            f"{results.win(AGENT, name).mean:.1%}",
            f"{results.player(AGENT)['out'].mean:.1%}",
            str(len(results.deals)),
        )
    return table


def _verdict(name: str, margin: Interval) -> str:
    """The agent's result against a player, in words that the interval supports."""
    span = f"{abs(margin.mean):.1f} points a deal (95 % interval {margin.low:+z.1f} to {margin.high:+z.1f})"
    if margin.low > 0:
        return f"It beats {name}, by {span}."
    if margin.high < 0:
        return f"It loses to {name}, by {span}."
    return f"It is neither ahead of {name} nor behind, as far as {margin.deals} deals tell: {margin} points a deal."


def _results_json(progress: Any, config: Config, matches: dict[str, arena.Results]) -> str:
    said = {
        "config": dataclasses.asdict(config),
        "steps": progress.steps,
        "seconds": round(progress.seconds, 1),
        "matches": {name: as_dict(results) for name, results in matches.items()},
    }
    return json.dumps(said, indent=2) + "\n"


def _game(network: Network, opponent: str, config: Config) -> str:
    """One game as a record that can be replayed, with the players and the final table as comments."""
    plan = arena.Plan((AGENT, opponent), **dataclasses.asdict(config.table), deals=GAMES, budget=None)
    players: list[Player] = [NetworkPlayer(network, AGENT), CompiledPlayer(opponent, config.game)]
    seats = (0, *[1] * (config.table.seats - 1))
    chosen = [tables.Table(deal, seats) for deal in range(GAMES)]
    outcomes = tables.play_tables(players, plan.players, chosen, plan.settings(record=True))
    outcome = sorted(outcomes, key=lambda one: one["turns"])[GAMES // 2]
    record: str = outcome["record"]
    game, header = record.split("\n", 1)
    last = table_text(config.game, replay(config.game, record)[0])
    return "\n".join(
        [
            f"# Of {GAMES} held-out deals the one of middling length.",
            f"# `banakil_env.games.{config.game.name}.replay` plays this file.",
            f"# Seat 0 is the agent, the other is {opponent}.",
            game,
            header.rstrip(),
            "",
            "# The last table:",
            *[f"#   {line}".rstrip() for line in last.splitlines()],
            "",
        ]
    )


def _written(folder: Path, config: Config, opponent: str, seconds: float) -> str:
    return (
        f"\nWritten to {folder}/ after {seconds / 60:.1f} minutes:\n"
        f"  curve.png      the learning curve\n"
        f"  results.json   the matches, and the configuration that they came from\n"
        f"  game.txt       a game against {opponent}, to read\n"
        f"  {AGENT_FILE}  the agent: .venv/bin/{config.table.match_command(f'ppo:{folder}', 'greedy')}"
    )


if __name__ == "__main__":
    sys.exit(main())
