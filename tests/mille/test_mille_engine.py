"""Does the engine of Mille play as the referee says, with the preset and with switches at random?"""

from __future__ import annotations

import pytest
from mille_referee import Referee
from referees import compare_preset, compare_switches

from banakil_env.games import find

GAME = find("mille")


@pytest.mark.parametrize("episode", ["round", "match"])
def test_games_of_the_preset(episode, long):
    compare_preset(GAME, Referee.from_text, "denexa", 2, episode, 40_000 if long else 600)


@pytest.mark.parametrize("seed", range(12))
def test_games_of_switches_at_random(seed, long):
    compare_switches(GAME, Referee.from_text, seed, 4000 if long else 150)
