"""Does the engine of Rummy play as the referee says, over all presets, switches at random and numbers of players?"""

from __future__ import annotations

import random

import pytest
from referees import compare, dealt
from rummy_games import middle_position, random_rules
from rummy_referee import Referee

from banakil_env.games import find

GAME = find("rummy")


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("preset", list(GAME.rules.presets))
def test_games_of_the_presets(preset, players, episode, long):
    dice = random.Random(f"{preset} {players} {episode}")
    compared = 0
    while compared < (2500 if long else 60):
        compared += compare(GAME, Referee.from_text, dealt(GAME, dice, players, preset, episode), dice, 500)


@pytest.mark.parametrize("seed", range(12))
def test_games_of_switches_at_random(seed, long):
    dice = random.Random(seed)
    compared = 0
    while compared < (4000 if long else 100):
        episode = dice.choice(["round", "match"])
        states = dealt(GAME, dice, dice.choice(GAME.seats), random_rules(dice, episode), episode)
        if states is not None:
            compared += compare(GAME, Referee.from_text, states, dice, 300)


@pytest.mark.parametrize("seed", range(8))
def test_turns_rich_in_melds(seed, long):
    """Look-ahead matters here: going rummy, dead ends."""
    dice = random.Random(seed)
    compared = 0
    while compared < (5000 if long else 150):
        episode = dice.choice(["round", "match"])
        try:
            states = GAME.texts.from_text(middle_position(dice, random_rules(dice, episode), episode))
        except ValueError:
            continue
        compared += compare(GAME, Referee.from_text, states, dice, 12)
