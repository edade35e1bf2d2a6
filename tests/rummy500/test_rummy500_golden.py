"""Recorded games that must replay to the same end; a person can follow them line by line.

To record the games again after a change of behaviour, which raises the version of the game:
`PYTHONPATH=.:tests python tests/rummy500/test_rummy500_golden.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import rummy500

GAMES = Path(__file__).parent / "golden"
RECORDED = {
    "denexa-2": ("Cards of the pile are taken at any depth (F3.2).", {"num_players": 2}, 1, ("greedy",)),
    "denexa-3": ("Calls for a rummy, by a player at random too (F7).", {"num_players": 3}, 5, ("greedy", "random")),
    "denexa-4-stock": ("The last card of the stock is drawn (F8.2).", {"num_players": 4}, 7, ("greedy",)),
    "turn-3": ("That turn is finished.", {"num_players": 3, "rules": "turn"}, 77, ("greedy", "random")),
    "plain-4": ("One pack without Jokers, no calls.", {"num_players": 4, "rules": "plain"}, 2, ("greedy", "random")),
    "denexa-8": ("Eight seats, two packs (F1.1).", {"num_players": 8}, 3, ("greedy",)),
    "denexa-6-match": ("A match for six, to 500 points (F10).", {"num_players": 6, "episode": "match"}, 6, ("greedy",)),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    assert rummy500.is_over(rummy500.replay(text))
    assert text == recorded(rummy500.GAME, *RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(rummy500.GAME, *how), encoding="utf-8")
