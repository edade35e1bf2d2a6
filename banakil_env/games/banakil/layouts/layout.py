"""What is the best way to lay down a hand? The suits, the sets and the melds on the table put together.

Suits meet only in what they share: wild cards, and the Threes and Aces that sets take from all of them. So each suit
answers for every number of Twos, Jokers, and Threes and Aces kept (`sequences.py`), every meld on the table says what
may be added to it (`additions.py`), and here the best sum is found. A Joker that an exchange takes out of a meld is
one more to be laid down.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from banakil_env.core.bits import popcount, wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import (
    ACE,
    ALL_RANKS,
    ALL_TWOS,
    JOKER,
    JOKER_VALUE,
    LOW_VALUE,
    NUM_RANKS,
    NUM_SUITS,
    THREE,
    TWO_VALUE,
)
from banakil_env.games.banakil.layouts.additions import MAX_WAYS, WAY_JOKER, WAY_TWO, ways_to_add
from banakil_env.games.banakil.layouts.sequences import MAX_JOKERS, MAX_TWOS, NONE, TABLE_SIZE, entry, solve_suit
from banakil_env.games.banakil.melds import ACES, THREES, joker_of, kind_of, owner_of
from banakil_env.games.banakil.state import MAX_MELDS, meld_in, side_of

# What is to be had most of. The answer counts both in one number, what matters most in the high bits.
BY_VALUE, BY_CARDS = range(2)
_HIGH = 10  # 216 half points and 106 cards are fewer than 512; the low part may be negative

_SHARES = 81  # of the four suits, each 0, 1 or 2 cards of a rank, as digits in base 3
_ALL_WAYS = 4 * MAX_WAYS
_TABLES = NUM_SUITS * TABLE_SIZE
_PAIRS = (MAX_TWOS + 1) * (MAX_JOKERS + 1)
_STEPS = NUM_SUITS + 1
_SUMS = _PAIRS * _STEPS
_LEVELS = MAX_MELDS + 1


def _new_sets() -> Any:
    """For every share of the suits: with how many Jokers (bits 0 to 2) its cards make sets and none is left over."""
    made: dict[tuple[int, ...], int] = {(0, 0, 0, 0): 1}
    sets = [(s, j) for s in product((0, 1), repeat=4) for j in range(2) if sum(s) >= 2 and 3 <= sum(s) + j <= 4]
    for _ in range(4):  # four sets at most: they have two naturals or more
        for share, jokers in list(made.items()):
            for suits, joker in sets:
                more = tuple(a + b for a, b in zip(share, suits, strict=True))
                if max(more) <= 2:
                    made[more] = made.get(more, 0) | (jokers << joker & 0b111)
    table = np.zeros(_SHARES, np.int64)
    for share, jokers in made.items():
        table[sum(n * 3**suit for suit, n in enumerate(share))] = jokers
    return table


NEW_SETS = _new_sets()
# The index of a share in which each suit of a mask has one card.
SHARE_OF_SUITS = np.array([sum((m >> s & 1) * 3**s for s in range(4)) for m in range(16)], np.int64)


def packed(value: int, cards: int, by: int) -> int:
    """Half points and cards as one number, as the solver counts them."""
    return (value << _HIGH) + cards if by == BY_VALUE else (cards << _HIGH) + value


@inlined
def _high_part(answer: int) -> int:
    return (answer + (1 << _HIGH - 1)) >> _HIGH


@inlined
def _low_part(answer: int) -> int:
    return ((answer + (1 << _HIGH - 1)) & ((1 << _HIGH) - 1)) - (1 << _HIGH - 1)


@inlined
def laid_cards(answer: int, by: int) -> int:
    """How many cards fewer are in the hand when all is laid down."""
    return _low_part(answer) if by == BY_VALUE else _high_part(answer)


@inlined
def laid_value(answer: int, by: int) -> int:
    """Half points added to the own side's melds; less a Joker that comes out of them and stays in the hand."""
    return _high_part(answer) if by == BY_VALUE else _low_part(answer)


