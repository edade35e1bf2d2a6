"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mille_tables import at, legal, lines, play

from banakil_env.games import mille
from banakil_env.games.mille.scoring import round_naturals, score_round, what_is_paid
from banakil_env.games.mille.texts import parse_meld
from banakil_env.kit.table_state import NO_SEAT, OUT

CASES = json.loads((Path(__file__).parents[1] / "data" / "mille-cases.json").read_text(encoding="utf-8"))


def named(cases):
    return [pytest.param(case, id=f"{i} {case.get('note', '')}"[:60]) for i, case in enumerate(cases)]


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    if case["valid"]:
        parse_meld(case["cards"])
    else:
        with pytest.raises(ValueError):
            parse_meld(case["cards"])


@pytest.mark.parametrize("case", named(CASES["positions"]))
def test_positions(case):
    position = mille.from_text("\n".join(case["position"]))
    assert legal(position) == set(case["legal"])
    assert mille.from_text(mille.to_text(position)).tobytes() == position.tobytes()


@pytest.mark.parametrize("case", named(CASES["moves"]))
def test_moves(case):
    position = mille.from_text("\n".join(case["position"]))
    for text in case["actions"]:
        play(position, text)
        assert mille.from_text(mille.to_text(position)).tobytes() == position.tobytes()
    said = lines(position)
    for key, value in case["after"].items():
        assert said.get(key, "") == value, key


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
