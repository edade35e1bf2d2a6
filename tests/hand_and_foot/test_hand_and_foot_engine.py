"""Does the engine of Hand and Foot play as the referee says, over the preset and switches at random?"""

from __future__ import annotations

import pytest
from hand_and_foot_referee import Referee
from referees import compare_preset, compare_switches

from banakil_env.games import find

GAME = find("hand_and_foot")


@pytest.mark.parametrize("episode", ["round", "match"])
def test_games_of_the_preset(episode, long):
    compare_preset(GAME, Referee.from_text, "denexa", 4, episode, 20_000 if long else 250)


@pytest.mark.parametrize("seed", range(6))
def test_games_of_switches_at_random(seed, long):
    compare_switches(GAME, Referee.from_text, seed, 15_000 if long else 200)
