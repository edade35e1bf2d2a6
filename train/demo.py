"""The program of `make demo`: trains an agent from random weights for a few minutes, and shows what it learned.

The agent has no teacher: it plays every seat of a thousand tables itself (`train/ppo.py`). The program shows how far
the agent is ahead of the rule-based players during training, one decision before and after training, and at the end a
match against each of them on deals that training never used. The folder `demo/` receives the learning curve, the
results, the agent and one game to read.
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

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from banakil_env import arena
from banakil_env.agents.network import FILE as AGENT_FILE
from banakil_env.agents.network import NetworkPlayer
from banakil_env.arena import tables
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.arena.report import as_dict
from banakil_env.arena.statistics import Interval
from banakil_env.core.files import write_whole
from banakil_env.envs.vector import Tables
from banakil_env.kit.records import replay
from banakil_env.render.text import table as table_text
from train import ppo
from train.config import with_
from train.curve import AGENT, draw, match, points_of
from train.progress import Display
from train.recipes import learned_recipe

RECIPE = "canasta-2p-learned"  # recipe of the agent, which the demo trains for the available time
SECONDS = 240.0  # seconds of wall time of the training
EVALUATIONS = 10
DEALS = 500
GAMES = 9  # number of games; one of them is written to a file
DECISIONS_SHOWN = 40  # decisions of the trained agent from which the one that is shown is chosen
ACTIONS_SHOWN = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.demo", description="Train a small agent and let it play.")
    parser.add_argument("--out", default="demo", help="folder for what is written (default: demo)")
    # Length of the training, for tests.
    parser.add_argument("--seconds", type=float, default=SECONDS, help=argparse.SUPPRESS)
    parser.add_argument("--deals", type=int, default=DEALS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    changes = {"evaluations": EVALUATIONS, "deals": min(200, options.deals), "out": options.out}
    config = with_(learned_recipe(RECIPE), changes)
    demo(config, options.seconds, options.deals, Console(width=None if sys.stdout.isatty() else 100))
    return 0


def demo(config: ppo.Config, seconds: float, deals: int, console: Console) -> dict[str, arena.Results]:
    """Train an agent, show and write what it learned; returns its match against each rule-based player."""
    begun, folder = time.monotonic(), Path(config.out or "demo")
    title, shape = config.table.found.title, " x ".join(map(str, config.hidden))
    console.print(
        f"An agent learns {title} from nothing: a network of {shape}, random weights, {config.num_tables} tables at a "
        f"time, every seat its own. It sees which actions are legal, and gets its points at the end of a round; no "
        f"player teaches it. About {seconds / 60:.1f} minutes on one core.\n",
        highlight=False,
    )
    learner = ppo.Learner(config)
    first = NetworkPlayer(learner.average.agent(), AGENT)
    train(learner, seconds, folder)
    console.print(
        f"\nIt has made {learner.steps:,} decisions, {learner.steps / learner.seconds:,.0f} a second.\n",
        highlight=False,
    )
    last = NetworkPlayer(learner.average.agent(), AGENT)
    console.print(decision(config.table, first, last))
    console.print(
        f"\nNow the agent plays the rule-based players on {deals} held-out deals each, every deal from both seats.\n",
        highlight=False,
    )
    strongest_first = list(config.table.found.players)[::-1]
    matches = {name: _match(last, name, config.table, deals, console) for name in strongest_first}
    console.print(_table(matches))
    for name, results in matches.items():
        console.print(_verdict(name, results.margin(AGENT, name)), highlight=False)
    write_whole(folder / "results.json", _results_json(learner, matches).encode())
    hardest = min(matches, key=lambda name: matches[name].margin(AGENT, name).mean)
    write_whole(folder / "game.txt", _game(last, hardest, config.table).encode())
    console.print(_written(folder, config.table, hardest, time.monotonic() - begun), highlight=False)
    return matches


def train(learner: ppo.Learner, seconds: float, folder: Path) -> None:
    """Train for `seconds` of wall time, not counting evaluations.

    Show each evaluation, and write the agent and its curve.

    Learning rate and entropy bonus fall with the share of the run's decisions; their total is estimated from the speed
    so far.
    """
    config, spent = learner.config, 0.0
    with Display(f"learning {config.table.found.title}", sys.stdout) as display:
        while True:
            done = spent / seconds
            if len(learner.curve) <= done * config.evaluations:
                learner.curve.append(learner.evaluate())
                display.show(done, learner.steps, spent, points_of(learner.curve[-1:])[0])
            if done >= 1:
                break
            begun = time.monotonic(), time.process_time()
            learner.play()
            learner.update()
            spent += time.monotonic() - begun[0]
            learner.seconds += time.process_time() - begun[1]
            expected = max(round(learner.steps * seconds / spent), learner.steps)
            learner.config = dataclasses.replace(config, steps=expected)
            display.show(spent / seconds, learner.steps, spent, None)
    learner.save(folder)
    draw(points_of(learner.curve), folder / "curve.png", f"{config.table.found.title}, learned from nothing")


def decision(table: TableOptions, before: NetworkPlayer, after: NetworkPlayer) -> str:
    """A decision of the trained agent that the untrained one would have made differently: the table, and both policies.

    Among the first decisions with a choice against the strongest rule-based player, it is the one at which the policies
    differ most.
    """
    game = table.found
    one = Tables(1, game=game, opponents=game.strongest_player, seat=0, **table.options)
    one.reset(seed=0)
    best: tuple[float, str] = (-1.0, "")
    for _ in range(DECISIONS_SHOWN):
        chances = [player.explain(one.observations[0], one.masks[0], 0).probabilities for player in (before, after)]
        change = sum(abs(chances[1][action] - chances[0][action]) for action in chances[0])
        if len(chances[0]) > ACTIONS_SHOWN and change > best[0]:
            likeliest = sorted(chances[1], key=lambda action: -chances[1][action])[:ACTIONS_SHOWN]
            lines = [f"{game.actions[a].text:>24} {chances[0][a]:>9.1%} {chances[1][a]:>9.1%}" for a in likeliest]
            said = [table_text(game, one.states[0], int(one.seats[0])).rstrip(), ""]
            best = change, "\n".join([*said, f"{'likeliest actions':>24} {'before':>9} {'after':>9}", *lines])
        one.step(np.array([max(chances[1], key=lambda action: chances[1][action])]))
    return f"One decision, before and after:\n\n{best[1]}"


def _match(agent: NetworkPlayer, opponent: str, table: TableOptions, deals: int, console: Console) -> arena.Results:
    """Play a match of the agent against a rule-based player, on deals that neither training nor evaluations used."""
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"against {opponent}", total=deals)
        return match(agent, opponent, table, deals, "arena-v1", lambda played: bar.update(task, completed=played))


def _table(matches: dict[str, arena.Results]) -> Table:
    table = Table(title="The agent against the rule-based players", title_justify="left")
    table.add_column("against")
    for head in ("points per deal ahead (95 %)", "tables won", "went out", "deals"):
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
    """The agent's result against a player in words, as far as the interval supports them."""
    span = f"{abs(margin.mean):.1f} points per deal (95 % interval {margin.low:+z.1f} to {margin.high:+z.1f})"
    if margin.low > 0:
        return f"It beats {name}, by {span}."
    if margin.high < 0:
        return f"It loses to {name}, by {span}."
    return f"It is neither ahead of {name} nor behind, as far as {margin.deals} deals tell: {margin} points per deal."


