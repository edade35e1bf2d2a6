"""The examples of the rules page, as data: every one of them must come out as it says."""

from __future__ import annotations

import pytest
from rule_examples import examples_in

from banakil_env.games import canasta
from banakil_env.games.canasta import lookahead, state
from banakil_env.games.canasta.scoring import canasta_points
from banakil_env.games.canasta.texts import parse_book
from banakil_env.kit.books.kinds import FACES, KINDS

CASES = examples_in("canasta")


def cards(kinds: str) -> str:
    """Cards of these kinds, two of a suit at the most."""
    counts: dict[str, int] = {}
    said = []
    for kind in kinds.split():
        counts[kind] = number = counts.get(kind, -1) + 1
        said.append(kind if kind == "JK" else kind + ("cs" if kind == "3" else "cdhs")[number // 2])
    return " ".join(said)


def table(melds: str, hand: str = "Tc 9d"):
    """Seat 0 to play, with these melds of its side."""
    hands = [f"hand {seat}: {'Qc' if seat % 2 else 'Qd'}" for seat in range(1, 4)]
    return canasta.from_text(
        "\n".join(["players: 4", "turn: seat 0, play", f"hand 0: {hand}", *hands, f"melds 0: {melds}"])
    )


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_what_is_a_meld(case):
    try:
        kind, faces = parse_book(cards(case["cards"]))
    except ValueError:
        assert not case["valid"]
        return
    assert case["valid"]
    if kind:  # black Threes are not a canasta, and lie there only at the end
        points = {"natural": 500, "mixed": 300, None: 0}[case.get("canasta")]
        assert canasta_points(table(FACES.text(faces)), 0) == points


@pytest.mark.parametrize("case", CASES["takes"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case):
    for kind in [*case["fits"], *case["does_not"]]:
        threes = case["meld"].startswith("3")
        card = {"3": "3s", "JK": "JK", "8": "8c"}.get(kind, f"{kind}s")  # a suit that no meld here has twice
        hand = card if threes else f"{card} 8h 9d"
        melds = cards(case["meld"]) + (" | Qc Qc Qd Qd Qh Qh Qs" if threes else "")
        hands = ["hand 1: Jc", "hand 2: Jd", "hand 3: Jh"]
        position = canasta.from_text("\n".join(["turn: seat 0, play", f"hand 0: {hand}", *hands, f"melds 0: {melds}"]))
        legal = {canasta.action_text(action) for action in canasta.legal_actions(position)}
        rank = case["meld"].split()[0]
        wanted = f"add {kind} to {rank}" if kind in ("2", "JK") else f"add {kind}"
        assert (wanted in legal) == (kind in case["fits"]), kind


@pytest.mark.parametrize("case", CASES["minimum"], ids=lambda case: str(case["score"]))
def test_the_value_of_the_first_meld(case):
    position = canasta.new(num_players=4, seed=1)
    position.scores[:] = case["score"]
    assert state.minimum(position, 0) == case["value"]


def test_the_table_of_actions():
    assert len(canasta.GAME.actions) == 122
    first = {block.name: canasta.GAME.actions.first(block.name) for block in canasta.GAME.actions.blocks}
    assert list(first.values()) == [0, 1, 2, 3, 36, 69, 70, 81, 82, 104, 118, 119, 120]
    assert KINDS[0] == "3"
    assert lookahead.CANASTA == 7
