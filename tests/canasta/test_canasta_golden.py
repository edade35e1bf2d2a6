"""Recorded games that must replay to the same end; a person can follow them line by line.

To record them again after a change of behaviour (which raises the version of the game): python test_canasta_golden.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.games import canasta

GAMES = Path(__file__).parent / "golden"
FOUR, TWO = {"num_players": 4}, {"num_players": 2}
RECORDED = {
    "denexa-4": ("Partners, and a question (C7.4).", FOUR, 0, ("greedy",)),
    "denexa-4-random": ("Greedy against random.", FOUR, 0, ("greedy", "random")),
    "classic-4": ("The usual laws (C10.2).", {**FOUR, "rules": "classic"}, 0, ("greedy",)),
    "denexa-2": ("Two players draw two cards (C10.1).", TWO, 0, ("greedy",)),
    "denexa-2-random": ("The stock runs out (C8).", {**TWO, "rules": "denexa canastas=3"}, 0, ("random",)),
    "denexa-4-match": (
        "Rounds to 1500 points (C9).",
        {**FOUR, "rules": "target=1500", "episode": "match"},
        0,
        ("greedy",),
    ),
}


def record(note, options, seed, players):
    """A game between compiled players, seat by seat."""
    state = canasta.new(seed=seed, **options)
    recorder, dice = canasta.Recorder(state, seed=seed), np.zeros(1, GENERATOR)
    observation, mask = np.zeros(1, canasta.OBSERVATION), np.zeros(len(canasta.GAME.actions), np.int8)
    while not canasta.is_over(state):
        seat = canasta.seat_to_move(state)
        kernels_of(canasta.GAME).observe_one(np.asarray(state).reshape(1), seat, observation, mask)
        action = canasta.GAME.players[players[seat % len(players)]](observation[0], mask, dice[0])
        recorder.note(state, action)
        canasta.apply(state, action)
    return f"# {note}\n{recorder.text(state)}"


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    state = canasta.replay(text)
    assert canasta.is_over(state)
    assert text == record(*RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(record(*how), encoding="utf-8")
