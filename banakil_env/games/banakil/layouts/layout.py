"""Finds the best way to lay down a hand: the suits, the sets and the melds on the table put together.

Suits share only wild cards, and the Threes and Aces that sets take from all suits. The solver works in three steps:

1. Sets (`sets.py`): which Threes and Aces sets can take, and with how many Jokers.
2. Suits (`suits.py`): for each suit a table of the best sums, by Twos used, Jokers used, Threes kept and Aces kept.
3. `_best_sum` chooses one entry of each table such that the wild cards suffice and the kept cards make sets.

A Joker in a meld can come out by an exchange. The Jokers in melds are therefore counted as Jokers of the hand that are
used where they are, and their weight is subtracted in the end.

The result is exact (tests/test_solver.py compares it with brute force) within the limits of the tables: CAPACITY in
`sequences.py`, MAX_WAYS in `additions.py` and four times that number in `suits.py`. Beyond these limits some layouts
are skipped. The result is then a legal layout, but perhaps not the best.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import ACE, NUM_RANKS, NUM_SUITS, THREE
from banakil_env.games.banakil.layouts.sequences import MAX_JOKERS, MAX_TWOS, NONE, TABLE_SIZE, entry
from banakil_env.games.banakil.layouts.sets import NUM_SHARES, no_sets, sets_of_rank
from banakil_env.games.banakil.layouts.suits import Task, jokers_of, solve_suit_with_melds, twos_of
from banakil_env.games.banakil.layouts.weights import joker_weight, weights_of
from banakil_env.games.banakil.melds import ACES, THREES, joker_of, kind_of, owner_of
from banakil_env.games.banakil.rules import FIXED
from banakil_env.games.banakil.state import MAX_MELDS, ace_value_of, side_of

_TABLES = NUM_SUITS * TABLE_SIZE
_PER_TWO = MAX_JOKERS + 1  # cells for each number of Twos in a row of sums, which is indexed by Twos and Jokers used
_ROW = (MAX_TWOS + 1) * _PER_TWO
_STEPS = NUM_SUITS + 1
_SUMS = _ROW * _STEPS
_THREES_BIT, _ACES_BIT = 1, 2  # bits of `sets`, the ranks that may make sets


@compiled
def best_layout(
    one: int, both: int, melds: Any, num_melds: int, by: int, fixed: bool, sets_too: bool, ace_value: int
) -> int:
    """Find the best way to lay down a hand that may add to melds.

    Args:
        one: mask of the faces of which the hand has at least one card.
        both: mask of the faces of which the hand has two cards.
        melds: the melds that the hand may add to, int64, packed as in melds.py. The seat itself must have a meld
            (B5.1).
        num_melds: the number of melds.
        by: BY_VALUE for the most half points, and of those the most cards; BY_CARDS for the most cards, then half
            points.
        fixed: whether wilds are fixed (B9.5), which matters only to melds on the table.
        sets_too: whether a Joker may be exchanged out of a set (B9.10).
        ace_value: the value of an Ace, in half points.

    Returns:
        Half points and cards laid down in one number; `laid_cards` (`weights.py`) reads the cards.
    """
    task = Task(one, both, melds, num_melds, fixed, sets_too, weights_of(by, ace_value))
    jokers_in_melds = 0
    for slot in range(num_melds):
        jokers_in_melds += joker_of(melds[slot])
    jokers = jokers_of(task) + jokers_in_melds
    threes, aces = scratch(NUM_SHARES), scratch(NUM_SHARES)
    sets = 0
    if _look_at_sets(task, THREES, jokers > 0, threes):
        sets |= _THREES_BIT
    if _look_at_sets(task, ACES, jokers > 0, aces):
        sets |= _ACES_BIT
    tables = scratch(_TABLES)
    for i in range(_TABLES):
        tables[i] = NONE
    for suit in range(NUM_SUITS):
        table = tables[suit * TABLE_SIZE : (suit + 1) * TABLE_SIZE]
        solve_suit_with_melds(task, suit, jokers, sets, table)
    best = _best_sum(task, tables, jokers, sets, threes, aces)
    return best - jokers_in_melds * joker_weight(task.weights)


@compiled
def _look_at_sets(task: Task, kind: int, joker: bool, shares: Any) -> bool:
    """Write into `shares` the cards that sets of one kind can take (`sets.py`); return whether any set is possible.

    `kind` is THREES or ACES. `joker` is true if the hand or a meld has a Joker.
    """
    rank = ACE if kind == ACES else THREE
    suits_in_hand, sets_there = 0, 0
    for suit in range(NUM_SUITS):
        suits_in_hand += task.one >> (suit * NUM_RANKS + rank) & 1
    for slot in range(task.num_melds):
        sets_there += kind_of(task.melds[slot]) == kind
    if suits_in_hand + joker >= 3 or (sets_there and suits_in_hand + joker):
        sets_of_rank(task.melds, task.num_melds, kind, task.one, joker, task.fixed, task.sets_too, shares)
        return True
    no_sets(shares)
    return False


# The choice of one entry of each suit's table
# ----------------------------------------------------------------------------------------------------------------------


@inlined
def _most_kept(task: Task, face: int, may_keep: bool) -> int:
    """Return the number of cards of a face in the hand, if they may be kept for sets; else 0."""
    return (task.one >> face & 1) + (task.both >> face & 1) if may_keep else 0


@compiled
def _best_sum(task: Task, tables: Any, jokers: int, sets: int, threes: Any, aces: Any) -> int:
    """Return the best sum of one entry per suit, such that the kept cards make sets and the wild cards suffice.

    Every number of Threes and Aces kept is tried, suit after suit, depth first. In the code, row d of `sums` has the
    best sums of the first d suits, by Twos and Jokers used.

    Args:
        task: the cards to lay down.
        tables: the tables of the four suits, one after the other; see `solve_suit_with_melds`.
        jokers: the number of Jokers in the hand and in melds.
        sets: bit 0 if Threes may be kept for sets, bit 1 if Aces may.
        threes: for each share of Threes the numbers of Jokers with which it makes sets, as bits (`sets.py`).
        aces: the same for Aces.
    """
    twos = twos_of(task)
    sums = scratch(_SUMS)
    kept_threes, kept_aces = scratch(_STEPS), scratch(_STEPS)  # the next numbers to try for each suit
    three_shares, ace_shares = scratch(_STEPS), scratch(_STEPS)  # the shares of the suits before; see `sets.py`
    for i in range(_ROW):
        sums[i] = NONE
    sums[0] = 0
    three_shares[0], ace_shares[0], kept_threes[0], kept_aces[0] = 0, 0, 0, 0
    best, suit, digit = NONE, 0, 1  # `digit`: 3**suit, the place of the suit in a share
    while suit >= 0:
        if suit < NUM_SUITS:
            if kept_aces[suit] > _most_kept(task, suit * NUM_RANKS + ACE, sets & _ACES_BIT != 0):
                kept_aces[suit] = 0
                kept_threes[suit] += 1
            if kept_threes[suit] <= _most_kept(task, suit * NUM_RANKS + THREE, sets & _THREES_BIT != 0):
                place = suit * TABLE_SIZE + entry(kept_threes[suit], kept_aces[suit], 0, 0)
                _add_suit(sums[suit * _ROW : (suit + 2) * _ROW], tables[place : place + _ROW], twos, jokers)
                three_shares[suit + 1] = three_shares[suit] + kept_threes[suit] * digit
                ace_shares[suit + 1] = ace_shares[suit] + kept_aces[suit] * digit
                kept_aces[suit] += 1
                suit += 1
                digit *= 3
                kept_threes[suit], kept_aces[suit] = 0, 0
                continue
        elif threes[three_shares[suit]] and aces[ace_shares[suit]]:
            weight = joker_weight(task.weights)
            row = sums[NUM_SUITS * _ROW : _SUMS]
            best = max(best, _best_end(row, twos, jokers, threes[three_shares[suit]], aces[ace_shares[suit]], weight))
        suit -= 1
        digit //= 3
    return best


@compiled
def _add_suit(sums: Any, table: Any, twos: int, jokers: int) -> None:
    """Write the second row of `sums`: the best sums of the first row plus one entry of the suit's table.

    Args:
        sums: two rows of sums, int64, each indexed by Twos and Jokers used.
        table: the suit's best sums for one number of Threes and Aces kept, with the same indices.
        twos: the number of Twos in the hand.
        jokers: the number of Jokers in the hand and in melds.
    """
    for i in range(_ROW, 2 * _ROW):
        sums[i] = NONE
    for t in range(twos + 1):
        for j in range(jokers + 1):
            before = sums[t * _PER_TWO + j]
            if before == NONE:
                continue
            for more_t in range(twos - t + 1):
                for more_j in range(jokers - j + 1):
                    more = table[more_t * _PER_TWO + more_j]
                    to = _ROW + (t + more_t) * _PER_TWO + j + more_j
                    if more != NONE and before + more > sums[to]:
                        sums[to] = before + more


@compiled
def _best_end(row: Any, twos: int, jokers: int, in_threes: int, in_aces: int, weight: int) -> int:
    """Return the best sum that leaves as many Jokers as the sets need; Jokers in sets count with their weight.

    Args:
        row: the best sums of all suits, indexed by Twos and Jokers used.
        twos: the number of Twos in the hand.
        jokers: the number of Jokers in the hand and in melds.
        in_threes: bit j is set if sets of Threes take the kept cards with j Jokers.
        in_aces: the same for sets of Aces.
        weight: the weight of a Joker in a sum.
    """
    best = NONE
    for in_sets in range(2 * MAX_JOKERS + 1):
        possible = False
        for j in range(in_sets + 1):
            if j <= MAX_JOKERS and in_sets - j <= MAX_JOKERS and in_threes >> j & in_aces >> (in_sets - j) & 1:
                possible = True
        if not possible:
            continue
        for t in range(twos + 1):
            for j in range(jokers - in_sets + 1):
                found = row[t * _PER_TWO + j]
                if found != NONE:
                    best = max(best, found + in_sets * weight)
    return best


# A seat of a game
# ----------------------------------------------------------------------------------------------------------------------


@compiled
def layout_of_seat(state: Any, seat: int, by: int) -> int:
    """Return `best_layout` for a seat's hand and the melds of its side; `by` is explained there.

    A seat that has melded nothing must not add to melds (B5.1).
    """
    melds = scratch(MAX_MELDS)
    count = 0
    if state.melds_of[seat]:
        side = side_of(state, seat)
        for slot in range(state.num_melds):
            if side_of(state, owner_of(state.melds[slot])) == side:
                melds[count] = state.melds[slot]
                count += 1
    return best_layout(
        state.hands[seat, 0],
        state.hands[seat, 1],
        melds,
        count,
        by,
        state.rules.wilds == FIXED,
        state.rules.set_joker_exchange != 0,
        ace_value_of(state),
    )


@compiled
def layout_one(states: Any, seat: int, by: int) -> int:
    """Return `layout_of_seat` for the first state of an array. This is the form that Python calls."""
    return layout_of_seat(states[0], seat, by)
