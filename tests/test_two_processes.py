"""Is a game the same wherever it is played? One seed in two processes, with and without compiler, gives equal bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

# Plays by the environment with a generator of its own; prints a line a move: the state's checksum.
PLAY = """
import random, sys, zlib
import numpy as np
from banakil_env.envs.aec import env

seed, moves, options = int(sys.argv[1]), int(sys.argv[2]), eval(sys.argv[3])
game, rng = env(observation="record", **options), random.Random(seed)
game.reset(seed=seed)
for _ in range(moves):
    observation, reward, *ended, info = game.last()
    seen = observation["observation"].tobytes() + observation["action_mask"].tobytes()
    print(game.agent_selection, zlib.crc32(game.unwrapped.position.tobytes()), zlib.crc32(seen), reward)
    if ended[0] or ended[1]:
        game.reset()
        continue
    legal = np.flatnonzero(observation["action_mask"])
    plays = legal[(legal > 70) & (legal < 711)]
    game.step(int(rng.choice(plays if len(plays) and rng.random() < 0.8 else legal)))
"""


def lines_of_play(seed: int, moves: int, options: dict[str, object], **settings: str) -> list[str]:
    command = [sys.executable, "-c", PLAY, str(seed), str(moves), repr(options)]
    run = subprocess.run(command, cwd=REPOSITORY, env={**os.environ, **settings}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize(
    "options",
    [{}, {"num_players": 3, "rules": "gamefarm"}, {"num_players": 4, "rules": "jawaker", "episode": "match"}],
    ids=str,
)
def test_one_seed_is_one_game_in_two_processes(options: dict[str, object]) -> None:
    first = lines_of_play(5, 2_000, options, PYTHONHASHSEED="1")
    second = lines_of_play(5, 2_000, options, PYTHONHASHSEED="2")
    assert len(first) == 2_000
    assert first == second


def test_another_seed_is_another_game() -> None:
    assert lines_of_play(5, 100, {}) != lines_of_play(6, 100, {})


def test_the_interpreter_plays_as_the_compiler_does(long: bool) -> None:
    """State by state and observation by observation: in the interpreter, narrow fields could overflow."""
    for number, options in enumerate(
        (
            {"num_players": 4, "rules": "jawaker", "episode": "match", "max_turns": 60},
            {"num_players": 2, "rules": "pagat cutter_takes_wilds=yes"},
            {"num_players": 3, "rules": "gamefarm"},
        )
    ):
        moves = 20_000 if long else 1_000
        compiled = lines_of_play(number, moves, options)
        plain = lines_of_play(number, moves, options, NUMBA_DISABLE_JIT="1")
        assert plain == compiled
