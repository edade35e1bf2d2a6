"""Assigns players to seats: every deal is played in all the seatings that share the seats out evenly.

Two players at a table: with two seats or two sides these are the two swaps; with three seats the six tables that have
both players at them; with four individuals the six that seat each twice. Over one deal each player holds every hand
equally often, with every neighbour equally often: what the cards gave is the same for both, and cancels.

A different player on every seat (or side): the orders in which any two players hold any two seats exactly once. Fewer
cannot do that: n seats have n (n - 1) ordered pairs, and a table serves one of them for each two players. For two and
three these are all orders, 2 and 6; for four the 12 even ones of 24. Each player goes round all seats, and wherever it
sits, every other sits at every other seat once.

With five seats and more, fewer tables have to do. Two players: they take turns round the table, every rotation of that
and every exchange of the two. A different player on every seat: n (n - 1) orders again, in which each player sits at
every seat equally often, and right before each other player, round the table, equally often. So nobody has the better
neighbours. With five and seven seats any two players then hold any two seats exactly once, as with four.
"""

from __future__ import annotations

import itertools

PAIRS, MIXED = "pairs", "mixed"
SEATINGS = (PAIRS, MIXED)
FEW = 4  # up to this number of seats, all balanced tables are played

# Orders of the players 0..n-1. The steps from each player to the next, round the table and modulo n, are each of
# 1..n-1 equally often in all orders of an n together; a test counts what follows for the tables. With a prime n such
# orders are the multiples of 0..n-1; these two were found by trying.
_ORDERS = {
    6: ((0, 2, 5, 1, 4, 3), (0, 1, 2, 3, 5, 4), (0, 1, 5, 4, 3, 2), (0, 1, 3, 5, 4, 2), (0, 1, 4, 2, 5, 3)),
    8: (
        (0, 1, 2, 4, 7, 6, 5, 3),
        (0, 1, 2, 3, 4, 6, 7, 5),
        (0, 2, 6, 3, 7, 1, 5, 4),
        (0, 2, 5, 4, 7, 1, 6, 3),
        (0, 2, 1, 7, 5, 3, 6, 4),
        (0, 1, 4, 2, 5, 7, 6, 3),
        (0, 3, 2, 6, 5, 1, 7, 4),
    ),
}


def seatings(num_players: int, partners: bool, kind: str = PAIRS) -> tuple[tuple[int, ...], ...]:
    """For each table of a deal, the player at each seat, out of the `company` players from 0 on.

    Args:
        kind: PAIRS, two players at a table, or MIXED, a different one on every seat or side.
    """
    if partners:
        return tuple((a, 1 - a) * (num_players // 2) for a in range(2))
    if kind == MIXED and num_players > FEW:
        return _neighborly(num_players)
    if kind == MIXED:
        return tuple(order for order in itertools.permutations(range(num_players)) if num_players < 4 or _even(order))
    if num_players > FEW:
        return _in_turns(num_players)
    tables = itertools.product(range(2), repeat=num_players)
    if num_players % 2:
        return tuple(table for table in tables if 0 < sum(table) < num_players)
    return tuple(table for table in tables if sum(table) == num_players // 2)


def company(num_players: int, partners: bool, kind: str = PAIRS) -> int:
    """The number of different players at one table."""
    return num_players if kind == MIXED and not partners else 2


def pairings(count: int) -> tuple[tuple[int, ...], ...]:
    """All pairs of `count` players; of a single player, the player against itself."""
    return groups(count, 2) if count > 1 else ((0, 0),)


def groups(count: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Every choice of `size` out of `count` players for a table."""
    return tuple(itertools.combinations(range(count), size))


def _in_turns(num_players: int) -> tuple[tuple[int, ...], ...]:
    """Two players in turns round the table: every rotation, and the same with the two exchanged."""
    first = tuple(seat % 2 for seat in range(num_players))
    turned = [first[by:] + first[:by] for by in range(num_players)]
    return tuple(dict.fromkeys([*turned, *(tuple(1 - who for who in table) for table in turned)]))


def _neighborly(num_players: int) -> tuple[tuple[int, ...], ...]:
    """The orders of `_ORDERS` and all their shifts: each player once on each seat with every order."""
    n = num_players
    multiples = [tuple(step * seat % n for seat in range(n)) for step in range(1, n)]
    orders = _ORDERS.get(n, multiples)
    return tuple(tuple((who + by) % n for who in order) for order in orders for by in range(n))


def _even(order: tuple[int, ...]) -> bool:
    """Whether an even number of swaps makes this order."""
    return sum(a > b for a, b in itertools.combinations(order, 2)) % 2 == 0
