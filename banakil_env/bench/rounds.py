"""Measures the length and the points of rounds, for the choice of horizons and reward scales.

    python -m banakil_env.bench.rounds docs/rounds.json

measures every table of every game, with one rule-based player at all seats. The figures are the same on every machine:
they depend on the rules, the players and the seeds 0 to ROUNDS - 1.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.batch import draw_dice
from banakil_env.core.game import Game, Table
from banakil_env.core.kernels import GENERATOR
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find

ROUNDS = 1000
PLAYERS = ("random", "greedy")


def measure(game: Game, table: Table, player: str, rounds: int = ROUNDS) -> dict[str, float]:
    """Play the first round of each seed, with one player at all seats.

    Returns:
        decisions: the mean number of decisions of all seats in a round.
        longest: the largest number of decisions.
        paid: the share of the rounds in which some seat gets a `margin` other than 0.
        size: the mean of the absolute `margin` of a seat in those rounds, in points.
        largest: the largest absolute `margin`.
        truncated: the share of the rounds that ended by the limit on turns.
    """
    tables = Tables(rounds, game=game, autoreset="Disabled", illegal="report", truncate_at_limit=True, **table.options)
    tables.reset(seed=list(range(rounds)))
    mover, truncated = CompiledPlayer(player, game), np.zeros(rounds, np.bool_)
    generators, dice = np.zeros(rounds, GENERATOR), np.zeros(rounds, np.uint64)
    generators["rng"] = np.arange(rounds)
    actions = np.zeros(rounds, np.int64)
    while len(playing := np.flatnonzero(tables.seats >= 0)):
        draw_dice(generators, np.arange(rounds), dice)
        actions[playing] = mover.act(tables.observations[playing], tables.masks[playing], dice[playing])
        tables.step(actions)  # rows whose round is over report an illegal action and stay as they are
        truncated |= tables.truncations
    lengths = tables.controls["length"]
    margins = np.abs(tables.controls["returns"][:, : tables.num_seats])
    paid = margins.any(axis=1)
    return {
        "decisions": round(float(lengths.mean()), 1),
        "longest": int(lengths.max()),
        "paid": round(float(paid.mean()), 3),
        "size": round(float(margins[paid].mean()), 1) if paid.any() else 0.0,
        "largest": round(float(margins.max()), 1),
        "truncated": round(float(truncated.mean()), 3),
    }


def measure_all(rounds: int = ROUNDS) -> Mapping[str, Any]:
    """The figures of `measure` for every table of every game, by game, table and player."""
    return {
        name: {
            table.name: {player: measure(find(name), table, player, rounds) for player in PLAYERS}
            for table in find(name).tables
        }
        for name in GAMES
    }


def main() -> None:
    """Run the command: measure every table, and write a JSON file."""
    parser = argparse.ArgumentParser(description="Measure the length and the rewards of a round of every game.")
    parser.add_argument("file", type=Path, help="a JSON file to write, such as docs/rounds.json")
    file = parser.parse_args().file
    file.write_text(json.dumps(measure_all(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
