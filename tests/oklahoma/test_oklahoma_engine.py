"""Does the engine of Oklahoma Rummy play as the referee says, over all presets, switches at random and all tables?"""

from __future__ import annotations

import pytest
from oklahoma_referee import Referee
from referees import compare_preset, compare_switches

from banakil_env.games import find

GAME = find("oklahoma")


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("preset", list(GAME.rules.presets))
def test_games_of_the_presets(preset, players, episode, long):
    compare_preset(GAME, Referee.from_text, preset, players, episode, 3000 if long else 25)


@pytest.mark.parametrize("seed", range(8))
def test_games_of_switches_at_random(seed, long):
    compare_switches(GAME, Referee.from_text, seed, 3000 if long else 60)
