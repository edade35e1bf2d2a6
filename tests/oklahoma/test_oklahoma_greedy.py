"""Is `greedy` clearly ahead of simple players, and does it do what a person would?"""

from __future__ import annotations

import pytest
from choices import choice_of
from duels import duel
from oklahoma_players import SIMPLE
from oklahoma_tables import at

from banakil_env.games import oklahoma
from banakil_env.kit import uniform

PLAYERS = {"greedy": oklahoma.GAME.players["greedy"], "random": uniform.act, **SIMPLE}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("other", "ahead"), [("random", 100), ("from_stock", 20), ("taking", 10), ("saving", 10)])
def test_greedy_is_ahead(players, other, ahead, long):
    deals = 50_000 if long else 1000
    assert duel(oklahoma.GAME, PLAYERS, "greedy", other, deals, num_players=players).margin > ahead


def choice(*lines):
    """What greedy does in a position."""
    return choice_of(oklahoma, "greedy", at(*lines))


PLAY, LONG_HAND = "turn: seat 0, play", "hand 1: 3s 4s 6s 8s 9s"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("hand 0: 9c 9s 4h Ks", "pile: 7c 4d 9h"), "take all"),
        (("hand 0: 5c 5d 5h 6h 7h Kc", LONG_HAND, PLAY), "open 5h 6h 7h"),
        (("hand 0: 5c 5d 2h Kc Jd 8h", LONG_HAND, PLAY), "discard Kc"),
        (("hand 0: Ac Ad 2h Kc Jd 8h", LONG_HAND, PLAY), "open Ac Ad 2=A"),
        (("hand 0: Qs Qd 2h 4c Jd 8h 6c", LONG_HAND, PLAY), "open Qd Qs 2=Q"),
        (("hand 0: 9c 4h Qd Kc", "melds 0: 9d Td Jd", LONG_HAND, PLAY), "add Qd"),
        (("hand 0: 9c 4h 2d Kc Kh", "melds 0: 5d 6d 7d", LONG_HAND, PLAY), "open Kc Kh 2=K"),
        (("hand 0: 4h 2d", "melds 0: 5d 6d 7d", LONG_HAND, PLAY), "add 2 low"),
        (("hand 0: Qs", PLAY), "pass"),
    ],
)
def test_what_greedy_does(lines, expected):
    assert choice(*lines) == expected
