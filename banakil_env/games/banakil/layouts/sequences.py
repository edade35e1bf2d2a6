"""Finds the new sequences that the naturals of one suit make, for every number of wild cards spent on them.

This is a dynamic program over the ranks, from Three to Ace. Its state after some ranks is the set of *open* sequences,
which may still grow, and the cards used so far: Twos, Jokers, and the Threes and Aces that are kept for sets. For each
state the program stores the best sum (`weights.py`) of the cards laid down or kept.

An open sequence is described by three numbers:

* the number of its naturals (three stands for more: only "fewer than three" matters);
* the number of its gaps, the ranks that it has skipped. A wild card must fill each gap in the end;
* the number of ranks below its first natural, where a wild card can be placed, counted up to two.

At each rank, every open sequence takes a natural of the rank, skips the rank, or ends below it. When it ends, the
program decides whether it has a Two and a Joker. Naturals that are left may begin new sequences.

Example: 5c 6c 8c and one Two, which the solver may use. ("56" is a sequence with two naturals, "56_8" one with a gap.)

    rank  states worth following
    5     no sequence: 0 cards           5: 1 card
    6     no sequence: 0 cards           56: 2 cards
    7     56 ended with the Two: 3 cards          56_: 2 cards, one gap
    8     56 ended with the Two: 3 cards          56_8: 3 cards, one gap
    9     56 ended with the Two: 3 cards          56_8 ended with the Two: 4 cards

The result is 0 cards without a Two and 4 cards with it (tests/test_solver.py). The table of results is indexed by
(Threes kept, Aces kept, Twos used, Jokers used).

What is exact. Under free wilds a sequence with g gaps needs g wilds. Spare wilds go to the ends or, as the thirteenth
card, beyond them (B3.3). Nothing else about the sequence matters. Under fixed wilds the same sets of cards can be laid
down, with each wild put in its place at once. At most six sequences are open at a time, because a rank has two naturals
and no sequence skips more than two ranks. The program omits states that cannot matter; each omission below has its
reason.

What is not exact. The number of states of a rank is limited (`CAPACITY`). A suit with nearly all of its 24 cards and
many wilds may exceed the limit. The last states are then dropped, and the result is a legal layout, but perhaps not the
best.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, fused, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import ACE, NUM_RANKS, THREE
from banakil_env.games.banakil.layouts.weights import Weights, joker_weight, naturals_weight, two_weight

# The table of results
# ----------------------------------------------------------------------------------------------------------------------

MAX_TWOS, MAX_JOKERS = 8, 2
_PER_TWO = MAX_JOKERS + 1
_PER_ACE = (MAX_TWOS + 1) * _PER_TWO
_PER_THREE = 3 * _PER_ACE
TABLE_SIZE = 3 * _PER_THREE
NONE = -1  # an entry that no layout reaches


@inlined
def entry(threes: int, aces: int, twos: int, jokers: int) -> int:
    """Return the index of a result in the table.

    Args:
        threes: the number of Threes of the suit kept for sets.
        aces: the number of Aces of the suit kept for sets.
        twos: the number of Twos used.
        jokers: the number of Jokers used.
    """
    return threes * _PER_THREE + aces * _PER_ACE + twos * _PER_TWO + jokers


class Suit(NamedTuple):
    """One suit, the argument of `solve_suit`.

    Attributes:
        one: mask of the ranks of which there is at least one natural.
        both: mask of the ranks of which there are two naturals.
        max_twos: the most Twos that can be used.
        max_jokers: the most Jokers that can be used.
        twos: the Twos that additions to melds on the table have used already.
        jokers: the Jokers that these additions have used already.
        base: the sum of these additions.
        keep_threes: whether Threes may be kept for sets. Kept cards count as laid down.
        keep_aces: whether Aces may be kept for sets.
        weights: the weights of half points and cards in a sum.
    """

    one: int
    both: int
    max_twos: int
    max_jokers: int
    twos: int
    jokers: int
    base: int
    keep_threes: bool
    keep_aces: bool
    weights: Weights


# A state as one number: six open sequences of five bits each, then the cards that have been used
# ----------------------------------------------------------------------------------------------------------------------

_CODE_BITS, _CODE_MASK = 5, 31
_MAX_OPEN = 6
_OPEN_MASK = (1 << _CODE_BITS * _MAX_OPEN) - 1
# the lowest bits of the four counts: Twos have four bits, the others two
_TWOS, _JOKERS, _THREES, _ACES = 30, 34, 36, 38
# The code of an open sequence: 1 + 9 * (naturals - 1) + 3 * gaps + room below. 0 stands for no sequence.
_NO_SEQUENCE, _PER_NATURAL, _PER_GAP = 0, 9, 3
_PLENTY = 2  # the most room that matters: a sequence has two wild cards at most


@inlined
def _naturals(code: int) -> int:
    """Return the number of naturals of an open sequence; 3 stands for three or more."""
    return (code - 1) // _PER_NATURAL + 1


@inlined
def _gaps(code: int) -> int:
    """Return the number of ranks that an open sequence has skipped."""
    return (code - 1) // _PER_GAP % 3


@inlined
def _room_below(code: int) -> int:
    """Return the number of ranks below the first natural of an open sequence, at most _PLENTY."""
    return (code - 1) % _PER_GAP


@inlined
def _new_sequence(below: int) -> int:
    """Return the code of a sequence of one natural with `below` ranks below it."""
    return 1 + below


@inlined
def _with_gap(code: int) -> int:
    return code + _PER_GAP


@inlined
def _with_natural(code: int) -> int:
    return code + _PER_NATURAL if _naturals(code) < 3 else code


@compiled
def _with_open(codes: int, code: int) -> int:
    """Return a state's open sequences with one added.

    The codes are sorted, the highest first, so that equal sets of sequences are equal numbers.
    """
    shift = 0
    while codes >> shift & _CODE_MASK > code:
        shift += _CODE_BITS
    below = codes & ((1 << shift) - 1)
    return below | code << shift | codes >> shift << (shift + _CODE_BITS)


@inlined
def _twos_used(state: int) -> int:
    return state >> _TWOS & 15


@inlined
def _jokers_used(state: int) -> int:
    return state >> _JOKERS & 3


# The states of one rank: a hash table with a list of the slots that are taken
# ----------------------------------------------------------------------------------------------------------------------

CAPACITY = 4096  # slots of the largest table
_SMALL, _GROWTH = 64, 8  # slots of the first table that is tried, and the factor when it is full
_HASH = 0x9E3779B1


class _States(NamedTuple):
    """Distinct states with the best sum of each, as a hash table.

    Attributes:
        keys: int64, the state in each slot, or NONE.
        sums: int64, the best sum of the state in each slot.
        slots: int64, the slots that are taken, in the order of insertion.
        mask: the number of slots, a power of two, less one.
    """

    keys: Any
    sums: Any
    slots: Any
    mask: int


@inlined
def _is_full(states: _States, count: int) -> bool:
    """Return whether more than seven eighths of the slots are taken; the table then takes no more states."""
    return count > states.mask - (states.mask >> 3)


@compiled
def _put(states: _States, count: int, key: int, total: int) -> int:
    """Insert a state, or raise its sum if the state is present; return the number of states."""
    slot = ((key ^ key >> 13 ^ key >> 29) & 0x7FFFFFFF) * _HASH >> 15 & states.mask
    while states.keys[slot] != NONE:
        if states.keys[slot] == key:
            if total > states.sums[slot]:
                states.sums[slot] = total
            return count
        slot = slot + 1 & states.mask
    if _is_full(states, count):
        return count
    states.keys[slot] = key
    states.sums[slot] = total
    states.slots[count] = slot
    return count + 1


# From one rank to the next: the open sequences of a state are decided one after the other
# ----------------------------------------------------------------------------------------------------------------------


class _Rank(NamedTuple):
    """The values that are the same for every state at one rank.

    Attributes:
        rank: counted from the Three; NUM_RANKS is the step after the Ace, where every sequence has ended.
        cards: the number of naturals of the rank, 0 to 2.
        weight: the weight of one of them in a sum.
        wild_kinds: the most wild cards that a sequence can have here: a Two and a Joker make 2.
        may_begin: whether a sequence that begins here can reach three cards.
        below: the room below a natural of this rank.
        tight: whether a sequence can lack room for its wild cards.
        keeps: whether naturals of the rank may be kept for sets.
        more_above: whether the suit has a natural of a higher rank.
    """

    rank: int
    cards: int
    weight: int
    wild_kinds: int
    may_begin: bool
    below: int
    tight: bool
    keeps: bool
    more_above: bool


@fused
def _look_at_rank(suit: Suit, rank: int) -> _Rank:
    """Compute the values of a rank."""
    wild_kinds = int(suit.twos < suit.max_twos) + int(suit.jokers < suit.max_jokers)
    # A sequence that begins here needs two more cards: wild cards, or naturals in reach. Naturals are in reach up to
    # two ranks above, and one more for each gap that a wild card can fill.
    in_reach = popcount(suit.one >> (rank + 1) & ((4 << wild_kinds) - 1))
    # If the suit has fewer than eleven ranks, any sequence has places for both wild cards, and room need not be
    # counted.
    tight = popcount(suit.one) >= NUM_RANKS - 1
    return _Rank(
        rank=rank,
        cards=(suit.one >> rank & 1) + (suit.both >> rank & 1),
        weight=naturals_weight(suit.weights, 1 << rank),
        wild_kinds=wild_kinds,
        may_begin=min(in_reach, 2) + wild_kinds >= 2,
        below=min(rank, _PLENTY) if tight else _PLENTY,
        tight=tight,
        keeps=(rank == THREE and suit.keep_threes) or (rank == ACE and suit.keep_aces),
        more_above=suit.one >> (rank + 1) != 0,
    )


class _Branch(NamedTuple):
    """A state partly through a rank: some of its sequences are decided, the others are not.

    Attributes:
        rest: open sequences that are still to be decided, as codes.
        done: open sequences that continue at the next rank, as codes.
        free: the number of naturals of the rank that no sequence has taken yet.
        used: the part of the state above the sequences: the cards used.
        total: the sum so far.
        passed_over: 1 if a sequence has ended or skipped the rank here, else 0.
        ended_pure: 1 if a sequence has ended here without wild cards, else 0.
    """

    rest: int
    done: int
    free: int
    used: int
    total: int
    passed_over: int
    ended_pure: int


# Branches wait on a stack. Each of six sequences adds at most five branches: 31 in all.
_CELLS = 7
_STACK_SIZE = _CELLS * 32


@inlined
def _push(stack: Any, depth: int, branch: _Branch) -> int:
    """Put a branch on the stack; return the new depth."""
    at = depth * _CELLS
    stack[at] = branch.rest
    stack[at + 1] = branch.done
    stack[at + 2] = branch.free
    stack[at + 3] = branch.used
    stack[at + 4] = branch.total
    stack[at + 5] = branch.passed_over
    stack[at + 6] = branch.ended_pure
    return depth + 1


@inlined
def _branch_at(stack: Any, depth: int) -> _Branch:
    at = depth * _CELLS
    return _Branch(stack[at], stack[at + 1], stack[at + 2], stack[at + 3], stack[at + 4], stack[at + 5], stack[at + 6])


@fused
def _push_choices(suit: Suit, at: _Rank, branch: _Branch, stack: Any, depth: int) -> int:
    """Push a branch for each choice of the first undecided sequence; return the new depth."""
    rest, done, free, used, total, passed_over, ended_pure = branch
    code = rest & _CODE_MASK
    rest >>= _CODE_BITS
    if free:
        longer = _with_open(done, _with_natural(code))
        depth = _push(stack, depth, _Branch(rest, longer, free - 1, used, total + at.weight, passed_over, ended_pure))
    depth = _push_ends(suit, at, branch, stack, depth)
    if _gaps(code) < at.wild_kinds and at.more_above:
        skipping = _with_open(done, _with_gap(code))
        depth = _push(stack, depth, _Branch(rest, skipping, free, used, total, 1, ended_pure))
    return depth


@fused
def _push_ends(suit: Suit, at: _Rank, branch: _Branch, stack: Any, depth: int) -> int:
    """Push a branch for each choice of wild cards with which the first undecided sequence can end; return the new
    depth.

    The sequence ends below the present rank.
    """
    rest, done, free, used, total, _, ended_pure = branch
    code = rest & _CODE_MASK
    naturals, gaps, below = _naturals(code), _gaps(code), _room_below(code)
    room = below + NUM_RANKS - at.rank
    for two in range(min(1, suit.max_twos - _twos_used(used)) + 1):
        for joker in range(min(1, suit.max_jokers - _jokers_used(used)) + 1):
            spare = two + joker - gaps
            if spare < 0 or naturals + two + joker < 3:
                continue
            # A sequence has at most twelve cards, but a Two on eleven naturals stays when the twelfth is added (B3.3).
            thirteenth = below == 0 and at.rank == NUM_RANKS and gaps == 0 and joker == 0
            if spare > room and not thirteenth:
                continue
            wilds_used = used + (two << _TWOS) + (joker << _JOKERS)
            wilds_total = total + two * two_weight(suit.weights) + joker * joker_weight(suit.weights)
            pure = ended_pure | (two + joker == 0)
            after = _Branch(rest >> _CODE_BITS, done, free, wilds_used, wilds_total, 1, pure)
            depth = _push(stack, depth, after)
    return depth


@fused
def _put_states(at: _Rank, branch: _Branch, states: _States, count: int) -> int:
    """Insert the states that follow from a branch without undecided sequences; return the number of states.

    Two kinds of states are omitted, because they are never better than the others:

    * A new sequence where another one has ended without wild cards: both can be one sequence, unless it would be too
      long.
    * A natural left over where a sequence has ended or skipped the rank: that sequence can take the natural, unless it
      then lacks room for its wild cards.
    """
    may_begin = at.may_begin and (at.tight or not branch.ended_pure)
    must_take_all = branch.passed_over and not at.tight
    kept_bit = _THREES if at.rank == THREE else _ACES
    done = branch.done
    for new in range((branch.free if may_begin else 0) + 1):
        left = branch.free - new
        for kept in range((left if at.keeps else 0) + 1):
            if kept == left or not must_take_all:
                state = branch.used + (kept << kept_bit) | done
                count = _put(states, count, state, branch.total + (new + kept) * at.weight)
        done = _with_open(done, _new_sequence(at.below))
    return count


@fused
def _next_states(suit: Suit, rank: int, states: _States, num_states: int, after: _States) -> int:
    """Move every state through a rank into `after`, and empty `states`; return the number of states in `after`."""
    stack = scratch(_STACK_SIZE)
    at = _look_at_rank(suit, rank)
    count = 0
    for i in range(num_states):
        slot = states.slots[i]
        key, total = states.keys[slot], states.sums[slot]
        states.keys[slot] = NONE
        start = _Branch(key & _OPEN_MASK, 0, at.cards, key & ~_OPEN_MASK, total, 0, 0)
        depth = _push(stack, 0, start)
        while depth:
            depth -= 1
            branch = _branch_at(stack, depth)
            if branch.rest == _NO_SEQUENCE:
                count = _put_states(at, branch, after, count)
            else:
                depth = _push_choices(suit, at, branch, stack, depth)
    return count


# The whole suit
# ----------------------------------------------------------------------------------------------------------------------


@compiled
def solve_suit(suit: Suit, table: Any) -> None:
    """Enter the best sums of a suit into `table` (int64, TABLE_SIZE); entries are raised, never lowered."""
    size = _SMALL
    while not _solve_suit(suit, size, table):
        size *= _GROWTH


@compiled
def _solve_suit(suit: Suit, size: int, table: Any) -> bool:
    """Do the work of `solve_suit` with hash tables of `size` slots.

    Return False if they are too small; `table` is then unchanged.
    """
    keys, keys_after = scratch(CAPACITY), scratch(CAPACITY)
    sums, sums_after = scratch(CAPACITY), scratch(CAPACITY)
    slots, slots_after = scratch(CAPACITY), scratch(CAPACITY)
    for slot in range(size):
        keys[slot] = NONE
        keys_after[slot] = NONE
    states = _States(keys, sums, slots, size - 1)
    after = _States(keys_after, sums_after, slots_after, size - 1)
    count = _put(states, 0, (suit.twos << _TWOS) + (suit.jokers << _JOKERS), suit.base)
    for rank in range(NUM_RANKS + 1):
        if count == 1 and not suit.one >> rank & 1 and states.keys[states.slots[0]] & _OPEN_MASK == 0:
            continue  # no sequence is open, and no sequence begins
        count = _next_states(suit, rank, states, count, after)
        states, after = after, states
        if size < CAPACITY and _is_full(states, count):
            return False
    _enter(states, count, table)
    return True


@compiled
def _enter(states: _States, count: int, table: Any) -> None:
    """Enter the sums of the first `count` states into `table`, except states with open sequences."""
    for i in range(count):
        key, total = states.keys[states.slots[i]], states.sums[states.slots[i]]
        if key & _OPEN_MASK == 0:
            place = entry(key >> _THREES & 3, key >> _ACES & 3, _twos_used(key), _jokers_used(key))
            table[place] = max(table[place], total)
