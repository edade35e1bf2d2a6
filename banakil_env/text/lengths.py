"""Measures the texts of a game, at tables of a rule-based player: their length, and the time to write them.

    python -m banakil_env.text.lengths docs/text-lengths.json

writes the figures of every game to a file, from which the table in docs/language-models.md is made.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.game import Game
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.text.rules import rules_text_of
from banakil_env.text.seat import seat_text

GAMES_PLAYED, MOST_MOVES, EVERY = 3, 300, 3
TIMES = 5  # repetitions of writing a text; the fastest counts, since other programs can only make it slower

# Matches a word, up to three digits, or signs; also the space before a number, which tokenizers count as a token.
_PIECES = re.compile(r"[A-Za-z]+|\d{1,3}|[^\sA-Za-z\d]+|\n+|[ ](?=\d)")


def token_estimate(text: str) -> int:
    """An estimate of the number of tokens of a text.

    On the texts of this package the estimate is 0 to 6 per cent below the count of the encoding `o200k_base`.
    """
    return len(_PIECES.findall(text))


def lengths(game: Game, player: str = "greedy") -> dict[str, Any]:
    """The length of the texts of a game in tokens, and the time to write them.

    Returns:
        rules: the tokens of the rules.
        turn: the mean and the largest number of tokens of the text of a decision, without its legal moves.
        turn with moves: the same with its legal moves.
        microseconds: the mean time to write the text of a decision without and with its legal moves.
    """
    plain, sitting = Plain(game), CompiledPlayer(player, game)
    told: dict[str, list[int]] = {"none": [], "all": []}
    taken: dict[str, list[float]] = {"none": [], "all": []}
    rules = 0
    for seed in range(GAMES_PLAYED):
        state = plain.new(**game.tables[0].options, seed=seed)
        rules = token_estimate(rules_text_of(game, state))
        for number in range(MOST_MOVES):
            seat = plain.seat_to_move(state)
            if seat is None:
                break
            if number % EVERY == 0:
                for moves, counts in told.items():
                    counts.append(token_estimate(seat_text(game, state, seat, moves=moves)))
                    taken[moves].append(_microseconds(game, state, seat, moves))
            seen = plain.observe(state, seat)
            plain.apply(state, _choose(sitting, seen, dice=1000 * seed + number))
    return {
        "rules": rules,
        "turn": [round(statistics.mean(told["none"])), max(told["none"])],
        "turn with moves": [round(statistics.mean(told["all"])), max(told["all"])],
        "microseconds": [round(statistics.mean(taken[moves])) for moves in ("none", "all")],
    }


def _microseconds(game: Game, state: Any, seat: int, moves: str) -> float:
    """The shortest time to write the text of a decision, in microseconds."""
    times = []
    for _ in range(TIMES):
        begun = time.perf_counter_ns()
        seat_text(game, state, seat, moves=moves)
        times.append(time.perf_counter_ns() - begun)
    return min(times) / 1000


def _choose(player: CompiledPlayer, seen: dict[str, Any], dice: int) -> int:
    rows = seen["observation"][None], seen["action_mask"][None]
    return int(player.act(*rows, np.array([dice], np.uint64))[0])


def main() -> None:
    """Run the command: measure every game, and write a JSON file."""
    parser = argparse.ArgumentParser(description="Count the tokens of the texts of every game.")
    parser.add_argument("file", type=Path, help="a JSON file to write, such as docs/text-lengths.json")
    file = parser.parse_args().file
    found = {name: lengths(find(name)) for name in GAMES}
    file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
