"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import pytest
from game_tables import TablesOf
from rule_examples import examples_in

from banakil_env.games import hand
from banakil_env.games.hand.rules import Rules
from banakil_env.games.hand.scoring import first_meld_value
from banakil_env.games.hand.state import may_throw_in, name_of
from banakil_env.kit import pack54
from banakil_env.kit.melds.one_wild_melds import FACES, parse_meld

CASES = examples_in("hand")


_tables = TablesOf(hand)
legal, play, lines_of = _tables.legal, _tables.play, _tables.lines


def table(melds: str, hand_0: str, rules: str = "pagat", indicator: str = "2s"):
    """Seat 0 to play in a later turn, with these melds of its own."""
    return hand.from_text(
        f"rules: {rules}\nplayers: 2\nturns: 8\nturn: seat 0, play\nindicator: {indicator}\n"
        f"hand 0: {hand_0}\nmelds 0: {melds}"
    )


@pytest.mark.parametrize("case", CASES["names"], ids=lambda case: str(case["indicator"]))
def test_names_of_cards(case):
    state = hand.new(seed=1, rules=f"wilds={case['wilds']}" if "wilds" in case else "pagat")
    state.indicator = pack54.FACES.parse(case["indicator"] or "JK")
    printed = pack54.FACES.parse_all(case["printed"])
    assert [FACES.names[name_of(state, face)] for face in printed] == case["names"].split()


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    try:
        parse_meld(case["cards"])
    except ValueError:
        assert not case["valid"]
    else:
        assert case["valid"]


@pytest.mark.parametrize("case", CASES["first_meld_values"], ids=lambda case: case["melds"])
def test_values_of_first_melds(case):
    rules = case.get("rules", "pagat")
    state = hand.new(seed=1, rules=rules)
    for slot, text in enumerate(case["melds"].split("|")):
        state.melds[slot] = parse_meld(text)
        state.num_melds += 1
    assert first_meld_value(state, 0) == case["value"]


@pytest.mark.parametrize("case", CASES["adding"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case):
    free = case["adds"] | case.get("under_H6_3", {})
    rules = "add_to_pair=yes" if "under_H6_3" in case else "pagat"
    for action, after in free.items():
        position = table(case["meld"], f"{action.split()[1]} 2d 4s", rules)
        play(position, action)
        assert lines_of(position)["melds 0"] == after
    wilds = {f"add W {end}" for end in ("low", "high")}
    position = table(case["meld"], "2d 4s 2d") if "W" in case["meld"] else table(case["meld"], "W 2d 4s")
    assert {action for action in legal(position) if action.startswith("add W")} == wilds & set(free)
    for face in FACES.names[:52]:
        if face not in ("2s", "4s", "2d", "6d", "6h"):
            position = table(case["meld"], f"{face} 2d 4s 6d 6h")
            assert (f"add {face}" in legal(position)) == (f"add {face}" in case["adds"])


@pytest.mark.parametrize("case", CASES["exchanging"], ids=lambda case: case["meld"])
def test_what_is_exchanged(case):
    cards = case["swap"].removeprefix("swap ") if case["swap"] else "8d"
    position = table(case["meld"], f"{cards} 2d 4s")
    assert {action for action in legal(position) if action.startswith("swap")} == ({case["swap"]} - {None})
    if case["swap"]:
        play(position, case["swap"])
        assert lines_of(position)["melds 0"] == case["becomes"]


@pytest.mark.parametrize("case", CASES["redeal"], ids=lambda case: case["hand"])
def test_who_may_demand_another_deal(case):
    state = hand.new(seed=1)
    state.hands[0] = pack54.hand_of(pack54.FACES.parse_all(case["hand"].replace("W", "JK")))[:2]
    assert may_throw_in(state, 0) == case["may"]


@pytest.mark.parametrize("case", CASES["deals"], ids=lambda case: f"{case['players']} {case['rules']}")
def test_deals(case):
    rules = case["rules"].replace(" partners", "")
    position = hand.new(case["players"], rules=rules, partners="partners" in case["rules"], seed=3)
    sizes = [pack54.count_cards(position.hands[seat]) for seat in range(case["players"])]
    assert (sizes, position.stock_size) == (case["hands"], case["stock"])
    assert sum(sizes) + position.stock_size == case["cards"]


def test_the_table_of_actions():
    blocks = [len(block.texts) for block in hand.GAME.actions.blocks]
    assert blocks == [2, 1, 1, 192, 130, 54, 130, 54, 35]
    assert len(hand.GAME.actions) == 599
    assert list(Rules.presets) == ["pagat", "egypt", "jokers", "loose", "strict"]
