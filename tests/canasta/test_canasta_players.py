"""When does each compiled player lay its naturals down?"""

from __future__ import annotations

import pytest
from canasta_tables import at
from choices import choice_of

from banakil_env.games import canasta

HAND = "hand 0: 7c 7d 7h 9c 9s Jd Kc 4d 5d"
SHORT, LONG = "melds 0: Qc Qd Qh | 8c 8d 8h", "melds 0: Qc Qd Qh | 8c 8d 8h 8h 8d"


@pytest.mark.parametrize(
    ("player", "lines", "expected"),
    [
        ("greedy", (HAND, SHORT), "open"),
        ("expert", (HAND, SHORT), "discard"),  # Sevens wait to take the pile
        ("greedy", ("hand 0: 8s Kc 4d 9c 9s Jd", SHORT), "add"),
        ("expert", ("hand 0: 8s Kc 4d 9c 9s Jd", SHORT), "discard"),
        ("expert", ("hand 0: 8s Kc 4d 9c 9s Jd", LONG), "add"),  # near a canasta
    ],
)
def test_expert_holds_naturals_back_at_a_table_of_two(player: str, lines: tuple[str, ...], expected: str) -> None:
    state = at("players: 2", "turn: seat 0, play", *lines)
    assert choice_of(canasta, player, state).split()[0] == expected


@pytest.mark.parametrize(
    ("player", "players", "expected"),
    [
        ("greedy", 2, "open Q Q Q"),  # 50 points are needed: both melds
        ("expert", 2, "open K K 2"),
        ("expert", 4, "open Q Q Q"),
    ],
)
def test_expert_begins_its_first_meld_with_a_wild_card_at_a_table_of_two(
    player: str, players: int, expected: str
) -> None:
    state = at(
        f"players: {players}", "turn: seat 0, play", "hand 0: Kc Kd Qc Qd Qh 2c 9s 4d 5d 6h Js", "melds 1: 7c 7d 7h"
    )
    assert choice_of(canasta, player, state).startswith(expected)
