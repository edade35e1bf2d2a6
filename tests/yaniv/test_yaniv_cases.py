"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import numpy as np
import pytest
from game_tables import TablesOf
from rule_examples import examples_in

from banakil_env.games import yaniv
from banakil_env.games.yaniv.discards import is_discard
from banakil_env.kit.pack54 import FACES

CASES = examples_in("yaniv")

_tables = TablesOf(yaniv)
legal, lines_of = _tables.legal, _tables.lines


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