@compiled
def _fits_share(first: int, second: int) -> bool:
    """Whether two shares together have no suit with more than two cards."""
    for _ in range(NUM_SUITS):
        if first % 3 + second % 3 > 2:
            return False
        first //= 3
        second //= 3
    return True


@compiled
def _sets_of_rank(
    melds: Any, num_melds: int, kind: int, one: int, joker: bool, sets_too: bool, shares: Any, fixed: bool
) -> None:
    """For every share of the suits: with how many Jokers in all (bits) sets, old and new, take its cards."""
    for i in range(_SHARES):
        shares[i] = NEW_SETS[i]
    before, ways = scratch(_SHARES), scratch(MAX_WAYS)
    for slot in range(num_melds):
        if kind_of(melds[slot]) != kind:
            continue
        count = ways_to_add(melds[slot], one, False, joker, fixed, sets_too, ways)
        for i in range(_SHARES):
            before[i] = shares[i]
            shares[i] = 0
        for i in range(count):
            suits = SHARE_OF_SUITS[ways[i] & 15]
            for share in range(_SHARES):
                if before[share] and _fits_share(share, suits):
                    shares[share + suits] |= before[share] << (ways[i] >> WAY_JOKER) & 0b111


@compiled
def _suit_with_additions(
    suit: int,
    one: int,
    both: int,
    twos: int,
    jokers: int,
    melds: Any,
    num_melds: int,
    fixed: bool,
    sets: int,
    value_weight: int,
    card_weight: int,
    ace_value: int,
    table: Any,
) -> None:
    """The table of one suit, over all ways to add to its melds on the table."""
    ranks, ranks_both = one >> suit * NUM_RANKS & ALL_RANKS, both >> suit * NUM_RANKS & ALL_RANKS
    ways, first, choice = scratch(_ALL_WAYS), scratch(_LEVELS), scratch(_LEVELS)
    # What is left of the suit and has been used, before each meld's choice.
    lefts, leaves, uses, counts = (
        scratch(_LEVELS),
        scratch(_LEVELS),
        scratch(_LEVELS),
        scratch(_LEVELS),
    )
    growing, jokers_there = 0, wide(0)
    first[0] = 0
    for slot in range(num_melds):
        if kind_of(melds[slot]) != 1 + suit:
            continue
        jokers_there += joker_of(melds[slot])
        if first[growing] + MAX_WAYS <= _ALL_WAYS:
            count = ways_to_add(
                melds[slot], one, twos > 0, jokers > 0, fixed, True, ways[first[growing] : first[growing] + MAX_WAYS]
            )
            if count > 1:
                jokers_there -= joker_of(melds[slot])
                growing += 1
                first[growing] = first[growing - 1] + count
    lefts[0], leaves[0], uses[0], counts[0] = ranks, ranks_both, jokers_there, 0
    two_weight = TWO_VALUE * value_weight + card_weight
    joker_weight = JOKER_VALUE * value_weight + card_weight
    level = 0
    choice[0] = first[0]
    while level >= 0:
        if level == growing:
            used_twos, used_jokers = uses[level] >> 8, uses[level] & 255
            solve_suit(
                lefts[level],
                leaves[level],
                twos,
                jokers,
                used_twos,
                used_jokers,
                counts[level] + used_jokers * joker_weight,
                sets,
                value_weight,
                card_weight,
                ace_value,
                table,
            )
            level -= 1
            continue
        if choice[level] == first[level + 1]:
            level -= 1
            continue
        way = ways[choice[level]]
        choice[level] += 1
        naturals = way & ALL_RANKS
        use = uses[level] + ((way >> WAY_TWO & 1) << 8) + (way >> WAY_JOKER)
        if naturals & ~lefts[level] or use >> 8 > twos or use & 255 > jokers:
            continue
        lefts[level + 1] = lefts[level] & ~(naturals & ~leaves[level])
        leaves[level + 1] = leaves[level] & ~naturals
        uses[level + 1] = use
        counts[level + 1] = (
            counts[level]
            + (way >> WAY_TWO & 1) * two_weight
            + popcount(naturals) * card_weight
            + _value_of_ranks(naturals, ace_value) * value_weight
        )
        level += 1
        if level < growing:
            choice[level] = first[level]


