"""Measures the time of a rule-based player for a decision, for every game, on one core, with many tables in a call.

    python -m train.decision_times                 # all games, written to docs/decision-times.json
    python -m train.decision_times --game gin

The positions are those of the player's own games at every standing table, spread over whole rounds. Only decisions with
a choice count. Each set of positions is decided several times and the fastest pass is kept, the time on a processor
without other programs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find

FILE = Path(__file__).resolve().parents[1] / "docs" / "decision-times.json"
TABLES, SNAPSHOTS, STEPS, PASSES = 256, 8, 25, 7


def measure(game: Game, player: str, seed: int = 0) -> float:
    """The mean microseconds for a decision, over the positions of all standing tables.

    Args:
        player: a deterministic compiled player. seed: of the deals.
    """
    decide, dice = CompiledPlayer(player, game), np.zeros(TABLES, np.uint64)
    best, decisions = 0.0, 0
    for table in game.tables:
        tables = Tables(TABLES, game=game, **table.options)
        tables.reset(seed)
        for _ in range(SNAPSHOTS):
            for _ in range(STEPS):
                tables.step(decide.act(tables.observations, tables.masks, dice))
            choices = np.count_nonzero(tables.masks, axis=1) > 1
            rows = tables.observations[choices], tables.masks[choices], dice[choices]
            passes = []
            for _ in range(PASSES):
                begun = time.perf_counter()
                decide.act(*rows)
                passes.append(time.perf_counter() - begun)
            best += min(passes)
            decisions += int(choices.sum())
    return 1e6 * best / decisions


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m train.decision_times", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--out", type=Path, default=FILE, help="the file of figures")
    options = parser.parse_args(arguments)
    kept = json.loads(options.out.read_text(encoding="utf-8")) if options.out.is_file() else {}
    for name in GAMES if options.game == "all" else [options.game]:
        game = find(name)
        kept[name] = {player: round(measure(game, player), 2) for player in game.settled_players}
        print(f"{name}: " + ", ".join(f"{player} {each:.2f} µs" for player, each in kept[name].items()), flush=True)
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in GAMES if name in kept]
    write_whole(options.out, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
