"""Assigns players to seats: every deal is played in several seatings that together favor no player.

If a table has two players, they play each deal in these seatings:

* with two seats or two sides, in two: one seating, and the same with the players exchanged;
* with three seats, in six: all that seat both players;
* with four individuals, in six: all that give each player two seats.

Over one deal each player holds every hand equally often, with every neighbor equally often. The luck of the cards is
the same for both players and cancels.

If every seat (or side) has a different player, the seatings are those in which any two players hold any two seats
exactly once. Fewer seatings cannot do this: n seats have n (n - 1) ordered pairs, and one table covers one of them for
each two players. For two and three players these are all orders, 2 and 6; for four they are the 12 even orders of 24.
Each player sits at every seat, and for each of its seats, every other player sits at every other seat once.

With five or more seats, not all of these properties can be kept with few tables. Two players then alternate round the
table, in every rotation, and again with the two players exchanged. Different players on all seats play in n (n - 1)
orders again. Each player sits at every seat equally often, and directly before each other player, round the table,
equally often, so no player has better neighbors. With five and seven seats any two players also hold any two seats
exactly once, as with four.
"""

from __future__ import annotations

import itertools

PAIRS, MIXED = "pairs", "mixed"
SEATINGS = (PAIRS, MIXED)
FEW = 4  # up to this number of seats, all balanced tables are played

# Orders of the players 0..n-1. Take the steps from each player to the next, round the table and modulo n: over all
# orders
# of an n together, each step of 1..n-1 occurs equally often. A test counts the resulting tables. For a prime n such
# orders are the multiples of 0..n-1. These two were found by search.
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
    """The player at each seat, for each table of a deal; players are numbered from 0 to `company` - 1.

    Args:
        num_players: the number of seats.
        partners: whether the seats play as partners.
        kind: PAIRS for two players at a table, MIXED for a different player on every seat or side.
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
    """All pairs of `count` players. A single player is paired with itself."""
    return groups(count, 2) if count > 1 else ((0, 0),)


def groups(count: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Every choice of `size` out of `count` players for a table."""
    return tuple(itertools.combinations(range(count), size))


def _in_turns(num_players: int) -> tuple[tuple[int, ...], ...]:
    """Two players alternating round the table: every rotation, and the same with the two players exchanged."""
    first = tuple(seat % 2 for seat in range(num_players))
    turned = [first[by:] + first[:by] for by in range(num_players)]
    return tuple(dict.fromkeys([*turned, *(tuple(1 - who for who in table) for table in turned)]))


def _neighborly(num_players: int) -> tuple[tuple[int, ...], ...]:
    """The orders of `_ORDERS` and all their rotations: for each order, each player sits once on each seat."""
    n = num_players
    multiples = [tuple(step * seat % n for seat in range(n)) for step in range(1, n)]
    orders = _ORDERS.get(n, multiples)
    return tuple(tuple((who + by) % n for who in order) for order in orders for by in range(n))


def _even(order: tuple[int, ...]) -> bool:
    """Whether a permutation is even."""
    return sum(a > b for a, b in itertools.combinations(order, 2)) % 2 == 0
