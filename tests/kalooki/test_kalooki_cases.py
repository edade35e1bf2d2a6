"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import numpy as np
import pytest
from rule_examples import examples_in

from banakil_env.games import kalooki
from banakil_env.games.kalooki import state as S
from banakil_env.kit.contracts.table import ADD_HIGH, ADD_LOW, SWAP
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds import moving_jokers as M
from banakil_env.kit.pack54 import FACES

CASES = examples_in("kalooki")


def lines(text: str) -> dict[str, str]:
    """The lines of a position by key, but for the generator: how it shuffles is not a rule."""
    found = {key: value.strip() for key, _, value in (line.partition(":") for line in text.splitlines())}
    found.pop("rng", None)
    return found


def test_deals_and_values():
    for deal in CASES["deals"]:
        number = deal["contract"]
        assert (S.THREES[number], S.FOURS[number]) == (deal["threes"], deal["fours"])
        state = kalooki.new(rules=f"contract={number}", seed=1)
        assert len(lines(kalooki.to_text(state))["hand 0"].split()) == deal["cards"]
    for card, points in CASES["values"].items():
        assert S.POINTS[FACES.parse(card)] == points


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    try:
        meld = W.parse_meld(case["cards"])
    except ValueError:
        assert case["kind"] is None
        return
    if M.has_neighbors(np.int64(meld)):
        assert case["kind"] is None
        return
    assert case["kind"] == ("run" if W.is_run(np.int64(meld)) else "set")
    assert W.is_meld(np.int64(meld))
    assert FACES.text(W.meld_faces(meld)) == case["cards"]


@pytest.mark.parametrize("case", CASES["taking"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case):
    meld = np.int64(W.parse_meld(case["meld"]))
    for action in [*case["fits"], *case["does_not"]]:
        verb, card, *end = action.split()
        place = FACES.parse(card) + SWAP * (verb == "swap")
        if end:
            place = ADD_LOW if end == ["low"] else ADD_HIGH
        assert bool(M.fits(meld, np.int64(place))) == (action in case["fits"]), action
        if action in case["fits"]:
            assert FACES.text(W.meld_faces(M.with_place(meld, np.int64(place)))) == case["fits"][action]


@pytest.mark.parametrize("case", CASES["rules"], ids=str)
def test_rules(case):
    options = {"num_players": case.get("players", 3), "rules": case["rules"], "episode": case.get("episode", "round")}
    if case["ok"]:
        state = kalooki.new(**options)
        assert kalooki.rules_of(state).text() == case.get("written", case["rules"])
    else:
        with pytest.raises(kalooki.RulesError):
            kalooki.new(**options)


def test_the_table_of_actions():
    actions = kalooki.GAME.actions
    firsts = [actions.first(block.name) for block in actions.blocks]
    assert firsts == [0, 1, 2, 3, 4, 5, 6, 344, 696, 748, 750, 802, 855]
    assert len(actions) == 891
