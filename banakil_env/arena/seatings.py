"""Who sits where? Every deal is played by two players in all the ways that share the seats out evenly between them.

With two seats or two sides these are the two swaps; with three seats the six tables that have both players at them;
with four individuals the six that seat each twice. Over one deal each player holds every hand equally often, with
every neighbour equally often: what the cards gave is the same for both, and cancels.
"""

from __future__ import annotations

import itertools


def seatings(num_players: int, partners: bool) -> tuple[tuple[int, ...], ...]:
    """For each table of a deal, which of the two players, 0 or 1, sits at each seat."""
    if partners:
        return tuple((a, 1 - a) * (num_players // 2) for a in range(2))
    tables = itertools.product(range(2), repeat=num_players)
    if num_players % 2:
        return tuple(table for table in tables if 0 < sum(table) < num_players)
    return tuple(table for table in tables if sum(table) == num_players // 2)


def pairings(count: int) -> tuple[tuple[int, int], ...]:
    """All pairs of `count` players; of a single player, the player against itself."""
    return tuple(itertools.combinations(range(count), 2)) if count > 1 else ((0, 0),)
