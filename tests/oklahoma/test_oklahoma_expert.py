"""What does `expert` do that `greedy` does not?"""

from __future__ import annotations

import pytest
from choices import choice_of
from oklahoma_tables import at

from banakil_env.games import oklahoma

PLAY, LONG_HAND = "turn: seat 0, play", "hand 1: 3s 4s 6s 8s 9s Th"


@pytest.mark.parametrize(
    ("lines", "greedy", "expert"),
    [
        (("hand 0: 9c 9s 4h Ks 6d", LONG_HAND, "pile: 7c 4d 9h"), "take all", "take all"),
        # A Two for three cards: too dear.
        (("hand 0: 9c 2s 4h Ks 6d", LONG_HAND, "pile: 7c 4d 9h"), "take all", "draw"),
        (("hand 0: 9c 9s 4h Ks 6d", LONG_HAND, "pile: 7c 4d 2h"), "take all", "take all"),
        (("hand 0: 9c 2s 4h Ks 6d", LONG_HAND, "pile: 7c 4d 2h"), "take all", "draw"),
    ],
)
def test_the_pile_is_taken_if_that_costs_no_two_of_the_hand(lines: tuple[str, ...], greedy: str, expert: str) -> None:
    assert choice_of(oklahoma, "greedy", at(*lines)) == greedy
    assert choice_of(oklahoma, "expert", at(*lines)) == expert


@pytest.mark.parametrize(
    ("pile", "expert"),
    [
        ("Kd Jc 9h", "take all"),
        ("Ac Qd Tc 8d Jc Kd 5c 9h", "draw"),  # too many cards that go with nothing
        ("Ac Ad Tc Td Jc Jd 5c 9h", "draw"),
        ("Kc Kd 4c 4d 6c 6h 5c 9h", "take all"),  # they go with cards of the hand
        ("Ac Qd 2c 8d Jc Kd 5c 9h", "take all"),  # for its Two
    ],
)
def test_a_pile_is_taken_for_what_can_be_laid_down_with_it(pile: str, expert: str) -> None:
    lines = "hand 0: 9c 9s 4h Ks 6d", LONG_HAND, f"pile: {pile}"
    assert choice_of(oklahoma, "greedy", at(*lines)) == "take all"
    assert choice_of(oklahoma, "expert", at(*lines)) == expert


def test_a_card_held_already_makes_no_set_of_different_suits_with_its_copy() -> None:
    """`set_suits=different`: only with a Two can the Nine of hearts be melded."""
    lines = ("hand 0: 9h 9s 2s 4h Ks 6d", LONG_HAND, "pile: 7c 4d 9h")
    assert choice_of(oklahoma, "expert", at(*lines)) == "take all"
    assert choice_of(oklahoma, "expert", at("rules: set_suits=different", *lines)) == "draw"


def test_three_twos_go_with_three_pairs() -> None:
    hand = "hand 0: 2c 2d 2h Kc Kd 9c 9d 5h 5s 3c 7d Js"
    assert choice_of(oklahoma, "greedy", at(hand, LONG_HAND, PLAY)) == "open 2 2 2"
    assert choice_of(oklahoma, "expert", at(hand, LONG_HAND, PLAY)) in ("open Kc Kd 2=K", "open 9c 9d 2=9")


def test_a_short_hand_keeps_a_card_that_it_could_add() -> None:
    lines = ("hand 0: 9d 3h 4h 4s", "melds 0: 9c 9h 9s", LONG_HAND, "pile: Kh Tc 3s Js", PLAY)
    assert choice_of(oklahoma, "greedy", at(*lines)) == "add 9d"
    assert choice_of(oklahoma, "expert", at(*lines)).startswith("discard")


def test_a_two_that_fits_both_ends_of_a_run_is_one_card() -> None:
    """Two of the four cards can be added, so that two would stay."""
    lines = ("hand 0: 9d 2s Kh Js", "melds 0: 9c 9h 9s | 4d 5d 6d", LONG_HAND, "pile: Kh Tc 3s Js", PLAY)
    assert choice_of(oklahoma, "expert", at(*lines)).startswith("discard")


def test_a_hand_that_goes_out_holds_nothing_back() -> None:
    lines = ("hand 0: 9d 4h 4s", "melds 0: 9c 9h 9s | 4c 4c 4d", LONG_HAND, "pile: Kh Tc 3s Js", PLAY)
    assert choice_of(oklahoma, "expert", at(*lines)).startswith("add")
