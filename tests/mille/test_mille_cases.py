"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import pytest
from mille_tables import at
from rule_examples import examples_in

from banakil_env.games import mille
from banakil_env.games.mille.scoring import round_naturals, score_round, what_is_paid
from banakil_env.games.mille.texts import parse_meld
from banakil_env.kit.table_state import NO_SEAT, OUT

CASES = examples_in("mille")


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    if case["valid"]:
        parse_meld(case["cards"])
    else:
        with pytest.raises(ValueError):
            parse_meld(case["cards"])


@pytest.mark.parametrize("case", CASES["scoring"], ids=lambda case: f"{case['melds']}, {case['hand']}"[:60])
def test_scoring(case):
    hand = case["hand"] or "3s"
    position = at("turn: seat 1, play", f"hand 0: {hand}", f"melds 0: {case['melds']}")
    if not case["hand"]:
        position.hands[0] = 0
    score_round(position, OUT, NO_SEAT)
    assert position.points[0] == case["points"]
    assert position.naturals[0] == case["naturals"] == round_naturals(position, 0, NO_SEAT)
    assert position.chapeaux[0] == (case["points"] < 0)


@pytest.mark.parametrize("case", CASES["payments"], ids=lambda case: case["scores"])
def test_payments(case):
    position = at("episode: match", *(f"{key}: {case[key]}" for key in ("scores", "naturals", "chapeaux")))
    assert what_is_paid(position, case.get("winner", 0)) == case["pays"]


def test_the_table_of_actions():
    assert len(mille.GAME.actions) == 106
    first = {block.name: mille.GAME.actions.first(block.name) for block in mille.GAME.actions.blocks}
    assert list(first.values()) == [0, 1, 17, 33, 49, 63, 64, 78, 91]
