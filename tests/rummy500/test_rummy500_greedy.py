"""Is `greedy` clearly ahead of simple players, and does it do what a person would?"""

from __future__ import annotations

import pytest
from choices import choice_of
from duels import duel
from rummy500_players import SIMPLE
from rummy500_tables import at

from banakil_env.games import rummy500
from banakil_env.kit import uniform

PLAYERS = {"greedy": rummy500.GAME.players["greedy"], "random": uniform.act, **SIMPLE}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("other", "ahead"), [("random", 50), ("from_stock", 25), ("top", 8), ("whole", 8)])
def test_greedy_is_ahead(players, other, ahead, long):
    deals = 50_000 if long else 600
    assert duel(rummy500.GAME, PLAYERS, "greedy", other, deals, num_players=players).margin > ahead


def choice(*lines):
    """What greedy does in a position."""
    return choice_of(rummy500, "greedy", at(*lines))


RUN = "melds 1: 9d Td Jd"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("hand 0: 9c 9s 2h Ks", "pile: 7c 4d 9h"), "take 1"),
        (("hand 0: 9c 2h Ks 4h", "pile: 7c 4d 9h"), "draw"),
        (("hand 0: 9c 9s Kh Ks", "pile: 9h Kd 4d"), "take 3"),
        (("hand 0: 5c 5d 5h 6h 7h", "turn: seat 0, play"), "open 5h 6h 7h"),
        (("hand 0: 9c 2h Qd", RUN, "turn: seat 0, play"), "add Qd"),
        (("hand 0: 9c 9s 2h Kd", "pile: Qh", "turn: seat 0, play"), "discard 2h"),
        (("hand 0: 9c 9s 2h Ks", "pile: 3h 4h", "turn: seat 0, play"), "discard Ks"),
        (("players: 3", "hand 0: 2h", RUN, "pile: Qd", "turn: seat 1, call, after 0"), "call"),
        (("hand 0: Ac 5h 9h", "melds 1: 2c 3c 4c | Ad Ah As", "turn: seat 0, choose add Ac"), "meld 1"),
    ],
)
def test_what_greedy_does(lines, expected):
    assert choice(*lines) == expected
