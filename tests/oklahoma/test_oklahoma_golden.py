"""Recorded games that must replay to the same end; a person can follow them line by line.

To record the games again after a change of behaviour, which raises the version of the game:
`PYTHONPATH=.:tests python tests/oklahoma/test_oklahoma_golden.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import oklahoma

GAMES = Path(__file__).parent / "golden"
STRICT = {"num_players": 3, "rules": "strict"}
RECORDED = {
    "denexa-2": ("Piles are taken, and Twos used (O3, O5).", {"num_players": 2}, 1, ("greedy",)),
    "strict-3": ("Sets of different suits; an empty stock ends the round (O4.2, O8.2).", STRICT, 2, ("random",)),
    "denexa-8": ("Eight seats with eleven cards (O2.1).", {"num_players": 8}, 3, ("greedy", "random")),
    "denexa-2-turns": ("Out of turns (O8.3).", {"num_players": 2, "rules": "max_turns=12"}, 1, ("random",)),
    "denexa-4-match": (
        "A match for four, to 300 points (O10).",
        {"num_players": 4, "rules": "target=300", "episode": "match"},
        6,
        ("greedy",),
    ),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    assert oklahoma.is_over(oklahoma.replay(text))
    assert text == recorded(oklahoma.GAME, *RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(oklahoma.GAME, *how), encoding="utf-8")
