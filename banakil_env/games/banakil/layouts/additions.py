"""What may a meld on the table become with the cards of a hand? Every way to add to it, by the engine's own rules.

All orders of additions and exchanges are walked through (B5), so free and fixed wilds, Twos that move, the thirteenth
card and Jokers that come out are right because the engine is. A way is what it costs: the naturals, whether a Two,
and whether a Joker lies in the meld in the end.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.melds import (
    HIGH,
    LOW,
    ends_for_joker,
    ends_for_two,
    joker_of,
    naturals_for_joker,
    naturals_of,
    naturals_that_fit,
    two_of,
    with_exchange,
    with_joker,
    with_natural,
    with_two,
)

# A way: its naturals (ranks of a sequence, suits of a set) in 12 bits, then a Two added, then a Joker in it.
WAY_TWO, WAY_JOKER = 12, 13
MAX_WAYS = 1024
_MAX_MELDS_SEEN = 4096


@compiled
def _see(seen: Any, count: int, meld: int) -> int:
    """Note a meld that can be made, once; how many there are now."""
    for i in range(count):
        if seen[i] == meld:
            return count
    if count < _MAX_MELDS_SEEN:
        seen[count] = meld
        return count + 1
    return count


@compiled
def ways_to_add(meld: int, hand: int, two: bool, joker: bool, fixed: bool, sets_too: bool, ways: Any) -> int:
    """Write the ways to add to a meld into `ways` (int64, MAX_WAYS), leaving it as it is among them; how many.

    Args:
        hand: the faces in the hand, a mask.
        two, joker: whether there is a Two, a Joker to add.
        sets_too: whether a Joker may be exchanged out of a set (B9.10).
    """
    seen = scratch(_MAX_MELDS_SEEN)
    seen[0] = meld
    count, done, found = wide(1), 0, wide(0)
    while done < count:
        now = seen[done]
        done += 1
        gained = naturals_of(now) & ~naturals_of(meld)
        way = gained | wide(two_of(now) != two_of(meld)) << WAY_TWO | joker_of(now) << WAY_JOKER
        new = True
        for i in range(found):
            if ways[i] == way:
                new = False
                break
        if new and found < MAX_WAYS:
            ways[found] = way
            found += 1
        exchanges = naturals_for_joker(now, fixed, sets_too) & hand
        while exchanges:
            count = _see(seen, count, with_exchange(now, lowest(exchanges)))
            exchanges &= exchanges - 1
        fits = naturals_that_fit(now, fixed) & hand
        while fits:
            count = _see(seen, count, with_natural(now, lowest(fits), fixed))
            fits &= fits - 1
        if two:
            ends = ends_for_two(now, fixed)
            for end in (LOW, HIGH):
                if ends & end:
                    count = _see(seen, count, with_two(now, wide(0), end, fixed))
        if joker:
            ends = ends_for_joker(now, fixed)
            for end in (LOW, HIGH):
                if ends & end:
                    count = _see(seen, count, with_joker(now, end, fixed))
    return found
