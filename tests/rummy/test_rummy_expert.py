"""What does `expert` of Rummy do that `greedy` does not?"""

from __future__ import annotations

import numpy as np
import pytest
from choices import choice_of
from rummy_tables import at

from banakil_env.games import rummy
from banakil_env.games.rummy import expert
from banakil_env.kit.melds.runs_and_sets import near, thirds
from banakil_env.kit.pack52 import ALL, FACES, mask_of

VALUES = expert.PARAMETERS.values[expert.TWO]


def cards(text: str) -> int:
    return mask_of(FACES.parse_all(text))


def worth(hand: str, fits: str = "") -> int:
    return int(expert.worth(cards(hand), cards(fits), ALL & ~cards(hand), 0, VALUES))


def test_a_card_in_a_run_and_in_a_set_counts_once():
    """5h is in 5c 5d 5h and in 3h 4h 5h, but the hand has one meld only."""
    assert worth("5c 5d 5h 3h 4h Ks 8c") < worth("5c 5d 5h Jc Qc Kc 8s")


def test_a_hand_that_one_card_takes_out_is_worth_more():
    """Both hands have a meld and two loose cards, but 9h or Qh is the last card that the first one needs."""
    assert worth("5c 5d 5h Th Jh 2s") > worth("5c 5d 5h Th 7d 2s") + VALUES["last"]


def test_cards_that_the_table_takes_count_as_laid_down():
    assert worth("5c 5d 5h Ts 2s", "Ts") > worth("5c 5d 5h Ts 2s")


@pytest.mark.parametrize(
    ("face", "others", "melds"),
    [
        ("7h", "7c 7d 7s", 3),
        ("7h", "5h 6h 8h 9h", 3),
        ("Ah", "2h 3h Kh Qh", 1),
        ("Kh", "Qh Jh Ah", 1),
        ("7h", "5h 9h 7c", 0),
    ],
)
def test_the_melds_of_three_that_a_card_makes(face, others, melds):
    assert thirds(FACES.parse(face), cards(others)) == melds


def test_cards_near_others():
    assert near(cards("5h")) == cards("3h 4h 6h 7h")
    assert near(cards("Ah Kc")) == cards("2h 3h Jc Qc")
    assert near(cards("5h 5c")) & cards("5d 5s") == cards("5d 5s")


LOW, HIGH = "2c 2d 2s 3h 4h 5h 9s Jd", "Kc Kd Kh Jc Td 8h 6s 4d 3s 2c 7c"
OTHER = "hand 1: Qc Qd Ts 9c 8d 5s Js"


def test_low_melds_are_held_back_for_going_rummy_and_high_ones_laid_down():
    play = "turn: seat 0, play"
    assert choice_of(rummy, "expert", at(play, f"hand 0: {LOW}", OTHER)).startswith("discard")
    assert choice_of(rummy, "greedy", at(play, f"hand 0: {HIGH}", OTHER)).startswith("discard")
    assert choice_of(rummy, "expert", at(play, f"hand 0: {HIGH}", OTHER)).startswith("open K")


def test_nothing_is_held_back_where_going_rummy_pays_nothing():
    state = at("rules: rummy_factor=1", "turn: seat 0, play", f"hand 0: {LOW}", OTHER)
    assert choice_of(rummy, "expert", state).startswith("open")


def test_the_top_of_the_pile_is_taken_for_many_cards_that_take_the_hand_out():
    """With 7h one of 5h, 8h and 6c 6d ... takes the hand out; `greedy` takes only what makes a meld at once."""
    lines = (
        "turn: seat 0, draw",
        "players: 4",
        "hand 0: 2c 2d 2h 6h 6s Kd Js",
        "pile: 7h",
        "hand 1: Qc Qd Kh Ts 9c 8d 3s",
    )
    assert choice_of(rummy, "greedy", at(*lines)) == "draw"
    assert choice_of(rummy, "expert", at(*lines)) == "take"


def test_values_are_those_of_the_number_of_players():
    two, more = (np.array(expert.PARAMETERS.values[row].tolist()) for row in (expert.TWO, expert.MORE))
    assert (two != more).any()
