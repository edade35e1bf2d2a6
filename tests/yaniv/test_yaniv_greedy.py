"""Is `greedy` clearly ahead of simple players? Points per deal: few are good. Both sit on each seat of equal deals."""

from __future__ import annotations

import pytest
from choices import choice_of
from duels import duel
from yaniv_players import SIMPLE

from banakil_env.games import yaniv
from banakil_env.kit import uniform

PLAYERS = {"greedy": yaniv.GAME.players["greedy"], "random": uniform.act, **SIMPLE}

TABLES = {
    "2": {"num_players": 2},
    "4": {"num_players": 4},
    "2-asaf": {"num_players": 2, "rules": "asaf"},
    "4-asaf": {"num_players": 4, "rules": "asaf"},
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("other", "ahead"), [("random", 20), ("at_once", 2), ("never", 1), ("from_stock", 2)])
def test_greedy_is_ahead(table, other, ahead, long):
    found = duel(yaniv.GAME, PLAYERS, "greedy", other, 100_000 if long else 2_000, **TABLES[table])
    assert found.own + ahead < found.theirs


def choice(text):
    """What greedy does in a position."""
    return choice_of(yaniv, "greedy", yaniv.from_text(text.replace("; ", "\n")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hand 0: 7c 8c 9c Kd Qh; pile: 2s", "discard 7c"),
        ("turn: seat 0, draw; laid: 7c 8c; hand 0: 9c Kd Qh; pile: 2s", "also 9c"),
        ("turn: seat 0, draw; laid: Kd; hand 0: 5c 5d 9h Qh; pile: Kh 5s", "take last"),
        ("turn: seat 0, draw; laid: Kd; hand 0: 5c 5d 9h Qh; pile: Kh Tc Ts; last: 2", "draw"),
        ("turn: seat 0, draw; laid: Kd; hand 0: 5c 5d 9h Qh; pile: Kh JK 9s Ts; last: 3", "take first"),
        ("hand 0: Ac JK; pile: 2s", "yaniv"),
        ("hand 0: 4c Ac; hand 1: 2h; known 1: 2h; pile: 2s", "discard 4c"),
    ],
)
def test_what_greedy_does(text, expected):
    assert choice(text) == expected
