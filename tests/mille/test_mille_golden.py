"""Recorded games that must replay to the same end; a person can follow them line by line.

To record them again after a change of behaviour (which raises the version of the game), in the folder `tests`:
python -m mille.test_mille_golden
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import recorded

from banakil_env.games import mille

GAMES = Path(__file__).parent / "golden"
GREEDY = ("greedy",)
RECORDED = {
    "denexa": ("A round between two careful players (M3).", {}, 1, GREEDY),
    "denexa-random": ("Wild Twos, and a chapeau (M6.3, M6.4).", {}, 2, ("greedy", "random")),
    "out-only": ("Only who goes out can have a clean natural (M6.3).", {"rules": "clean=out"}, 3, GREEDY),
    "turns": ("Out of turns (M9.1).", {"rules": "max_turns=6"}, 4, ("random",)),
    "match": ("Rounds to 600 points, and a payment (M7).", {"rules": "target=600", "episode": "match"}, 5, GREEDY),
}


@pytest.mark.parametrize("name", RECORDED)
def test_golden(name):
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    state = mille.replay(text)
    assert mille.is_over(state)
    assert text == recorded(mille.GAME, *RECORDED[name])


if __name__ == "__main__":
    GAMES.mkdir(exist_ok=True)
    for name, how in RECORDED.items():
        (GAMES / f"{name}.txt").write_text(recorded(mille.GAME, *how), encoding="utf-8")
