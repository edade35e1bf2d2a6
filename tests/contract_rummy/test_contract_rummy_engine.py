"""Does the engine of Contract Rummy play as the referee says, in games dealt and in positions seldom reached?"""

from __future__ import annotations

import random

import pytest
from contract_rummy_referee import Referee
from contract_rummy_tables import all_at_once, later_turn
from referees import compare, compare_preset, compare_switches

from banakil_env.games import find

GAME = find("contract_rummy")


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("preset", list(GAME.rules.presets))
def test_games_of_the_presets(preset, players, episode, long):
    compare_preset(GAME, Referee.from_text, preset, players, episode, 4000 if long else 100)


@pytest.mark.parametrize("seed", range(12))
def test_games_of_switches_at_random(seed, long):
    compare_switches(GAME, Referee.from_text, seed, 4000 if long else 60)


@pytest.mark.parametrize("contract", range(2, 7))
def test_games_of_every_contract(contract, long):
    """The seventh is met seldom by random play: see below."""
    rules = f"denexa contract={contract}"
    compare_preset(GAME, Referee.from_text, rules, 3 + contract % 3, "round", 4000 if long else 60)


@pytest.mark.parametrize("position", [later_turn, all_at_once])
def test_positions_by_chance(position, long):
    """Jokers that are exchanged and owed; three runs laid down whole."""
    for seed in range(1500 if long else 25):
        dice = random.Random(seed)
        compare(GAME, Referee.from_text, position(dice), dice, 20)
