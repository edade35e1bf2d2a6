"""Is `greedy` clearly ahead of simple players, and does it do what a sensible person would?"""

from __future__ import annotations

import pytest
from choices import choice_of
from duels import duel
from tonk_players import SIMPLE
from tonk_tables import at

from banakil_env.games import tonk
from banakil_env.kit import uniform

PLAYERS = {"greedy": tonk.GAME.players["greedy"], "random": uniform.act, **SIMPLE}

# Stakes a deal by which it is ahead of each other seat, at the least.
AHEAD = {"random": 1.0, "at_once": 0.7, "never": 0.35, "from_stock": 0.35, "low": 0.12}


@pytest.mark.parametrize("other", AHEAD)
def test_greedy_is_ahead(other, long):
    for players in (2, 3, 4):
        found = duel(tonk.GAME, PLAYERS, "greedy", other, 100_000 if long else 10_000, num_players=players)
        assert found.own - found.theirs > AHEAD[other], players


def choice(*said):
    """What greedy does in a position."""
    return choice_of(tonk, "greedy", at(*said))


FIVE = "hand 1: 4c 8c 5d 6d 9h"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("hand 0: Ac 2d 3h 4s 5s", FIVE, "pile: Kd"), "drop"),
        (("hand 0: Kc Qd Jh 8s 9s", FIVE, "pile: Td"), "draw"),
        (("hand 0: Kc Kd 9s 2h 8s", FIVE, "pile: Kh"), "take"),
        (("hand 0: 8s 9s Qc", "hand 1: 3c", "melds 1: 4h 5h 6h", "pile: 7h"), "take"),
        (("hand 0: 8s 9s Qc", "hand 1: 3c", "melds 1: 4h 5h 6h", "held: 0", "pile: 7h", "turns: 10"), "draw"),
        (("turn: seat 0, play", "hand 0: 5h 6h 7h 8h 8c 8d", FIVE.replace("8c ", "7c "), "pile: Kd"), "open 5h 6h 7h"),
        (("turn: seat 0, play", "hand 0: Kc Qc 4s 5h 2d 9d", "hand 1: 3c", "pile: Th"), "discard 9d"),
        (
            ("turn: seat 0, choose add 9c", "hand 0: 9c Ks", "hand 1: 4c", "melds 0: 9d 9h 9s", "melds 1: Tc Jc Qc"),
            "meld 1",
        ),
        (("turn: seat 0, tonk", "hand 0: Tc Td Jh Kh Qs", FIVE, "pile: 3d"), "tonk"),
    ],
)
def test_what_greedy_does(said, expected):
    assert choice(*said) == expected
