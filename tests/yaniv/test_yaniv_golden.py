"""Recorded games that must replay to the same end; a person can follow them line by line.

To record them again after a change of behaviour (which raises the version of the game), in the folder `tests`:
python -m yaniv_engine.test_yaniv_golden
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import yaniv

GAMES = Path(__file__).parent / "golden"
GREEDY = ("greedy",)
RECORDED = {
    "denexa-2": ("A round with runs and sets (Y3).", {"num_players": 2}, 5, GREEDY),
    "denexa-3-asaf": ("The caller is beaten (Y4.2).", {"num_players": 3}, 109, GREEDY),
    "asaf-4": ("Two packs, and ends taken (Y1.2, Y2.4).", {"num_players": 4, "rules": "asaf"}, 58, GREEDY),
    "denexa-2-turns": ("Out of turns (Y7.2).", {"num_players": 2, "rules": "max_turns=12"}, 1, ("random",)),
    "denexa-3-match": (
        "Seats go out one by one (Y6.1).",
        {"num_players": 3, "rules": "target=20", "episode": "match"},
        70,
        ("greedy", "random", "greedy"),
    ),
    "denexa-5-match": ("Five play, until one is left (Y6.1).", {"num_players": 5, "episode": "match"}, 7, GREEDY),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    state = yaniv.replay(text)[0]
    assert yaniv.is_over(state)
    assert text == recorded(yaniv.GAME, *RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(yaniv.GAME, *how), encoding="utf-8")
