"""Recorded games that must replay to the same end; a person can follow them line by line.

To record the games again after a change of behaviour, which raises the version of the game:
`python tests/rummy/test_rummy_golden.py`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.games import rummy

GAMES = Path(__file__).parent / "golden"
RECORDED = {
    "denexa-2-rummy": ("Both hold back, and seat 1 goes rummy (R7).", {"num_players": 2}, 2, ("greedy",)),
    "denexa-4": ("One seat plays at random.", {"num_players": 4}, 5, ("greedy", "random", "greedy", "greedy")),
    "denexa-2-out": ("Out, having melded before (R8.1).", {"num_players": 2}, 11, ("random",)),
    "denexa-2-choose": ("A card with two places (R5.3).", {"num_players": 2}, 4, ("greedy", "random")),
    "free-3": ("Several melds in a turn (R5.1).", {"num_players": 3, "rules": "free"}, 3, ("greedy",)),
    "memory-2": (
        "The pile is turned over (R3.4), and what is drawn then is known (R3.5).",
        {"num_players": 2, "rules": "memory max_turns=90"},
        0,
        ("random",),
    ),
    "block-2": ("The stock runs out (R8.2).", {"num_players": 2, "rules": "block"}, 1, ("random",)),
    "denexa-2-match": ("Rounds to 100 points (R10).", {"num_players": 2, "episode": "match"}, 4, ("greedy",)),
}


def record(note, options, seed, players):
    """A game between compiled players, seat by seat."""
    state = rummy.new(seed=seed, **options)
    recorder, dice = rummy.Recorder(state, seed=seed), np.zeros(1, GENERATOR)
    observation, mask = np.zeros(1, rummy.OBSERVATION), np.zeros(len(rummy.GAME.actions), np.int8)
    while not rummy.is_over(state):
        seat = rummy.seat_to_move(state)
        kernels_of(rummy.GAME).observe_one(np.asarray(state).reshape(1), seat, observation, mask)
        action = rummy.GAME.players[players[seat % len(players)]](observation[0], mask, dice[0])
        recorder.note(state, action)
        rummy.apply(state, action)
    return f"# {note}\n{recorder.text(state)}"


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    state = rummy.replay(text)
    assert rummy.is_over(state)
    assert text == record(*RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(record(*how), encoding="utf-8")
