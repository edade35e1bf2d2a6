"""What do networks of Oklahoma Rummy see of the rest of a hand after each discard?"""

from __future__ import annotations

from oklahoma_tables import at
from rests_seen import rests_at

from banakil_env.games import find

GAME = find("oklahoma")


def rests(hand: str, *lines: str) -> dict[str, dict[str, int]]:
    return rests_at(GAME, at("players: 2", "turn: seat 0, play", f"hand 0: {hand}", "hand 1: 4c 5s 9d", *lines))


def test_both_cards_of_a_face_can_be_in_a_set():
    loose = rests("7c 7c 7d Kh Js")["rest_loose"]
    assert (loose["Kh"], loose["7d"]) == (1, 4)


def test_a_two_is_wild_and_no_card_of_a_run():
    """The Two does not make a run with 3c 4c, which are two loose cards. It is not counted itself."""
    loose = rests("2c 3c 4c Kh")["rest_loose"]
    assert (loose["Kh"], loose["2c"]) == (2, 3)


def test_a_card_that_a_meld_of_the_seat_takes_is_not_loose():
    loose = rests("Qd 8s Kh", "melds 0: 9d Td Jd")["rest_loose"]
    assert (loose["8s"], loose["Kh"]) == (1, 1)


def test_what_the_pile_gives_with_a_discard():
    gives = rests("8h Kc", "pile: 8c 8s 7h")
    assert gives["gives_pile"]["8h"] == 1
    assert gives["gives_pile"]["Kc"] == 0
