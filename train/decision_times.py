"""Measures the time per decision of rule-based players and of agents without an adviser, with many tables per call.

    python -m train.decision_times                 # all games, written to docs/decision-times.json
    python -m train.decision_times --game gin
    python -m train.decision_times --players alone   # only agents without an adviser

The positions are those of the player's own games at every standing table, spread over whole rounds. Only decisions with
a choice count. Each set of positions is decided several times, and the fastest pass counts: processor time of one core,
with as little influence of other programs as possible. Agents are timed at the table that they were trained for.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from banakil_env.agents import make_player
from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game, Table
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find
from train.ladder import ALONE, folder_of

FILE = Path(__file__).resolve().parents[1] / "docs" / "decision-times.json"
RULES = "rules"  # the rule-based players
TABLES, SNAPSHOTS, STEPS, PASSES = 256, 8, 25, 7


def measure(game: Game, decide: Player, at: Sequence[Table] = (), seed: int = 0) -> float:
    """The mean time of a decision in microseconds, over positions of some standing tables.

    Args:
        game: the game.
        decide: a deterministic player.
        at: the tables; empty for all standing tables.
        seed: the seed of the deals.
    """
    dice = np.zeros(TABLES, np.uint64)
    best, decisions = 0.0, 0
    for table in at or game.tables:
        tables = Tables(TABLES, game=game, **table.options)
        tables.reset(seed)
        for _ in range(SNAPSHOTS):
            for _ in range(STEPS):
                tables.step(decide.act(tables.observations, tables.masks, dice))
            choices = np.count_nonzero(tables.masks, axis=1) > 1
            rows = tables.observations[choices], tables.masks[choices], dice[choices]
            passes = []
            for _ in range(PASSES):
                begun = time.process_time()
                decide.act(*rows)
                passes.append(time.process_time() - begun)
            best += min(passes)
            decisions += int(choices.sum())
    return 1e6 * best / decisions


def times(game: Game, players: Sequence[str]) -> dict[str, float]:
    """The times of the rule-based players and of the agents without an adviser, by player or folder of the zoo."""
    found: dict[str, float] = {}
    if RULES in players:
        found |= {name: measure(game, CompiledPlayer(name, game)) for name in game.settled_players}
    if ALONE in players:
        for table in game.tables:
            folder = folder_of(table.name, ALONE)
            if folder is not None:
                found[folder.name] = measure(game, make_player(f"ppo:{folder}", game), [table])
    return {name: round(microseconds, 2) for name, microseconds in found.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m train.decision_times", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--players", nargs="+", choices=[RULES, ALONE], default=[RULES, ALONE])
    parser.add_argument("--out", type=Path, default=FILE, help="the file of figures")
    options = parser.parse_args(arguments)
    kept = json.loads(options.out.read_text(encoding="utf-8")) if options.out.is_file() else {}
    for name in GAMES if options.game == "all" else [options.game]:
        game = find(name)
        kept[name] = kept.get(name, {}) | times(game, options.players)
        print(f"{name}: " + ", ".join(f"{player} {each:.2f} µs" for player, each in kept[name].items()), flush=True)
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in GAMES if name in kept]
    write_whole(options.out, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