@compiled
def _value_of_ranks(ranks: int, ace_value: int) -> int:
    return 2 * popcount(ranks) - popcount(ranks & 15) * LOW_VALUE + (ranks >> ACE & 1) * (ace_value - 2)


@compiled
def best_layout(
    one: int, both: int, melds: Any, num_melds: int, by: int, fixed: bool, sets_too: bool, ace_value: int
) -> int:
    """The best way to lay down a hand that may add to melds: `laid_cards` and `laid_value` take the answer apart.

    Args:
        one, both: the faces of which the hand has one card or more, has two, as masks.
        melds: the melds it may add to, int64, packed as melds.py says; the seat must have a meld in its own area
            (B5.1).
        num_melds: how many there are.
        by: BY_VALUE, the most half points, and of those the most cards; BY_CARDS, the most cards, then half points.
        fixed: fixed wilds (B9.5), which matter to melds on the table only.
        sets_too: a Joker may be exchanged out of a set (B9.10).
        ace_value: half points of an Ace.
    """
    value_weight = wide(1) << _HIGH if by == BY_VALUE else wide(1)
    card_weight = wide(1) if by == BY_VALUE else wide(1) << _HIGH
    joker_weight = JOKER_VALUE * value_weight + card_weight
    twos = popcount(one & ALL_TWOS) + popcount(both & ALL_TWOS)
    jokers = (one >> JOKER & 1) + (both >> JOKER & 1)
    jokers_there = wide(0)
    for slot in range(num_melds):
        jokers_there += joker_of(melds[slot])
    jokers += jokers_there
    threes, aces = scratch(_SHARES), scratch(_SHARES)
    sets = wide(0)
    for rank_index in range(2):
        shares = aces if rank_index else threes
        kind = ACES if rank_index else THREES
        rank = ACE if rank_index else THREE
        suits_there, sets_there = 0, 0
        for suit in range(NUM_SUITS):
            suits_there += one >> (suit * NUM_RANKS + rank) & 1
        for slot in range(num_melds):
            sets_there += kind_of(melds[slot]) == kind
        if suits_there + (jokers > 0) >= 3 or (sets_there and suits_there + jokers):
            _sets_of_rank(melds, num_melds, kind, one, jokers > 0, sets_too, shares, fixed)
            sets |= 1 << rank_index
        else:
            for i in range(_SHARES):
                shares[i] = 0
            shares[0] = 1
    tables = scratch(_TABLES)
    for i in range(_TABLES):
        tables[i] = NONE
    for suit in range(NUM_SUITS):
        _suit_with_additions(
            suit,
            one,
            both,
            twos,
            jokers,
            melds,
            num_melds,
            fixed,
            sets,
            value_weight,
            card_weight,
            ace_value,
            tables[suit * TABLE_SIZE : (suit + 1) * TABLE_SIZE],
        )
    # Jokers that no exchange touched count as used where they lie, on both sides.
    return _best_sum(tables, one, both, twos, jokers, sets, threes, aces, joker_weight) - jokers_there * joker_weight


@inlined
def _count(one: int, both: int, face: int) -> int:
    return (one >> face & 1) + (both >> face & 1)


