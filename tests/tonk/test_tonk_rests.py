"""What do networks of Tonk see of the rest of a hand after each discard?"""

from __future__ import annotations

from rests_seen import rests_at
from tonk_tables import at

from banakil_env.games import find

OTHER = "hand 1: 2d 4h 6s 8d 9c"


def rests(hand: str, *more: str) -> dict[str, dict[str, int]]:
    return rests_at(find("tonk"), at("turn: seat 0, play", f"hand 0: {hand}", *(more or [OTHER])))


def test_an_ace_ends_a_run_at_either_end():
    assert rests("Ah Qh Kh 5s 7c Jd")["rest_points"]["Jd"] == 12
    assert rests("Ah 2h 3h 5s 7c Jd")["rest_points"]["Jd"] == 12


def test_a_card_that_a_spread_takes_is_not_loose():
    loose = rests("5s 7c Jd", "melds 1: 4s 3s 2s", "hand 1: 2d 4h")["rest_loose"]
    assert (loose["7c"], loose["5s"]) == (1, 2)


def test_nothing_is_left_before_the_draw():
    state = at("turn: seat 0, draw", "hand 0: Ah Qh Kh 5s 7c", OTHER)
    assert not any(any(cards.values()) for cards in rests_at(find("tonk"), state).values())
