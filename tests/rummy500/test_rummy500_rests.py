"""What do networks of 500 Rummy see of each discard: what it leaves, and what it gives?"""

from __future__ import annotations

from rests_seen import rests_at
from rummy500_tables import at

from banakil_env.games import find


def of_card(card: str, *lines: str, game: str = "players: 2") -> dict[str, int]:
    """By group, the number of one card that seat 0 may discard."""
    table = at(game, "turn: seat 0, play", *lines)
    return {group: numbers[card] for group, numbers in rests_at(find("rummy500"), table).items()}


def test_the_pile_gives_two_cards_of_a_meld_or_one():
    """8h makes a set with 8c and 8s, and with 7h of the pile two runs: 6h and 9h are unseen."""
    gives = of_card("8h", "hand 0: 8h Kc 2d", "hand 1: 4c 5s 9d", "pile: 8c 8s 7h")
    assert (gives["gives_pile"], gives["gives_pile_unseen"]) == (1, 4)


def test_known_cards_of_other_hands():
    """6h and 7h are known there: a run with both; with 7h and the unseen 9h another one."""
    gives = of_card("8h", "hand 0: 8h Kc 2d", "hand 1: 6h 7h 9d", "known 1: 6h 7h", "pile: 4c")
    assert (gives["gives_known"], gives["gives_known_unseen"]) == (1, 1)


def test_a_known_card_and_one_of_the_pile():
    gives = of_card("8h", "hand 0: 8h Kc 2d", "hand 1: 7h 9d", "known 1: 7h", "pile: 9h")
    assert (gives["gives_known_pile"], gives["gives_pile"], gives["gives_known"]) == (1, 0, 0)


def test_what_the_card_would_bring_to_the_hand_that_keeps_it():
    """With 8c it waits for 8d and 8s, and 9h of the pile lies between 8h and Th."""
    takes = of_card("8h", "hand 0: 8h 8c Th Kc", "hand 1: 4c 5s 9d", "pile: 9h")
    assert (takes["takes_unseen"], takes["takes_pile"]) == (2, 1)


def test_of_two_packs_a_card_in_the_pile_is_not_unseen_too():
    others = "hand 1: 4c 5s", "hand 2: 4d 5d", "hand 3: 4h 5h", "hand 4: 4s 5c"
    gives = of_card("8h", "hand 0: 8h Kc 2d", *others, "pile: 8c", game="players: 5")
    assert (gives["gives_pile"], gives["gives_pile_unseen"], gives["discard_gives"]) == (0, 2, 6)


def test_a_joker_has_no_columns_and_an_ace_ends_a_run_at_either_end():
    gives = of_card("Ah", "hand 0: Ah JK Kc 2d", "hand 1: 4c 5s 9d", "pile: 2h 3h Kh")
    assert gives["gives_pile"] == 1
    assert gives["gives_pile_unseen"] == 1
