"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from banakil_env.games import rummy
from banakil_env.kit.melds.runs_and_sets import is_meld, is_run, parse_meld, takes
from banakil_env.kit.pack52 import FACES, bit_of, faces_of, mask_of, text_of

CASES = json.loads((Path(__file__).parents[1] / "data" / "rummy-cases.json").read_text(encoding="utf-8"))
LEFT_OUT = ("rng:",)


def position(case, key="position"):
    return rummy.from_text("\n".join(case[key]))


def lines_of(state):
    return [line for line in rummy.to_text(state).splitlines() if not line.startswith(LEFT_OUT)]


def named(cases):
    return [pytest.param(case, id=case.get("note", str(i))[:60]) for i, case in enumerate(cases)]


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


@pytest.mark.parametrize("case", named(CASES["legal"]))
def test_legal(case):
    state = position(case)
    assert {rummy.action_text(action) for action in rummy.legal_actions(state)} == set(case["legal"])
    assert lines_of(state) == case["position"]


@pytest.mark.parametrize("case", named(CASES["after"]))
def test_after(case):
    state = position(case)
    for text in case["actions"]:
        rummy.apply(state, rummy.parse_action(text))
    assert lines_of(state) == case["then"]


@pytest.mark.parametrize("case", named(CASES["ends"]))
def test_ends(case):
    state = position(case)
    for text in case["actions"]:
        rummy.apply(state, rummy.parse_action(text))
    outcome = rummy.GAME.outcome(state)
    assert rummy.is_over(state)
    assert outcome.text == case["over"]
    assert list(outcome.points) == case["points"]
    assert list(outcome.scores) == case.get("scores", case["points"])
    assert rummy.from_text(rummy.to_text(state)).tobytes() == state.tobytes()


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["why"])
def test_refused(case):
    if "position" in case:
        with pytest.raises(rummy.PositionError):
            position(case)
    else:
        with pytest.raises(rummy.RulesError):
            rummy.new(num_players=case["players"], rules=case["rules"])
