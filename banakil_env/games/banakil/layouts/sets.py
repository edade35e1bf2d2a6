"""Sets of Threes or of Aces: which cards of a rank they take, and with how many Jokers.

A *share* is the number of cards of one rank, 0, 1 or 2, that each suit gives to sets. It is written as four digits in
base 3, the first suit lowest: two Threes of clubs and one of hearts are 2 + 1 * 9 = 11. The functions here compute for
every share the numbers of Jokers with which all its cards are in sets. Bit j of the result stands for j Jokers; 0 means
that some card is always left over. The results are exact: the table of new sets is made by enumeration, and melds grow
by the engine's rules.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import COPIES, NUM_SUITS
from banakil_env.games.banakil.layouts.additions import MAX_WAYS, WAY_JOKER, ways_to_add
from banakil_env.games.banakil.melds import kind_of

NUM_SHARES = (COPIES + 1) ** NUM_SUITS
_JOKERS = 0b111  # bits for 0, 1 or 2 Jokers in all: the pack has no more


def _new_sets() -> Any:
    """Return for every share the numbers of Jokers with which its cards make new sets, and no card is left over.

    The result is int64 (NUM_SHARES,), of bits.
    """
    made: dict[tuple[int, ...], int] = {(0, 0, 0, 0): 1}
    sets = [(s, j) for s in product((0, 1), repeat=4) for j in range(2) if sum(s) >= 2 and 3 <= sum(s) + j <= 4]
    for _ in range(4):  # at most four sets, because each takes at least two of eight cards
        for share, jokers in list(made.items()):
            for suits, joker in sets:
                more = tuple(a + b for a, b in zip(share, suits, strict=True))
                if max(more) <= COPIES:
                    made[more] = made.get(more, 0) | (jokers << joker & _JOKERS)
    table = np.zeros(NUM_SHARES, np.int64)
    for share, jokers in made.items():
        table[sum(n * 3**suit for suit, n in enumerate(share))] = jokers
    return table


NEW_SETS = _new_sets()
# The share in which each suit of a mask gives one card.
SHARE_OF_SUITS = np.array([sum((m >> s & 1) * 3**s for s in range(4)) for m in range(16)], np.int64)


@compiled
def no_sets(shares: Any) -> None:
    """Write into `shares` (int64, NUM_SHARES) that no card of the rank can be in a set."""
    for share in range(NUM_SHARES):
        shares[share] = 0
    shares[0] = 1


@compiled
def sets_of_rank(
    melds: Any, num_melds: int, kind: int, one: int, joker: bool, fixed: bool, sets_too: bool, shares: Any
) -> None:
    """Write for each share the numbers of Jokers with which new sets and melds on the table take its cards.

    Args:
        melds: the packed melds that may be added to, int64. A Joker in one of them counts.
        num_melds: the number of melds.
        kind: THREES or ACES.
        one: mask of the faces in the hand.
        joker: whether a Joker may be added.
        fixed: whether wilds are fixed; see `best_layout`.
        sets_too: whether a Joker may be exchanged out of a set; see `best_layout`.
        shares: int64 (NUM_SHARES,), written as bits.
    """
    for share in range(NUM_SHARES):
        shares[share] = NEW_SETS[share]
    ways = scratch(MAX_WAYS)
    for slot in range(num_melds):
        if kind_of(melds[slot]) == kind:
            count = ways_to_add(melds[slot], one, False, joker, fixed, sets_too, ways)
            _add_meld(shares, ways, count)


@compiled
def _add_meld(shares: Any, ways: Any, count: int) -> None:
    """Combine every share with each of the first `count` ways to add to one more meld."""
    before = scratch(NUM_SHARES)
    for share in range(NUM_SHARES):
        before[share] = shares[share]
        shares[share] = 0
    for i in range(count):
        suits = SHARE_OF_SUITS[ways[i] & 15]
        for share in range(NUM_SHARES):
            if before[share] and _can_be_added(share, suits):
                shares[share + suits] |= before[share] << (ways[i] >> WAY_JOKER) & _JOKERS


@compiled
def _can_be_added(first: int, second: int) -> bool:
    """Return whether two shares together take at most two cards of any suit."""
    for _ in range(NUM_SUITS):
        if first % 3 + second % 3 > COPIES:
            return False
        first //= 3
        second //= 3
    return True
