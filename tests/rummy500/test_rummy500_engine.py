"""Does the engine of 500 Rummy play as the referee says, over presets, switches at random and numbers of players?"""

from __future__ import annotations

import random

import pytest
from referees import compare, compare_preset, compare_switches, dealt
from rummy500_referee import Referee

from banakil_env.games import find

GAME = find("rummy500")


@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("preset", list(GAME.rules.presets))
def test_games_of_the_presets(preset, players, long):
    if long:
        for episode in ("round", "match"):
            compare_preset(GAME, Referee.from_text, preset, players, episode, 1600)
    dice = random.Random(f"{preset} {players}")
    compare(GAME, Referee.from_text, dealt(GAME, dice, players, preset, "match"), dice, 35)


@pytest.mark.parametrize("seed", range(8))
def test_games_of_switches_at_random(seed, long):
    compare_switches(GAME, Referee.from_text, seed, 2000 if long else 10)
