"""Does the engine of Canasta play as the referee says, over all presets, switches at random and numbers of players?"""

from __future__ import annotations

import random

import pytest
from canasta_referee import Referee
from referees import compare, dealt, random_rules

from banakil_env.games import find

GAME = find("canasta")


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("preset", list(GAME.rules.presets))
def test_games_of_the_presets(preset, players, episode, long):
    dice = random.Random(f"{preset} {players} {episode}")
    compared = 0
    while compared < (4000 if long else 150):
        compared += compare(GAME, Referee.from_text, dealt(GAME, dice, players, preset, episode), dice, 400)


@pytest.mark.parametrize("seed", range(12))
def test_games_of_switches_at_random(seed, long):
    dice = random.Random(seed)
    compared = 0
    while compared < (4000 if long else 150):
        rules, episode = random_rules(GAME, dice), dice.choice(["round", "match"])
        states = dealt(GAME, dice, dice.choice(GAME.seats), rules, episode)
        if states is not None:
            compared += compare(GAME, Referee.from_text, states, dice, 200)
