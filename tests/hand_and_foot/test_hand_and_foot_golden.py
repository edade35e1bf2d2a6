"""Recorded games that must replay to the same end; a person can follow them line by line.

To record them again after a change of behaviour (which raises the version of the game), from the folder tests/:
PYTHONPATH=. python hand_and_foot/test_hand_and_foot_golden.py
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import hand_and_foot

GAMES = Path(__file__).parent / "golden"
RECORDED = {
    "denexa": ("Partners ask before they go out (HF8.3).", {}, 0, ("greedy",)),
    "denexa-random": ("Greedy against random.", {}, 1, ("greedy", "random")),
    "short": ("Nobody asks, and one clean pile is enough (HF11).", {"rules": "piles=1/0/0 ask=no"}, 2, ("greedy",)),
    "match": ("Four rounds (HF10.3).", {"episode": "match", "rules": "piles=1/1/0"}, 0, ("greedy",)),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    assert hand_and_foot.is_over(hand_and_foot.replay(text))
    assert text == recorded(hand_and_foot.GAME, *RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(hand_and_foot.GAME, *how), encoding="utf-8")
