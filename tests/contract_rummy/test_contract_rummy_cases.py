"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import numpy as np
import pytest
from rule_examples import examples_in

from banakil_env.games import contract as contract_rummy
from banakil_env.games.contract import state as S
from banakil_env.games.contract.moves import CLASH
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.pack54 import FACES

CASES = examples_in("contract")


def test_deals_packs_and_values():
    for deal in CASES["deals"]:
        number = deal["contract"]
        assert (S.SETS[number], S.RUNS[number], S.HAND_SIZE[number]) == (deal["sets"], deal["runs"], deal["cards"])
    for pack in CASES["packs"]:
        state = contract_rummy.new(num_players=pack["players"], seed=1)
        cards = [*state.stock[: state.stock_size], *state.pile[: state.pile_size]]
        assert len(cards) + 10 * pack["players"] == pack["cards"]
        assert contract_rummy.to_text(state).count("JK") == pack["jokers"]
    for card, points in CASES["values"].items():
        assert S.POINTS[FACES.parse(card)] == points


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    try:
        meld = W.parse_meld(case["cards"])
    except ValueError:
        assert case["kind"] is None
        return
    assert case["kind"] == ("run" if W.is_run(np.int64(meld)) else "set")
    assert W.is_meld(np.int64(meld))
    assert FACES.text(W.meld_faces(meld)) == case["cards"]


@pytest.mark.parametrize("case", CASES["continuous"], ids=lambda case: f"{case['one']} {case['two']}")
def test_continuous_runs(case):
    texts = [row.text for row in W.OPENINGS]
    one, other = (W.window_of(texts.index(f"open {case[key]}")) for key in ("one", "two"))
    assert bool(CLASH[one] >> other & 1) == bool(CLASH[other] >> one & 1) == case["continuous"]


@pytest.mark.parametrize("case", CASES["taking"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case):
    meld = np.int64(W.parse_meld(case["meld"]))
    for action in [*case["fits"], *case["does_not"]]:
        verb, card, *end = action.split()
        face = np.int64(FACES.parse(card))
        if verb == "swap":
            fits, after = W.jokers_for(meld) >> face & 1, W.with_exchange
        elif end:
            face = np.int64(W.LOW if end == ["low"] else W.HIGH)
            fits, after = W.ends_free(meld) & face, W.with_joker
        else:
            fits, after = W.naturals_taken(meld) >> face & 1, W.with_natural
        assert bool(fits) == (action in case["fits"]), action
        if fits:
            assert FACES.text(W.meld_faces(after(meld, face))) == case["fits"][action]


@pytest.mark.parametrize("case", CASES["rules"], ids=str)
def test_rules(case):
    options = {"num_players": case.get("players", 3), "rules": case["rules"], "episode": case.get("episode", "round")}
    if case["ok"]:
        contract_rummy.new(**options)
    else:
        with pytest.raises(contract_rummy.RulesError):
            contract_rummy.new(**options)


def test_the_table_of_actions():
    assert [contract_rummy.GAME.actions.first(block.name) for block in contract_rummy.GAME.actions.blocks] == [
        *(0, 1, 2, 3, 4, 342, 826, 878, 880, 932, 985, 1021, 1073)
    ]
    assert len(contract_rummy.GAME.actions) == 1249
