"""Which new sequences do the naturals of one suit make, for every number of wild cards spent on them?

A dynamic program from Three to Ace. A sequence on its way is known by how many naturals it has (three stand for
more), by the gaps that a wild must fill, and, where it could grow to all twelve ranks, by the room below it. Wilds
float: which of them a sequence has is settled when it ends (under fixed wilds the same cards can be laid, each wild
at once in its place). At most two sequences take a natural of the same rank and none skips more than two ranks, so no
more than six are ever on their way.

The answer is a table over (Threes kept for sets, Aces kept for sets, Twos used, Jokers used); its entries count cards
and half points in one number (`weights` in `layout.py`).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount, wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import ACE, LOW_VALUE, MIDDLE_VALUE, NUM_RANKS, THREE

# The table: (threes, aces, twos, jokers), each up to both copies of what there is.
MAX_TWOS, MAX_JOKERS = 8, 2
_PER_TWO = MAX_JOKERS + 1
_PER_ACE = (MAX_TWOS + 1) * _PER_TWO
_PER_THREE = 3 * _PER_ACE
TABLE_SIZE = 3 * _PER_THREE
NONE = -1  # an entry that cannot be had

# A sequence on its way in five bits: 1 + 9 * (naturals - 1) + 3 * gaps + room below; 0 for no sequence.
_CODE, _CODE_MASK = 5, 31
_MAX_OPEN = 6
_OPEN_MASK = (1 << _CODE * _MAX_OPEN) - 1
# Behind the six codes of a state: Twos, Jokers, Threes kept, Aces kept.
_TWOS, _JOKERS, _THREES, _ACES = 30, 34, 36, 38

# States of one rank, a hash table with a list of its slots, made larger when it is full. Exact as long as the largest
# suffices. A suit with nearly all of its 24 cards and many wilds may need more: then the states that came last are left
# out, and the answer is a way to lay down the hand, perhaps not the best.
CAPACITY = 4096
_BOTH = 2 * CAPACITY  # of the rank before and of this one
_SMALL, _GROWTH = 64, 8
_HASH = 0x9E3779B1

# A sequence whose fate is open, while a state goes from one rank to the next.
_FRAME = 7
_STACK_SIZE = _FRAME * 64


@inlined
def entry(threes: int, aces: int, twos: int, jokers: int) -> int:
    """The place of an entry in a table."""
    return threes * _PER_THREE + aces * _PER_ACE + twos * _PER_TWO + jokers


@inlined
def rank_value(rank: int, ace_value: int) -> int:
    """Half points of a natural."""
    return ace_value if rank == ACE else (LOW_VALUE if rank < 4 else MIDDLE_VALUE)


@compiled
def _with_open(codes: int, code: int) -> int:
    """The sequences on their way and one more, the highest code first, so that equal sets are equal numbers."""
    shift = 0
    while codes >> shift & _CODE_MASK > code:
        shift += _CODE
    below = codes & ((1 << shift) - 1)
    return below | code << shift | codes >> shift << (shift + _CODE)


@compiled
def _put(keys: Any, values: Any, slots: Any, at: int, count: int, mask: int, key: int, value: int) -> int:
    """Note the best value of a state in the half of the table at `at`; how many states there are now."""
    slot = at + (((key ^ key >> 13 ^ key >> 29) & 0x7FFFFFFF) * _HASH >> 15 & mask)
    while keys[slot] != NONE:
        if keys[slot] == key:
            if value > values[slot]:
                values[slot] = value
            return count
        slot = at + (slot + 1 & mask)
    if count > mask - (mask >> 3):
        return count  # full: the caller takes a larger table
    keys[slot] = key
    values[slot] = value
    slots[at + count] = slot
    return count + 1


@inlined
def _push(
    stack: Any, depth: int, rest: int, done: int, free: int, used: int, gain: int, ended: int, blocked: int
) -> int:
    at = depth * _FRAME
    stack[at] = rest
    stack[at + 1] = done
    stack[at + 2] = free
    stack[at + 3] = used
    stack[at + 4] = gain
    stack[at + 5] = ended
    stack[at + 6] = blocked
    return depth + 1


@compiled
def _end_sequence(
    stack: Any, depth: int, at: int, rank: int, max_twos: int, max_jokers: int, two_weight: int, joker_weight: int
) -> int:
    """The ways in which the first open sequence of the frame `at` ends below `rank`, each pushed as a frame."""
    rest, done, free, used, gain = stack[at], stack[at + 1], stack[at + 2], stack[at + 3], stack[at + 4]
    code = (rest & _CODE_MASK) - 1
    naturals, gaps, below = code // 9 + 1, code // 3 % 3, code % 3
    room = below + NUM_RANKS - rank
    for two in range(2):
        if (used >> _TWOS & 15) + two > max_twos:
            break
        for joker in range(2):
            if (used >> _JOKERS & 3) + joker > max_jokers:
                break
            spare = two + joker - gaps
            if spare < 0 or naturals + two + joker < 3:
                continue
            # B3.3: no more than twelve cards, but a Two on eleven naturals stays when the twelfth is added.
            if spare > room and not (below == 0 and rank == NUM_RANKS and gaps == 0 and joker == 0):
                continue
            depth = _push(
                stack,
                depth,
                rest >> _CODE,
                done,
                free,
                used + (two << _TWOS) + (joker << _JOKERS),
                gain + two * two_weight + joker * joker_weight,
                1,
                stack[at + 6] | (two + joker == 0),
            )
    return depth


@compiled
def _solve_suit(
    size: int,
    one: int,
    both: int,
    max_twos: int,
    max_jokers: int,
    twos: int,
    jokers: int,
    base: int,
    sets: int,
    value_weight: int,
    card_weight: int,
    ace_value: int,
    table: Any,
) -> bool:
    """`solve_suit` with room for so many states; False if they were too many, and nothing has been entered."""
    keys, values, slots = scratch(_BOTH), scratch(_BOTH), scratch(_BOTH)
    stack = scratch(_STACK_SIZE)
    wild_kinds = (twos < max_twos) + (jokers < max_jokers)
    mask = size - 1
    for i in range(size):
        keys[i] = NONE
        keys[size + i] = NONE
    # Only with eleven ranks can a sequence lack the room for its wilds.
    tight = popcount(one) >= NUM_RANKS - 1
    two_weight, joker_weight = 4 * value_weight + card_weight, 8 * value_weight + card_weight
    here, there = 0, size
    count = _put(keys, values, slots, here, wide(0), mask, (twos << _TWOS) + (jokers << _JOKERS), base)
    for rank in range(NUM_RANKS + 1):
        if count == 1 and not one >> rank & 1 and keys[slots[here]] & _OPEN_MASK == 0:
            continue  # nothing on its way and nothing to begin with
        cards = (one >> rank & 1) + (both >> rank & 1)
        weight = rank_value(rank, ace_value) * value_weight + card_weight
        near = popcount(one >> (rank + 1) & ((4 << wild_kinds) - 1))
        startable = min(near, 2) + wild_kinds >= 2
        keeps = (rank == THREE and sets & 1 != 0) or (rank == ACE and sets & 2 != 0)
        kept_shift = _THREES if rank == THREE else _ACES
        below = min(rank, 2) if tight else 2
        next_count = wide(0)
        for i in range(count):
            slot = slots[here + i]
            key, value = keys[slot], values[slot]
            keys[slot] = NONE
            depth = _push(stack, wide(0), key & _OPEN_MASK, wide(0), cards, key & ~_OPEN_MASK, value, wide(0), wide(0))
            while depth:
                depth -= 1
                at = depth * _FRAME
                rest, done, free = stack[at], stack[at + 1], stack[at + 2]
                used, gain, ended, blocked = stack[at + 3], stack[at + 4], stack[at + 5], stack[at + 6]
                if rest == 0:
                    most_new = free if startable and not (blocked and not tight) else wide(0)
                    for new in range(most_new + 1):
                        left = free - new
                        state = used | done
                        for kept in range(left + 1 if keeps else 1):
                            # A card left over belongs to a sequence that ended or skipped here, if there is one.
                            if left > kept and ended and not tight:
                                continue
                            next_count = _put(
                                keys,
                                values,
                                slots,
                                there,
                                next_count,
                                mask,
                                state + (kept << kept_shift),
                                gain + (new + kept) * weight,
                            )
                        done = _with_open(done, 1 + below)
                    continue
                # The frame is overwritten by its successors: the last way to go on is pushed first.
                code = (rest & _CODE_MASK) - 1
                gaps = code // 3 % 3
                top = _end_sequence(stack, depth + 1, at, rank, max_twos, max_jokers, two_weight, joker_weight)
                if gaps < wild_kinds and rank < ACE and one >> (rank + 1):
                    top = _push(
                        stack, top, rest >> _CODE, _with_open(done, code + 4), free, used, gain, wide(1), blocked
                    )
                if free:
                    longer = code + 10 if code < 18 else code + 1
                    top = _push(
                        stack,
                        top,
                        rest >> _CODE,
                        _with_open(done, longer),
                        free - 1,
                        used,
                        gain + weight,
                        ended,
                        blocked,
                    )
                # Close the hole that the frame leaves.
                top -= 1
                if top > depth:
                    for cell in range(_FRAME):
                        stack[at + cell] = stack[top * _FRAME + cell]
                depth = top
        here, there = there, here
        count = next_count
        if count > mask - (mask >> 3):
            if size < CAPACITY:
                return False
    for i in range(count):
        slot = slots[here + i]
        key = keys[slot]
        if key & _OPEN_MASK == 0:
            place = entry(key >> _THREES & 3, key >> _ACES & 3, key >> _TWOS & 15, key >> _JOKERS & 3)
            if values[slot] > table[place]:
                table[place] = values[slot]
    return True


@compiled
def solve_suit(
    one: int,
    both: int,
    max_twos: int,
    max_jokers: int,
    twos: int,
    jokers: int,
    base: int,
    sets: int,
    value_weight: int,
    card_weight: int,
    ace_value: int,
    table: Any,
) -> None:
    """Enter into `table` the best that new sequences make of a suit.

    Args:
        one, both: ranks of which there is a card, of which there are two.
        max_twos, max_jokers: how many may be used in all.
        twos, jokers, base: used already by additions to melds on the table, and what those count.
        sets: bit 0, Threes may be kept for sets; bit 1, Aces. Cards kept count as laid down.
        value_weight, card_weight: what a half point and a card count.
        ace_value: half points of an Ace.
        table: int64, TABLE_SIZE; entries are raised, never lowered.
    """
    size = wide(_SMALL)
    while not _solve_suit(
        size,
        one,
        both,
        max_twos,
        max_jokers,
        twos,
        jokers,
        base,
        sets,
        value_weight,
        card_weight,
        ace_value,
        table,
    ):
        size *= _GROWTH
