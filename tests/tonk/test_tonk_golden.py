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
    "denexa-2": ("A round.", {"num_players": 2}, 1, GREEDY),
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
