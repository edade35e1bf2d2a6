"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import pytest
from rule_examples import examples_in

from banakil_env.games import tonk
from banakil_env.kit.melds.high_ace import takes
from banakil_env.kit.melds.runs_and_sets import in_order, is_meld, is_run, parse_meld
from banakil_env.kit.pack52 import FACES, bit_of, faces_of, mask_of

CASES = examples_in("tonk")


def position(case):
    return tonk.from_text("\n".join(case["position"]))


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_spread(case):
    cards = mask_of(FACES.parse_all(case["cards"]))
    assert bool(is_meld(cards, True)) == case["valid"]
    if case["valid"]:
        assert ("run" if is_run(cards) else "set") == case["kind"]


@pytest.mark.parametrize("case", CASES["adding"], ids=lambda case: case["meld"])
def test_what_a_spread_takes(case):
    meld = parse_meld(case["meld"], True)
    assert {FACES.names[face] for face in faces_of(takes(meld))} == set(case["takes"])
    assert not set(case["not"]) & set(case["takes"])
    for card, after in case["takes"].items():
        assert FACES.text(in_order(meld | bit_of(FACES.parse(card)), True)) == after


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["why"])
def test_refused(case):
    if "position" in case:
        with pytest.raises(tonk.PositionError):
            position(case)
    else:
        with pytest.raises((tonk.RulesError, ValueError)):
            tonk.new(num_players=case["players"], rules=case["rules"])
