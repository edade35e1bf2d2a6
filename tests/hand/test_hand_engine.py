"""Does the engine of Hand play as the referee says, late in a round?"""

from __future__ import annotations

import random

import numpy as np
import pytest
from hand_positions import late_position, random_rules
from hand_referee import Referee
from referees import compare

from banakil_env.games import find

GAME = find("hand")


@pytest.mark.parametrize("seed", range(8))
def test_late_positions_of_switches_at_random(seed, long):
    """Many melds lie there, so that additions by promise and to other seats' melds come about."""
    dice, compared = random.Random(1000 + seed), 0
    while compared < (8000 if long else 150):
        players = dice.choice((2, 3, 4))
        text = late_position(dice, players, random_rules(dice, players), "round")
        state = np.array(GAME.texts.from_text(text)).reshape(1)
        compared += compare(GAME, Referee.from_text, state, dice, 200)
