"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import pytest
from hand_and_foot_tables import at, legal
from rule_examples import examples_in

from banakil_env.games import hand_and_foot
from banakil_env.games.hand_and_foot.scoring import pile_points
from banakil_env.games.hand_and_foot.state import minimum
from banakil_env.games.hand_and_foot.texts import parse_book
from banakil_env.kit.books.kinds import FACES

CASES = examples_in("hand_and_foot")


def cards(kinds: str) -> str:
    """Cards of these kinds, four of a suit at the most."""
    counts: dict[str, int] = {}
    said = []
    for kind in kinds.split():
        counts[kind] = number = counts.get(kind, -1) + 1
        said.append(kind if kind == "JK" else kind + ("cs" if kind == "3" else "cdhs")[number // 4])
    return " ".join(said)


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    try:
        _, faces = parse_book(cards(case["cards"]))
    except ValueError:
        assert not case["valid"]
        return
    assert case["valid"]
    points = {"clean": 500, "dirty": 300, "wild": 1500, None: 0}[case.get("pile")]
    assert pile_points(at("turn: seat 0, play", "hand 0: Tc 9d", f"melds 0: {FACES.text(faces)}"), 0) == points


@pytest.mark.parametrize("case", CASES["takes"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case):
    for kind in [*case["fits"], *case["does_not"]]:
        card = "JK" if kind == "JK" else f"{kind}s"
        texts = legal(at("turn: seat 0, play", f"hand 0: {card} Th 9d", f"melds 0: {cards(case['meld'])}"))
        rank = case["meld"].split()[0]
        wanted = f"add {kind} to {'W' if rank == '2' else rank}" if kind in ("2", "JK") else f"add {kind}"
        assert (wanted in texts) == (kind in case["fits"]), kind


@pytest.mark.parametrize("case", CASES["minimum"], ids=lambda case: str(case["round"]))
def test_the_value_of_the_first_meld(case):
    assert minimum(at(f"round: {case['round']}", "hand 0: 9c")) == case["value"]


def test_the_table_of_actions():
    actions = hand_and_foot.GAME.actions
    assert len(actions) == 127
    first = {block.name: actions.first(block.name) for block in actions.blocks}
    assert list(first.values()) == [0, 1, 2, 35, 37, 70, 74, 85, 109, 123, 124, 125]
