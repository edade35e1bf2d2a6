"""Does the engine of Hand play as the referee says, over all presets, switches at random and numbers of players?"""

from __future__ import annotations

import pytest
from hand_referee import Referee
from referees import compare_preset, compare_switches

from banakil_env.games import find

GAME = find("hand")


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("preset", list(GAME.rules.presets))
def test_games_of_the_presets(preset, players, episode, long):
    compare_preset(GAME, Referee.from_text, preset, players, episode, 4000 if long else 150)


@pytest.mark.parametrize("seed", range(12))
def test_games_of_switches_at_random(seed, long):
    compare_switches(GAME, Referee.from_text, seed, 4000 if long else 150)
