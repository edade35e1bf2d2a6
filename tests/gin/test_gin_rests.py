"""What do networks of gin see of the rest of a hand after each discard?"""

from __future__ import annotations

from gin_play import table
from rests_seen import rests_at

from banakil_env.games import find

GAME = find("gin")
HAND = "3c 4c 5c 7d 7h 7s Jd Qd Kh 2h 2s"
OTHER = "8d 6h 5s Qh Js 9s 3h Ts Ac 2d"


def rests(phase: str) -> dict[str, dict[str, int]]:
    return rests_at(GAME, table(HAND, OTHER, "Th", f"seat 0, {phase}"))


def test_the_deadwood_that_each_discard_leaves():
    """3c 4c 5c and the sevens are melds; Jd Qd Kh 2h 2s count 34 together."""
    points = rests("play")["rest_points"]
    assert (points["Kh"], points["2h"], points["3c"]) == (24, 32, 43)


def test_a_pair_waits_for_two_cards_and_a_broken_one_for_none():
    """Jd Qd waits for Td and Kd, the twos for two cards, the sevens and the run for 7c, 2c and 6c."""
    outs = rests("play")["rest_outs"]
    assert outs["Kh"] - outs["Qd"] == 2


def test_nothing_stands_there_before_the_draw():
    state = table("3c 4c 5c 7d 7h 7s Jd Qd Kh 2h", OTHER, "Th", "seat 0, draw")
    assert not any(any(cards.values()) for cards in rests_at(GAME, state).values())
