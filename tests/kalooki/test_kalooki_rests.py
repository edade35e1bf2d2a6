"""What do networks of Kalooki see of each discard?"""

from __future__ import annotations

from kalooki_tables import table
from rests_seen import rests_at

from banakil_env.games import find


def test_what_a_discard_leaves_and_gives():
    """7c 7c 7d are a three; with 8c and 8s, both in the pile, Kh makes nothing and 8h a three."""
    numbers = rests_at(find("kalooki"), table("hand 0: 7c 7c 7d JK Kh 8h", "pile: 8c 8s 4d"))
    assert (numbers["rest_loose"]["Kh"], numbers["rest_loose"]["7d"]) == (1, 4)
    assert (numbers["gives_pile"]["8h"], numbers["gives_pile"]["Kh"]) == (1, 0)
