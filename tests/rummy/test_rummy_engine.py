"""Does the engine of Rummy play as the referee says, in turns rich in melds?"""

from __future__ import annotations

import random

import pytest
from referees import compare
from rummy_games import middle_position, random_rules
from rummy_referee import Referee

from banakil_env.games import find

GAME = find("rummy")


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
