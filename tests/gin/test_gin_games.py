"""Golden games of Gin Rummy that a person can follow, and positions that come back to the byte."""

from __future__ import annotations

import pytest
from gin_play import ending, play

from banakil_env.games import gin

# Each turn on a line of its own; at the end the scores.
GAMES = {
    "a knock with seven, and a lay-off that is not enough": (
        "openspiel",
        8,
        """
        pass, pass, draw, discard Td
        draw, discard Jc
        draw, discard Js
        take, discard Qh
        draw, discard 7s
        draw, knock, discard 7d, open Js Qs Ks, open 3c 3h 3s, pass
        add 3d, pass, open 8c 9c Tc, open 6c 6h 6s, pass
        """,
        "knock, seat 1",
        [0, 3],
    ),
    "a hand without any meld": (
        "openspiel",
        4,
        """
        pass, pass, draw, discard Jh
        take, discard Qs
        draw, discard Qc
        draw, discard 9h
        draw, discard 9s
        draw, knock, discard 7d, open Jh Qh Kh, open 8c 8d 8h, pass
        pass, pass
        """,
        "knock, seat 1",
        [0, 45],
    ),
    "the first upcard is taken by the dealer": (
        "common",
        5,
        """
        pass, take, discard Kd
        draw, discard Ks
        draw, discard Td
        draw, discard Kh
        draw, discard Th
        draw, discard Qd
        draw, discard Qs
        draw, discard Tc
        draw, knock, discard 5s, open As 2s 3s, open 7c 7h 7s, open 9c 9d 9h, pass
        add 9s, pass, open 5d 6d 7d, open Jc Jh Js, pass
        """,
        "knock, seat 1",
        [0, 10],
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_golden_games(name):
    rules, seed, lines, ended, scores = GAMES[name]
    state = gin.new(rules=rules, seed=seed)
    for line in lines.strip().splitlines():
        play(state, line)
    assert ending(state) == ended
    assert gin.scores(state) == scores
