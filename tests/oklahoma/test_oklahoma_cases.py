"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import pytest
from oklahoma_tables import at, legal, lines, play
from rule_examples import examples_in

from banakil_env.core.jit import interpreted
from banakil_env.games import oklahoma
from banakil_env.games.oklahoma.melds import MELD_OF_TWOS, value_of
from banakil_env.kit.melds.wild_melds import SET, kind_of

CASES = examples_in("oklahoma")


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: f"{case['cards']} {case.get('rules', '')}")
def test_what_is_a_meld(case):
    table = (f"rules: {case.get('rules', 'denexa')}", f"melds 0: {case['cards']}")
    if not case["valid"]:
        with pytest.raises(oklahoma.PositionError, match=r"is not a|suit twice"):
            at(*table)
        return
    state = at(*table)
    meld = state.melds[0]
    kind = int(interpreted(kind_of)(int(meld)))
    assert ("twos" if kind == MELD_OF_TWOS else "set" if kind >= SET else "run") == case["kind"]
    assert value_of(meld) == case["value"]
    assert lines(state)["melds 0"] == case["cards"]


@pytest.mark.parametrize("case", CASES["adding"], ids=lambda case: f"{case['meld']} {case.get('rules', '')}")
def test_what_a_meld_takes(case):
    def with_hand(card):
        rules = f"rules: {case.get('rules', 'denexa')}"
        return at(rules, f"hand 0: {card.split()[0]} Tc", f"melds 0: {case['meld']}", "turn: seat 0, play")

    def action(card):
        return f"add 2{card[2:]}" if card[0] == "2" else f"add {card}"

    for card, after in case["takes"].items():
        assert lines(play(with_hand(card), action(card)))["melds 0"] == after
    for card in case["not"]:
        assert action(card) not in legal(with_hand(card))


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["why"])
def test_refused(case):
    with pytest.raises(oklahoma.RulesError):
        oklahoma.new(num_players=case["players"], rules=case["rules"])
