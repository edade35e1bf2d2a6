"""Recorded games that must replay to the same end; a person can follow them line by line.

To record them again after a change of behaviour (which raises the version of the game), in the folder `tests`:
python -m kalooki.test_kalooki_golden
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import kalooki

GAMES = Path(__file__).parent / "golden"
GREEDY, MIXED = ("greedy",), ("greedy", "random")
RECORDED = {
    "contract-2": ("Threes and a four; calls, allowed and refused (K2.5).", {"rules": "contract=2"}, 181, GREEDY),
    "contract-7-swap": ("Jokers move (K6.3).", {"num_players": 4, "rules": "contract=7"}, 28, GREEDY),
    "bent": ("Out with the first melds (K7.3).", {"rules": "super"}, 98, GREEDY),
    "exhausted": ("The stock is renewed, and runs out (K2.8).", {"num_players": 5, "rules": "contract=9"}, 14, MIXED),
    "turns": ("Out of turns, unscored (K7.4).", {"rules": "contract=9 max_turns=9"}, 1, MIXED),
    "match-4": ("A match for four, nine contracts (K9).", {"num_players": 4, "episode": "match"}, 1, GREEDY),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    state = kalooki.replay(text)
    assert kalooki.is_over(state)
    assert text == recorded(kalooki.GAME, *RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(kalooki.GAME, *how), encoding="utf-8")
