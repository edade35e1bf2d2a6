"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import pytest
from rule_examples import examples_in
from rummy500_tables import at, legal, lines, play

from banakil_env.games import rummy500
from banakil_env.games.rummy500.state import value_at
from banakil_env.kit.melds.wild_meld_texts import parse_meld
from banakil_env.kit.melds.wild_melds import LONGEST, SET, kind_of, places_of

CASES = examples_in("rummy500")


def position(case, key="position"):
    return rummy500.from_text("\n".join(case[key]))


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    if not case["valid"]:
        with pytest.raises(ValueError, match="is not a"):
            parse_meld(case["cards"], LONGEST)
        return
    meld, marked = parse_meld(case["cards"], LONGEST)
    assert ("set" if kind_of(meld) >= SET else "run") == case["kind"]
    assert sum(int(value_at(meld, place)) for place, *_ in places_of(meld)) == case["value"]
    assert not marked


@pytest.mark.parametrize("case", CASES["adding"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case):
    """Laid off by seat 0 on a meld of its own; two packs, so that every card can be in its hand."""

    def with_hand(card):
        return at("players: 5", f"hand 0: {card.split()[0]} 4d", f"melds 0: {case['meld']}", "turn: seat 0, play")

    for card, after in case["takes"].items():
        assert lines(play(with_hand(card), f"add {card}"))["melds 0"] == after
    for card in case["not"]:
        assert f"add {card}" not in legal(with_hand(card))


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["why"])
def test_refused(case):
    if "position" in case:
        with pytest.raises(rummy500.PositionError):
            position(case)
    else:
        with pytest.raises(rummy500.RulesError):
            rummy500.new(num_players=case["players"], rules=case["rules"])
