"""What does `expert` of 500 Rummy do that `greedy` does not?"""

from __future__ import annotations

import pytest
from card_masks import mask_of_text
from choices import choice_of
from rummy500_tables import at

from banakil_env.games import rummy500
from banakil_env.games.rummy500 import greedy
from banakil_env.kit.melds.wild_melds import near, thirds
from banakil_env.kit.pack52 import FACES


@pytest.mark.parametrize(
    ("face", "others", "melds"),
    [
        ("7h", "7c 7d 7s", 3),
        ("7h", "7h 5h 6h 8h 9h", 3),
        ("Ah", "2h 3h Kh Qh", 2),
        ("Ah", "2h Kh", 0),
        ("Kh", "Qh Jh Ah", 2),
        ("7h", "5h 9h 7c", 0),
    ],
)
def test_the_melds_of_three_that_a_card_makes(face, others, melds):
    assert thirds(FACES.parse(face), mask_of_text(others)) == melds


def test_cards_near_others():
    assert near(mask_of_text("5h")) == mask_of_text("3h 4h 6h 7h")
    assert near(mask_of_text("Ah")) == mask_of_text("2h 3h Kh Qh")
    assert near(mask_of_text("5h 5c")) & mask_of_text("5d 5s") == mask_of_text("5d 5s")


def choices(*lines):
    """What `greedy` and `expert` do in a position."""
    return [choice_of(rummy500, player, at(*lines)) for player in ("greedy", "expert")]


def test_a_deep_meld_is_taken_while_nobody_is_about_to_go_out():
    """The Three brings a meld of 9 points. Three court cards stay in the hand, which count against it at the end."""
    hand, pile = "hand 0: 3c 3s 2h 4d", "pile: 3h Qc Ks Jd"
    assert choices(hand, pile, "hand 1: 4c 5s 8d Qh") == ["draw", "take 4"]
    assert choices(hand, pile, "hand 1: 4c") == ["draw", "draw"]


def test_a_card_that_fits_is_held_back_early():
    melds, play = "melds 1: 9d Td Jd", "turn: seat 0, play"
    few, many = "hand 1: 4c 5s", "hand 1: 4c 5s 8h Qh 2c"
    hand = "hand 0: 3c 4s 2h 6h 7c Qd"
    assert choices(play, melds, hand, few) == ["add Qd", "add Qd"]
    assert choices(play, melds, hand, many)[0] == "add Qd"
    assert choices(play, melds, hand, many)[1].startswith("discard")


@pytest.mark.parametrize(("pile", "expected"), [("2s", "7h"), ("3d", "7h"), ("Js", "2d")])
def test_a_discard_that_makes_a_meld_with_the_pile_and_one_more_card_is_avoided(pile, expected):
    """Who holds another Two takes 2s and 2d for a set; with 3d it would be a run. `greedy` gives the low card."""
    lines = "turn: seat 0, play", "hand 0: 9c 9s 7h 2d", f"pile: {pile} Kd"
    assert choices(*lines) == ["discard 2d", f"discard {expected}"]


def test_of_two_packs_a_card_that_lies_in_the_pile_counts_as_there():
    """Another card of its face may be unseen. A set of three Sevens with both of the pile is told by `given_pile`."""
    values, sevens = greedy.PARAMETERS.values[greedy.PARAMETERS.index("more")], mask_of_text("7c 7d")
    assert greedy._given(FACES.parse("7h"), sevens, sevens, values) == 0
    assert greedy._given(FACES.parse("7h"), mask_of_text("7c 7d 7s"), sevens, values) == 2 * values["given_half"]


def test_a_hand_that_can_go_out_holds_nothing_back():
    lines = "turn: seat 0, play", "melds 1: 9d Td Jd | 4c 4d 4h | 8c 8d 8h | Kc Kd Kh", "hand 1: 6c 5s Qh 2c 7c"
    assert choices(*lines, "hand 0: 3s Qd 4s 8s 6h 7h")[1].startswith("discard")
    assert choices(*lines, "hand 0: 3s Qd 4s 8s Ks")[1].startswith("add")


def test_of_two_packs_a_pair_of_one_face_is_two_cards_that_stay():
    others = "hand 1: 6c 5s Qh 2c", "hand 2: 6d 5d Qs 2d", "hand 3: 7c 8s Jh 3c", "hand 4: Tc 9h Js 3s"
    lines = "players: 5", "turn: seat 0, play", "melds 1: 4c 4d 4h", *others
    assert choices(*lines, "hand 0: 4s Kd 9d")[1].startswith("discard")
    assert choices(*lines, "hand 0: 4s Kd Kd")[1].startswith("discard")
    assert choices(*lines, "hand 0: 4s Kd")[1].startswith("add")
