"""Recorded games that must replay to the same end; a person can follow them line by line.

To record them again after a change of behaviour (which raises the version of the game), in the folder `tests`:
python -m contract_rummy.test_contract_rummy_golden
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import contract as contract_rummy

GAMES = Path(__file__).parent / "golden"
GREEDY, MIXED = ("greedy",), ("greedy", "random")
RECORDED = {
    "contract-2-calls": ("A set and a run, and calls (N2.4).", {"num_players": 3, "rules": "contract=2"}, 5, GREEDY),
    "contract-6-swap": ("Jokers are exchanged (N6.3).", {"num_players": 4, "rules": "contract=6"}, 109, GREEDY),
    "contract-7": ("Three runs laid down whole (N7).", {"num_players": 3, "rules": "contract=7 calls=0"}, 1, GREEDY),
    "exhausted": ("No card is left to draw (N2.7).", {"num_players": 4, "rules": "contract=5"}, 1, ("random",)),
    "turns": ("Out of turns, unscored (N8.3).", {"num_players": 3, "rules": "calls=0 max_turns=9"}, 1, MIXED),
    "match-5": ("A match for five (N9).", {"num_players": 5, "episode": "match"}, 1, ("greedy", "greedy", "random")),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    state = contract_rummy.replay(text)
    assert contract_rummy.is_over(state)
    assert text == recorded(contract_rummy.GAME, *RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(contract_rummy.GAME, *how), encoding="utf-8")
