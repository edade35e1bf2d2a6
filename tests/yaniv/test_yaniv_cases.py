"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from banakil_env.games import yaniv
from banakil_env.games.yaniv.discards import is_discard
from banakil_env.kit.pack54 import FACES

CASES = json.loads((Path(__file__).parents[1] / "data" / "yaniv-cases.json").read_text(encoding="utf-8"))


def legal(state):
    return {yaniv.action_text(action) for action in yaniv.legal_actions(state)}


def lines_of(state):
    return dict(line.split(":", 1) for line in yaniv.to_text(state).splitlines())


def named(cases):
    return [pytest.param(case, id=f"{case['rule']} {case.get('why', i)}"[:60]) for i, case in enumerate(cases)]


@pytest.mark.parametrize("case", CASES["discards"], ids=lambda case: case["laid"])
def test_what_is_a_discard(case):
    faces = FACES.parse_all(case["laid"])
    assert bool(is_discard(np.array(faces), len(faces))) == case["valid"]


@pytest.mark.parametrize("case", [case for case in CASES["discards"] if len(case["laid"].split()) <= 5], ids=str)
def test_what_can_be_laid(case):
    """Card by card, from a hand of these cards, two packs: the draw comes after a whole discard."""
    first, *others = case["laid"].split()
    state = yaniv.from_text(f"rules: denexa packs=2\nhand 0: {case['laid']}\npile: 2s")
    texts = [f"discard {first}", *(f"also {card}" for card in others), "draw"]
    for text in texts:
        if text not in legal(state):
            assert not case["valid"]
            return
        yaniv.apply(state, yaniv.parse_action(text))
    assert case["valid"]


@pytest.mark.parametrize("case", named(CASES["positions"]))
def test_positions(case):
    state = yaniv.from_text("\n".join(case["position"]))
    assert legal(state) == set(case["legal"])
    assert yaniv.from_text(yaniv.to_text(state)).tobytes() == state.tobytes()


@pytest.mark.parametrize("case", named(CASES["actions"]))
def test_actions(case):
    state = yaniv.from_text("\n".join(case["position"]))
    for text in case["do"]:
        yaniv.apply(state, yaniv.parse_action(text))
    lines = lines_of(state)
    for key, value in case["after"].items():
        if key == "stock as a set":
            assert sorted(lines["stock"].split()) == sorted(value.split())
        else:
            assert lines.get(key, "none" if value is None else "missing").strip() == (
                "none" if value is None else value
            )
    assert yaniv.from_text(yaniv.to_text(state)).tobytes() == state.tobytes()


@pytest.mark.parametrize("case", CASES["deals"], ids=str)
def test_deals(case):
    state = yaniv.new(num_players=case["players"], rules=case["rules"], seed=1)
    lines = lines_of(state)
    assert len(lines["hand 0"].split()) == case["hand"]
    assert len(lines["stock"].split()) == state.stock_size == case["stock"]
    cards = [
        word for key, value in lines.items() for word in value.split() if key.split()[0] in ("hand", "pile", "stock")
    ]
    assert len(cards) == case["cards"]
