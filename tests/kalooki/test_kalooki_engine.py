"""Does the engine of Kalooki play as the referee says, over all presets, switches at random and numbers of players?"""

from __future__ import annotations

import random

import numpy as np
import pytest
from kalooki_referee import Referee
from kalooki_tables import rich
from referees import compare, compare_preset, compare_switches

from banakil_env.games import find

GAME = find("kalooki")


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("preset", list(GAME.rules.presets))
def test_games_of_the_presets(preset, players, episode, long):
    compare_preset(GAME, Referee.from_text, preset, players, episode, 4000 if long else 100)


@pytest.mark.parametrize("seed", range(12))
def test_games_of_switches_at_random(seed, long):
    compare_switches(GAME, Referee.from_text, seed, 4000 if long else 60)


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
