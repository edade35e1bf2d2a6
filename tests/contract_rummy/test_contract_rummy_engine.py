"""Does the engine of Contract Rummy play as the referee says, with every contract and in positions seldom reached?"""

from __future__ import annotations

import random
from typing import Any

import pytest
from contract_rummy_referee import Referee
from contract_rummy_tables import all_at_once, later_turn, pack_of
from referees import compare, compare_preset

from banakil_env.games import find
from banakil_env.kit.pack54 import FACES, JOKER

GAME = find("contract")


@pytest.mark.parametrize("contract", range(2, 7))
def test_games_of_every_contract(contract, long):
    """The seventh is met seldom by random play: see below."""
    rules = f"denexa contract={contract}"
    compare_preset(GAME, Referee.from_text, rules, 3 + contract % 3, "round", 4000 if long else 60)


@pytest.mark.parametrize("jokers", ["few", "any"])
@pytest.mark.parametrize("position", [later_turn, all_at_once])
def test_positions_by_chance(position, jokers, long):
    """Jokers that are exchanged and owed; three runs laid down whole."""
    for seed in range(1500 if long else 25):
        dice = random.Random(seed)
        compare(GAME, Referee.from_text, position(dice, jokers), dice, 20)


def first_melds(dice: random.Random, rules: str) -> Any:
    """A contract that a hand with all Jokers nearly meets, after a discard of the seat before."""
    players = dice.choice(GAME.seats)
    left = pack_of(players)
    del left[JOKER]
    rest = list(left.elements())
    dice.shuffle(rest)
    hands = [[rest.pop() for _ in range(dice.randint(2, 8))] for _ in range(players)]
    hands[0] += [JOKER] * (players - 1)
    lines = [f"rules: denexa {rules}", f"players: {players}", f"contract: {dice.randint(1, 6)}", "turns: 1"]
    lines += [f"turn: seat 0, {dice.choice(('draw', 'play'))}"]
    lines += [f"hand {seat}: {FACES.text(sorted(cards))}" for seat, cards in enumerate(hands)]
    return GAME.texts.from_text("\n".join([*lines, f"pile: {FACES.text(rest[:3])}", f"stock: {FACES.text(rest[3:])}"]))


@pytest.mark.parametrize("rules", ["jokers=any", "jokers=any own_discard=yes", "own_discard=yes calls=1"])
def test_first_melds_with_all_jokers(rules, long):
    """N4.2 and N2.6 with their switches."""
    for seed in range(1500 if long else 25):
        dice = random.Random(seed)
        compare(GAME, Referee.from_text, first_melds(dice, rules), dice, 20)
