"""Decides exactly whether a whole hand can go out by new melds, cards laid off, and at most one discard.

Which cards can go out together does not depend on the order in which they are laid down:

- Some cards of a suit can all be laid in runs if and only if they fit the following rule. Take these cards together
  with the cards already in runs, and divide them into unbroken rows. Each row must have three or more cards, or contain
  a card of a run on the table. (A row with a run grows from the run card by card. Any other row is a new run. A run
  never extends beyond its row, so a shorter row is not a run.)
- The cards of a rank that are laid in sets are three or four, or the fourth card of a set on the table.

So the algorithm goes through the ranks from the Ace to the King. It only needs the lengths of the rows that reach a
rank: none, one, two, or "three or attached to a run on the table", for each of the four suits.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.runs_and_sets import in_runs, set_ranks
from banakil_env.kit.pack52 import ACES, NUM_RANKS, NUM_SUITS, cards_of, ranks_in

_NONE, _LONG = 0, 3  # lengths of a row; a row of length 1 or 2 is too short to end
_ROWS = 4**NUM_SUITS  # number of combinations of four lengths, as a number in base 4
_STATES = 2 * _ROWS  # the same, and whether a card was left for the discard
_BITS = 32  # states per word in a set of states
_WORDS = _STATES // _BITS


@inlined
def _of_rank(cards: int, rank: int) -> int:
    """The suits in which these cards have the rank, as four bits."""
    return (
        cards >> rank & 1
        | (cards >> rank + NUM_RANKS & 1) << 1
        | (cards >> rank + 2 * NUM_RANKS & 1) << 2
        | (cards >> rank + 3 * NUM_RANKS & 1) << 3
    )


@compiled
def _rows_after(rows: int, laid: int, on_table: int) -> int:
    """The lengths of the four suits' rows after one more rank, as a number in base 4; -1 if a row ends too short.

    Args:
        rows: the lengths before this rank, as a number in base 4.
        laid: the suits in which a card of this rank is laid in a run.
        on_table: the suits in which a card of this rank is in a run on the table.
    """
    after = 0
    for suit in range(NUM_SUITS):
        length = rows >> 2 * suit & 3
        if on_table >> suit & 1:
            length = _LONG
        elif laid >> suit & 1:
            length = min(length + 1, _LONG)
        elif length % _LONG == 0:  # no row, or a row that is long enough
            length = _NONE
        else:
            return -1
        after |= length << 2 * suit
    return after


@compiled
def can_be_emptied(hand: int, runs: int, sets: int, banned: int, must_discard: bool) -> bool:
    """Whether every card of a hand can leave it in this turn.

    Args:
        hand: the cards of the hand, as a mask.
        runs: the cards in runs on the table, as a mask.
        sets: the cards in sets on the table, as a mask.
        banned: cards that must not be discarded, as a mask.
        must_discard: whether the turn must end with a discard; otherwise it can.
    """
    # A card that fits no run and no set, whatever happens to the others, can only be discarded. So at most one is
    # allowed.
    stuck = hand & ~in_runs(hand | runs) & ~cards_of(set_ranks(hand) | ranks_in(sets))
    if stuck & (stuck - 1) or stuck & banned:
        return False
    reached, coming = scratch(_WORDS), scratch(_WORDS)
    _forget(reached)
    reached[0] = 1
    for rank in range(NUM_RANKS):
        held, on_table = _of_rank(hand, rank), _of_rank(runs, rank)
        fourth = sets & ACES << rank != 0  # whether a set of this rank is on the table and accepts the fourth card
        may_go = held & ~_of_rank(banned, rank)
        _forget(coming)
        for word in range(_WORDS):
            left = reached[word]
            while left:
                _one_rank_on(coming, word * _BITS + lowest(left), held, on_table, fourth, may_go)
                left &= left - 1
        reached, coming = coming, reached
    for word in range(_WORDS // 2 if must_discard else 0, _WORDS):
        left = reached[word]
        while left:
            if _rows_after((word * _BITS + lowest(left)) % _ROWS, 0, 0) >= 0:
                return True
            left &= left - 1
    return False


@inlined
def _forget(states: Any) -> None:
    """Clear a set of states."""
    for word in range(_WORDS):
        states[word] = 0


@compiled
def _one_rank_on(coming: Any, state: int, held: int, on_table: int, fourth: bool, may_go: int) -> None:
    """Add the states that follow a state when the held cards of a rank go to runs, to a set, or to the discard.

    Args:
        coming: the set of states reached after this rank.
        state: a state before this rank.
        held: the suits of the rank's cards in the hand.
        on_table: the suits of the rank's cards in runs on the table.
        fourth: whether a set on the table accepts the fourth card of the rank.
        may_go: the suits of the held cards that can be discarded.
    """
    rows, discarded = state % _ROWS, state // _ROWS
    laid = held
    while True:  # each subset of the held cards goes to runs, last the empty one; the others go to a set or away
        after = _rows_after(rows, laid, on_table)
        if after >= 0:
            others = held & ~laid
            count = popcount(others)
            if count == 0 or count >= 3 or (count == 1 and fourth):
                _mark(coming, after + discarded * _ROWS)
            if not discarded and others & may_go and (count == 1 or count == 4):
                _mark(coming, after + _ROWS)
        if laid == 0:
            return
        laid = (laid - 1) & held


@inlined
def _mark(states: Any, state: int) -> None:
    """Add a state to a set of states."""
    states[state // _BITS] |= 1 << state % _BITS