def _results_json(learner: ppo.Learner, matches: dict[str, arena.Results]) -> str:
    said: dict[str, Any] = {
        "config": dataclasses.asdict(learner.config),
        "steps": learner.steps,
        "seconds": round(learner.seconds, 1),
        "matches": {name: as_dict(results) for name, results in matches.items()},
    }
    return json.dumps(said, indent=2) + "\n"


def _game(agent: NetworkPlayer, opponent: str, table: TableOptions) -> str:
    """One game as a record that can be replayed, with the players and the final table as comments."""
    plan = arena.Plan((AGENT, opponent), **dataclasses.asdict(table), deals=GAMES, budget=None)
    players: list[Player] = [agent, CompiledPlayer(opponent, table.found)]
    seats = (0, *[1] * (table.seats - 1))
    chosen = [tables.Table(deal, seats) for deal in range(GAMES)]
    outcomes = tables.play_tables(players, plan.players, chosen, plan.settings(record=True))
    outcome = sorted(outcomes, key=lambda one: one["turns"])[GAMES // 2]
    record: str = outcome["record"]
    game, header = record.split("\n", 1)
    last = table_text(table.found, replay(table.found, record)[0])
    return "\n".join(
        [
            f"# Of {GAMES} held-out deals the one of middling length.",
            f"# `banakil_env.games.{table.found.name}.replay` plays this file.",
            f"# Seat 0 is the agent, the other is {opponent}.",
            game,
            header.rstrip(),
            "",
            "# The last table:",
            *[f"#   {line}".rstrip() for line in last.splitlines()],
            "",
        ]
    )


def _written(folder: Path, table: TableOptions, opponent: str, seconds: float) -> str:
    return (
        f"\nWritten to {folder}/ after {seconds / 60:.1f} minutes:\n"
        f"  curve.png      the learning curve\n"
        f"  results.json   the matches, and the configuration that they came from\n"
        f"  game.txt       a game against {opponent}, to read\n"
        f"  {AGENT_FILE}  the agent: .venv/bin/{table.match_command(f'net:{folder}', 'greedy')}"
    )


if __name__ == "__main__":
    sys.exit(main())
