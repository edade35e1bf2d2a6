"""Recorded games that must replay to the same end; a person can follow them line by line.

To record them again after a change of behaviour (which raises the version of the game):
`PYTHONPATH=.:tests python tests/hand/test_hand_golden.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import hand

GAMES = Path(__file__).parent / "golden"
PARTNERS = {"num_players": 4, "partners": True}
RECORDED = {
    "pagat-2": ("First melds of 51 points, additions, and out (H5, H6).", {"num_players": 2}, 3, ("greedy",)),
    "pagat-3-random": ("A new deal is demanded (H2.6).", {"num_players": 3}, 25, ("greedy", "random", "greedy")),
    "pagat-4-partners": ("Partners; cards are taken and exchanged (H6.4, H7).", PARTNERS, 33, ("greedy",)),
    "egypt-4-partners-random": ("The stock runs out (H8.3).", {**PARTNERS, "rules": "egypt"}, 4, ("random",)),
    "jokers-2": ("No indicator (H11).", {"num_players": 2, "rules": "jokers"}, 2, ("greedy",)),
    "loose-3-random": ("Taken to add (H11).", {"num_players": 3, "rules": "loose"}, 1, ("random", "greedy")),
    "strict-2-random": ("An exchanged wild card is laid at once (H11).", {"rules": "strict"}, 1, ("random", "greedy")),
    "pagat-4-partners-match": ("Seven rounds of partners (H10).", {**PARTNERS, "episode": "match"}, 2, ("greedy",)),
    "pagat-2-match": ("Two rounds (H10).", {"rules": "rounds=2", "episode": "match"}, 1, ("greedy", "random")),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    assert hand.is_over(hand.replay(text))
    note, options, seed, players = RECORDED[name]
    assert text == recorded(hand.GAME, note, options, seed, players)


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, (note, options, seed, players) in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(hand.GAME, note, options, seed, players), encoding="utf-8")
