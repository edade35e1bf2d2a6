"""When does each compiled player lay its naturals down?"""

from __future__ import annotations

import pytest
from choices import choice_of
from mille_tables import at

from banakil_env.games import mille

HAND = "hand 0: 7c 7d 7h 9c 9s Jd Kc 4d 5d"
LARGE = "hand 0: 7c 7d 7h 9c 9s Jd Kc 4d 5d 3c 3d 4c 5c 8c 8d 9d Js Jh Kd Ks Ad Ah 8h 4h"
MANY, FEW = "hand 1: 6c 6d Tc Th As Ac", "hand 1: 6c 6d"


def choice(player: str, *lines: str) -> str:
    """What a player does at a position where seat 0 plays."""
    return choice_of(mille, player, at("turn: seat 0, play", *lines))


@pytest.mark.parametrize(
    ("player", "lines", "expected"),
    [
        ("greedy", (HAND, MANY), "open"),
        ("expert", (HAND, MANY), "discard"),  # three Sevens can take the pile
        ("expert", (HAND, FEW), "open"),  # the other is nearly out
        ("expert", ("hand 0: 7c 7d 7h 9c", MANY), "open"),  # out with the next discard
        ("expert", (LARGE, MANY), "open"),
        ("greedy", ("hand 0: 8c Kc 4d", "melds 0: 8d 8h 8s", MANY), "add"),
        ("expert", ("hand 0: 8c Kc 4d", "melds 0: 8d 8h 8s", MANY), "discard"),
    ],
)
def test_naturals_are_held_back_while_the_other_has_many_cards_and_the_own_hand_few(
    player: str, lines: tuple[str, ...], expected: str
) -> None:
    assert choice(player, *lines).split()[0] == expected