@compiled
def _best_sum(
    tables: Any, one: int, both: int, twos: int, jokers: int, sets: int, threes: Any, aces: Any, joker_weight: int
) -> int:
    """The best sum of one entry of each suit, with Threes and Aces kept that make sets, within the wilds there are."""
    # sums[suit]: the best of the suits before, by Twos and Jokers used.
    sums = scratch(_SUMS)
    kept_threes, kept_aces = scratch(_STEPS), scratch(_STEPS)
    three_shares, ace_shares = scratch(_STEPS), scratch(_STEPS)
    for i in range(_PAIRS):
        sums[i] = NONE
    sums[0] = 0
    three_shares[0], ace_shares[0], kept_threes[0], kept_aces[0] = 0, 0, 0, 0
    best, suit, power = wide(NONE), wide(0), wide(1)
    while suit >= 0:
        if suit == NUM_SUITS:
            in_threes, in_aces = threes[three_shares[suit]], aces[ace_shares[suit]]
            if in_threes and in_aces:
                best = max(best, _best_end(sums, twos, jokers, in_threes, in_aces, joker_weight))
            suit -= 1
            power //= 3
            continue
        # Every number of Threes and Aces kept of this suit, one after the other.
        if kept_aces[suit] > (_count(one, both, suit * NUM_RANKS + ACE) if sets & 2 else 0):
            kept_aces[suit] = 0
            kept_threes[suit] += 1
        if kept_threes[suit] > (_count(one, both, suit * NUM_RANKS + THREE) if sets & 1 else 0):
            suit -= 1
            power //= 3
            continue
        place = suit * TABLE_SIZE + entry(kept_threes[suit], kept_aces[suit], wide(0), wide(0))
        three_shares[suit + 1] = three_shares[suit] + kept_threes[suit] * power
        ace_shares[suit + 1] = ace_shares[suit] + kept_aces[suit] * power
        kept_aces[suit] += 1
        _add_suit(sums, suit * _PAIRS, tables, place, twos, jokers)
        suit += 1
        power *= 3
        kept_threes[suit], kept_aces[suit] = 0, 0
    return best


@compiled
def _add_suit(sums: Any, at: int, tables: Any, place: int, twos: int, jokers: int) -> None:
    """The sums of the suits so far and one more, for every number of Twos and Jokers."""
    row = MAX_JOKERS + 1
    for i in range(_PAIRS):
        sums[at + _PAIRS + i] = NONE
    for t in range(twos + 1):
        for j in range(jokers + 1):
            before = sums[at + t * row + j]
            if before == NONE:
                continue
            for more_t in range(twos - t + 1):
                for more_j in range(jokers - j + 1):
                    more = tables[place + more_t * row + more_j]
                    to = at + _PAIRS + (t + more_t) * row + j + more_j
                    if more != NONE and before + more > sums[to]:
                        sums[to] = before + more


@compiled
def _best_end(sums: Any, twos: int, jokers: int, in_threes: int, in_aces: int, joker_weight: int) -> int:
    """The best of the sums whose Jokers leave enough for the sets; Jokers in sets count."""
    best = wide(NONE)
    at = NUM_SUITS * _PAIRS
    for in_sets in range(2 * MAX_JOKERS + 1):
        possible = False
        for j in range(in_sets + 1):
            if j <= MAX_JOKERS and in_sets - j <= MAX_JOKERS and in_threes >> j & in_aces >> (in_sets - j) & 1:
                possible = True
        if not possible:
            continue
        for t in range(twos + 1):
            for j in range(jokers - in_sets + 1):
                found = sums[at + t * (MAX_JOKERS + 1) + j]
                if found != NONE:
                    best = max(best, found + in_sets * joker_weight)
    return best


@compiled
def layout_of_seat(state: Any, seat: int, by: int) -> int:
    """`best_layout` of one hand and the melds of its side; a seat that has melded nothing must not add (B5.1)."""
    melds = scratch(MAX_MELDS)
    count = wide(0)
    if state.melds_of[seat]:
        side = side_of(state, seat)
        for slot in range(wide(state.num_melds)):
            if side_of(state, owner_of(meld_in(state, slot))) == side:
                melds[count] = meld_in(state, slot)
                count += 1
    return best_layout(
        wide(state.hands[seat, 0]),
        wide(state.hands[seat, 1]),
        melds,
        count,
        by,
        state.fixed_wilds != 0,
        state.set_joker_exchange != 0,
        wide(state.ace_value),
    )


@compiled
def layout_one(states: Any, seat: int, by: int) -> int:
    """The same for a state at the head of an array, as Python calls it."""
    return layout_of_seat(states[0], seat, by)
