"""Does the engine of Kalooki play as the referee says, with every contract and in positions seldom reached?"""

from __future__ import annotations

import random

import numpy as np
import pytest
from kalooki_referee import Referee
from kalooki_tables import rich
from referees import compare, compare_preset

from banakil_env.games import find

GAME = find("kalooki")


@pytest.mark.parametrize("contract", range(2, 10))
def test_games_of_every_contract(contract, long):
    rules = f"denexa contract={contract}"
    compare_preset(GAME, Referee.from_text, rules, 3 + contract % 3, "round", 4000 if long else 40)


@pytest.mark.parametrize("tight", [True, False])
def test_positions_by_chance(tight, long):
    """Hands that are about to meet the contract, or have met it; additions, exchanges and Jokers without room."""
    dice = random.Random(tight)
    for _ in range(3000 if long else 30):
        compare(GAME, Referee.from_text, np.array([rich(dice, tight)], GAME.state), dice, 12)
