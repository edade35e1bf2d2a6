"""Lists every way to add to a meld on the table with the cards of a hand.

The search tries all orders of additions and exchanges (B5) with the functions of melds.py. It therefore follows the
engine's rules for free and fixed wilds, Twos that move, the thirteenth card and Jokers that come out. A *way* is the
cost of a change: the naturals added, whether a Two is added, and whether the meld has a Joker in the end.

The list is exact up to MAX_WAYS ways among the first _MAX_MELDS_SEEN melds. Further melds are left out.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.jit import compiled, inlined
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

# Bits of a way: its naturals (ranks of a sequence, suits of a set) in 12 bits, then "a Two is added", "has a Joker".
WAY_TWO, WAY_JOKER = 12, 13
MAX_WAYS = 1024
_WORDS = 1 << WAY_JOKER + 1 - 6  # 64-bit words with one bit for every way
# The melds that can be made: a list and a hash table of indices into the list. The table grows when it is half full.
_MAX_MELDS_SEEN = 4096
_SLOTS = 2 * _MAX_MELDS_SEEN
_SMALL, _GROWTH = 64, 8
_HASH = 0x9E3779B1
_EMPTY = -1
_MOST_NEXT = 32  # most melds that one more card makes of a meld: 12 ranks added, 12 exchanged, two ends for each wild


@inlined
def _slot(meld: int, size: int) -> int:
    return (meld * _HASH >> 12) & (size - 1)


@compiled
def _index(seen: Any, count: int, slots: Any, size: int) -> None:
    """Fill `slots`, a hash table of `size` slots, with the places of the first `count` melds of the list `seen`."""
    for slot in range(size):
        slots[slot] = _EMPTY
    for i in range(count):
        slot = _slot(seen[i], size)
        while slots[slot] != _EMPTY:
            slot = slot + 1 & size - 1
        slots[slot] = i


@compiled
def _see(seen: Any, count: int, slots: Any, size: int, meld: int) -> int:
    """Append a meld to the list `seen` unless it is there or the list is full; return the length of the list.

    `count` is the length before. `slots` is the hash table of the list; see `_index`.
    """
    slot = _slot(meld, size)
    while slots[slot] != _EMPTY:
        if seen[slots[slot]] == meld:
            return count
        slot = slot + 1 & size - 1
    if count == _MAX_MELDS_SEEN:
        return count
    seen[count] = meld
    slots[slot] = count
    return count + 1


@compiled
def ways_to_add(meld: int, hand: int, two: bool, joker: bool, fixed: bool, sets_too: bool, ways: Any) -> int:
    """Write the ways to add to a meld, including the way that adds nothing, into `ways`; return their number.

    Args:
        meld: a packed meld on the table.
        hand: the faces in the hand, as a mask.
        two: whether the hand has a Two to add.
        joker: whether the hand has a Joker to add.
        fixed: whether wild cards are fixed (B9.5).
        sets_too: whether a Joker may be exchanged out of a set (B9.10).
        ways: int64 (MAX_WAYS,), written.
    """
    seen, slots, noted = scratch(_MAX_MELDS_SEEN), scratch(_SLOTS), scratch(_WORDS)
    for word in range(_WORDS):
        noted[word] = 0
    size = _SMALL
    seen[0] = meld
    _index(seen, 1, slots, size)
    count, done, found = 1, 0, 0
    while done < count:
        if size < _SLOTS and count > size - _MOST_NEXT:
            size = min(size * _GROWTH, _SLOTS)
            _index(seen, count, slots, size)
        now = seen[done]
        done += 1
        gained = naturals_of(now) & ~naturals_of(meld)
        way = gained | int(two_of(now) != two_of(meld)) << WAY_TWO | joker_of(now) << WAY_JOKER
        if noted[way >> 6] >> (way & 63) & 1 == 0 and found < MAX_WAYS:
            noted[way >> 6] |= 1 << (way & 63)
            ways[found] = way
            found += 1
        exchanges = naturals_for_joker(now, fixed, sets_too) & hand
        while exchanges:
            count = _see(seen, count, slots, size, with_exchange(now, lowest(exchanges)))
            exchanges &= exchanges - 1
        fits = naturals_that_fit(now, fixed) & hand
        while fits:
            count = _see(seen, count, slots, size, with_natural(now, lowest(fits), fixed))
            fits &= fits - 1
        if two:
            ends = ends_for_two(now, fixed)
            for end in (LOW, HIGH):
                if ends & end:
                    count = _see(seen, count, slots, size, with_two(now, 0, end, fixed))
        if joker:
            ends = ends_for_joker(now, fixed)
            for end in (LOW, HIGH):
                if ends & end:
                    count = _see(seen, count, slots, size, with_joker(now, end, fixed))
    return found
