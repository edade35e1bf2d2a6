"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import pytest
from rule_examples import examples_in

from banakil_env.games import rummy
from banakil_env.kit.melds.runs_and_sets import is_meld, is_run, parse_meld, takes
from banakil_env.kit.pack52 import FACES, bit_of, faces_of, mask_of, text_of

CASES = examples_in("rummy")


def position(case, key="position"):
    return rummy.from_text("\n".join(case[key]))


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    cards = mask_of(FACES.parse_all(case["cards"]))
    assert bool(is_meld(cards)) == case["valid"]
    if case["valid"]:
        assert ("run" if is_run(parse_meld(case["cards"])) else "set") == case["kind"]


@pytest.mark.parametrize("case", CASES["adding"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case):
    meld = parse_meld(case["meld"])
    assert {FACES.names[face] for face in faces_of(takes(meld))} == set(case["takes"])
    for card, after in case["takes"].items():
        assert text_of(meld | bit_of(FACES.parse(card))) == after


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["why"])
def test_refused(case):
    if "position" in case:
        with pytest.raises(rummy.PositionError):
            position(case)
    else:
        with pytest.raises(rummy.RulesError):
            rummy.new(num_players=case["players"], rules=case["rules"])
