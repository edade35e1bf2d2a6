"""Recorded games that must replay to the same end; a person can follow them line by line.

To record the games again after a change of behaviour, which raises the version of the game:
`python tests/tonk/test_tonk_golden.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import tonk

GAMES = Path(__file__).parent / "golden"
GREEDY = ("greedy",)
RECORDED = {
    "denexa-4-tonked": ("Tonked out in the first turn (T8.1).", {"num_players": 4}, 831, GREEDY),
    "gin-3-out": ("Hits, and run out (T5.1, T9.1).", {"num_players": 3, "rules": "gin"}, 1322, GREEDY),
    "denexa-4-choose": ("A card that fits two spreads (T5.2), and a drop.", {"num_players": 4}, 1473, GREEDY),
    "denexa-4-call": ("Seat 1 slaps a discard (T6.4).", {"num_players": 4}, 132, GREEDY),
    "denexa-3-caught": ("A seat drops and is caught (T9.5).", {"num_players": 3}, 122, GREEDY),
    "denexa-3-tonk": ("A dealt tonk (T2.4).", {"num_players": 3}, 54, GREEDY),
    "denexa-4-draw": (
        "Two dealt tonks (T2.5).",
        {"num_players": 4, "rules": "low_tonk=15 high_tonk=49"},
        5339,
        GREEDY,
    ),
    "denexa-2-match": (
        "A match of three rounds (T10).",
        {"num_players": 2, "rules": "deals=3", "episode": "match"},
        3,
        ("greedy", "random"),
    ),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    state = tonk.replay(text)[0]
    assert tonk.is_over(state)
    assert text == recorded(tonk.GAME, *RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(tonk.GAME, *how), encoding="utf-8")
