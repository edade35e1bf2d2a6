"""When does each compiled player lay its naturals down?"""

from __future__ import annotations

import pytest
from canasta_tables import at
from choices import choice_of

from banakil_env.games import canasta

HAND = "hand 0: 7c 7d 7h 9c 9s Jd Kc 4d 5d"
SHORT, LONG = "melds 0: Qc Qd Qh | 8c 8d 8h", "melds 0: Qc Qd Qh | 8c 8d 8h 8h"


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
