"""Solves one suit: additions to its melds on the table, and new sequences of the cards that are left.

Every combination of ways to add to the suit's melds is tried. For each combination, `sequences.py` finds the best new
sequences of the remaining cards. The combinations are visited depth first, one level for each meld that can grow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import ALL_RANKS, ALL_TWOS, JOKER, NUM_RANKS
from banakil_env.games.banakil.layouts.additions import MAX_WAYS, WAY_JOKER, WAY_TWO, ways_to_add
from banakil_env.games.banakil.layouts.sequences import Suit, solve_suit
from banakil_env.games.banakil.layouts.weights import Weights, joker_weight, naturals_weight, two_weight
from banakil_env.games.banakil.melds import joker_of, kind_of
from banakil_env.games.banakil.state import MAX_MELDS

# Room for the ways of all melds of a suit. Further melds are left as they are.
_ALL_WAYS = 4 * MAX_WAYS
_LEVELS = MAX_MELDS + 1


class Task(NamedTuple):
    """The cards to lay down, and the rules on which the solution depends.

    Attributes:
        one: mask of the faces of which the hand has at least one card.
        both: mask of the faces of which the hand has two cards.
        melds: the melds that may be added to, int64, packed as in melds.py.
        num_melds: the number of melds.
        fixed: whether wilds are fixed (B9.5); only the melds on the table depend on it.
        sets_too: whether a Joker may be exchanged out of a set (B9.10).
        weights: the weights of half points and cards in a sum.
    """

    one: int
    both: int
    melds: Any
    num_melds: int
    fixed: bool
    sets_too: bool
    weights: Weights


@inlined
def twos_of(task: Task) -> int:
    """Return the number of Twos in the hand."""
    return popcount(task.one & ALL_TWOS) + popcount(task.both & ALL_TWOS)


@inlined
def jokers_of(task: Task) -> int:
    """Return the number of Jokers in the hand."""
    return (task.one >> JOKER & 1) + (task.both >> JOKER & 1)


class _Rest(NamedTuple):
    """The rest of a suit after some additions, and what the additions used.

    Attributes:
        one: mask of the ranks of which at least one natural is left.
        both: mask of the ranks of which two naturals are left.
        twos: the number of Twos used.
        jokers: the number of Jokers used.
        total: the sum of the cards added, without the Jokers.
    """

    one: int
    both: int
    twos: int
    jokers: int
    total: int


_CELLS = 5
_RESTS = _CELLS * _LEVELS


@inlined
def _write_rest(rests: Any, level: int, rest: _Rest) -> None:
    at = level * _CELLS
    rests[at] = rest.one
    rests[at + 1] = rest.both
    rests[at + 2] = rest.twos
    rests[at + 3] = rest.jokers
    rests[at + 4] = rest.total


@inlined
def _read_rest(rests: Any, level: int) -> _Rest:
    at = level * _CELLS
    return _Rest(rests[at], rests[at + 1], rests[at + 2], rests[at + 3], rests[at + 4])


@inlined
def _after_way(rest: _Rest, way: int, weights: Weights) -> _Rest:
    """Return the rest after one more meld has grown.

    Jokers are not part of the sum yet, because a Joker may have been in the meld already.
    """
    naturals, two = way & ALL_RANKS, way >> WAY_TWO & 1
    return _Rest(
        one=rest.one & ~(naturals & ~rest.both),
        both=rest.both & ~naturals,
        twos=rest.twos + two,
        jokers=rest.jokers + (way >> WAY_JOKER),
        total=rest.total + two * two_weight(weights) + naturals_weight(weights, naturals),
    )


@compiled
def solve_suit_with_melds(task: Task, suit: int, jokers: int, sets: int, table: Any) -> None:
    """Enter the best sums of one suit into `table` (see `sequences.py`), over all ways to add to its melds.

    Args:
        task: the cards to lay down.
        suit: 0 to 3.
        jokers: the number of Jokers in the hand and in the melds together.
        sets: bit 0 if Threes may be kept for sets, bit 1 if Aces may.
        table: int64 (TABLE_SIZE,), raised.
    """
    ways, first = scratch(_ALL_WAYS), scratch(_LEVELS)
    growing, jokers_fixed = _list_ways(task, suit, jokers, ways, first)
    # for each level: the rest before its choice, and the next way to try
    rests, choice = scratch(_RESTS), scratch(_LEVELS)
    ranks, ranks_both = task.one >> suit * NUM_RANKS & ALL_RANKS, task.both >> suit * NUM_RANKS & ALL_RANKS
    _write_rest(rests, 0, _Rest(ranks, ranks_both, 0, jokers_fixed, 0))
    twos = twos_of(task)
    level, choice[0] = 0, first[0]
    while level >= 0:
        rest = _read_rest(rests, level)
        if level == growing:
            _solve_rest(rest, twos, jokers, sets, task.weights, table)
            level -= 1
        elif choice[level] == first[level + 1]:
            level -= 1
        else:
            way = ways[choice[level]]
            choice[level] += 1
            after = _after_way(rest, way, task.weights)
            if way & ALL_RANKS & ~rest.one == 0 and after.twos <= twos and after.jokers <= jokers:
                level += 1
                _write_rest(rests, level, after)
                choice[level] = first[level]


@compiled
def _list_ways(task: Task, suit: int, jokers: int, ways: Any, first: Any) -> tuple[int, int]:
    """Write the ways to add to each meld of a suit that can grow, one meld after the other.

    Args:
        task: the cards to lay down.
        suit: 0 to 3.
        jokers: the number of Jokers in the hand and in the melds together.
        ways: int64, written: the ways of meld i are from `first[i]` up to `first[i + 1]`.
        first: int64, written.

    Returns:
        The number of these melds, and the number of Jokers in the suit's other melds.
    """
    growing, jokers_fixed = 0, 0
    first[0] = 0
    for slot in range(task.num_melds):
        meld = task.melds[slot]
        if kind_of(meld) != 1 + suit:
            continue
        begin, count = first[growing], 0
        if begin + MAX_WAYS <= _ALL_WAYS:
            some_two, some_joker = twos_of(task) > 0, jokers > 0
            room = ways[begin : begin + MAX_WAYS]
            count = ways_to_add(meld, task.one, some_two, some_joker, task.fixed, True, room)
        if count > 1:
            growing += 1
            first[growing] = begin + count
        else:  # the only way is to leave the meld as it is
            jokers_fixed += joker_of(meld)
    return growing, jokers_fixed


@inlined
def _solve_rest(rest: _Rest, twos: int, jokers: int, sets: int, weights: Weights, table: Any) -> None:
    """Enter into `table` the best sums of the suit with new sequences made of the cards in `rest`.

    `sets` has bit 0 if Threes may be kept for sets, bit 1 if Aces may.
    """
    suit = Suit(
        one=rest.one,
        both=rest.both,
        max_twos=twos,
        max_jokers=jokers,
        twos=rest.twos,
        jokers=rest.jokers,
        base=rest.total + rest.jokers * joker_weight(weights),
        keep_threes=sets & 1 != 0,
        keep_aces=sets & 2 != 0,
        weights=weights,
    )
    solve_suit(suit, table)
