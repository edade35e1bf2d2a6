"""What do networks of Hand see of the rest of a hand after each discard?"""

from __future__ import annotations

from hand_positions import fill
from rests_seen import rests_at

from banakil_env.games import find, hand

GAME = find("hand")


def rests_of(*lines: str) -> dict[str, dict[str, int]]:
    return rests_at(GAME, hand.from_text(fill("\n".join(("turn: seat 0, play", "players: 2", *lines)))))


def test_only_a_seat_with_melds_adds_cards():
    cards = "indicator: 2c", "hand 0: 9h Kc 4s", "melds 1: 6h 7h 8h"
    assert rests_of(*cards)["rest_loose"]["4s"] == 2
    assert rests_of(*cards, "melds 0: 3c 4c 5c")["rest_loose"]["4s"] == 1


def test_the_fourth_card_of_a_group_is_not_loose():
    assert rests_of("indicator: 2c", "hand 0: 8s Kc 4d", "melds 0: 8c 8d 8h")["rest_loose"]["4d"] == 1


def test_the_card_turned_up_is_not_waited_for():
    """9c and 9d wait for 9h and 9s; with one 9h in the pile and one turned up, for 9s alone."""
    cards = "hand 0: 9c 9d Kc", "pile: 9h"
    assert rests_of("indicator: 2c", *cards)["rest_outs"]["Kc"] == 2
    assert rests_of("indicator: 9h", *cards)["rest_outs"]["Kc"] == 1
