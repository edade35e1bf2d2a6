"""What does `expert` of Rummy do that `greedy` does not?"""

from __future__ import annotations

import pytest
from card_masks import mask_of_text
from choices import choice_of
from rummy_tables import at

from banakil_env.games import rummy
from banakil_env.games.rummy import expert
from banakil_env.kit.melds.runs_and_sets import near, thirds
from banakil_env.kit.pack52 import ALL, FACES

VALUES = expert.PARAMETERS.values[expert.TWO]


def worth(hand: str, fits: str = "") -> int:
    return int(expert.worth(mask_of_text(hand), mask_of_text(fits), ALL & ~mask_of_text(hand), 0, VALUES))


def test_a_card_in_a_run_and_in_a_set_counts_once():
    """5h is in 5c 5d 5h and in 3h 4h 5h, but the hand has one meld only."""
    assert worth("5c 5d 5h 3h 4h Ks 8c") < worth("5c 5d 5h Jc Qc Kc 8s")


def test_a_hand_that_one_card_takes_out_is_worth_more():
    """Both hands have a meld and three loose cards, but 9h or Qh is the last card that the first one needs."""
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
    assert thirds(FACES.parse(face), mask_of_text(others)) == melds


def test_cards_near_others():
    assert near(mask_of_text("5h")) == mask_of_text("3h 4h 6h 7h")
    assert near(mask_of_text("Ah Kc")) == mask_of_text("2h 3h Jc Qc")
    assert near(mask_of_text("5h 5c")) & mask_of_text("5d 5s") == mask_of_text("5d 5s")


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


def test_the_top_of_the_pile_is_taken_for_many_cards_that_make_a_second_meld():
    """With 7h that is any of 5h, 8h, 6c and 6d; `greedy` takes only what makes a meld at once."""
    lines = (
        "turn: seat 0, draw",
        "players: 4",
        "hand 0: 2c 2d 2h 6h 6s Kd Js",
        "pile: 7h",
        "hand 1: Qc Qd Kh Ts 9c 8d 3s",
    )
    assert choice_of(rummy, "greedy", at(*lines)) == "draw"
    assert choice_of(rummy, "expert", at(*lines)) == "take"


@pytest.mark.parametrize(("players", "row"), [(2, "two"), (3, "four"), (4, "four"), (5, "six"), (6, "six")])
def test_values_are_those_of_the_number_of_players(players, row):
    assert expert.PARAMETERS.rows[expert._row(players)].name == row
