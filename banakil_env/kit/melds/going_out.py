"""Whether a whole hand can go out by new runs and sets, cards laid off, and at most one discard: exactly.

Which cards go out together does not depend on the order in which they are laid down:

- Cards of a suit that are to lie in runs can do so if and only if each unbroken row of these cards and of the cards
  already in runs is three cards long or more, or holds a card of a run on the table. (A row with a run grows from the
  run card by card. Any other row is a new run. A run never reaches beyond its row, so a shorter row is not a run.)
- Cards of a rank that are to lie in sets are three or four, or the fourth of a set on the table.

So the algorithm goes through the ranks from the Ace to the King; only the lengths of the rows that reach a rank matter:
none, one, two, or "three or attached", for each of four suits.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.runs_and_sets import in_runs, set_ranks
from banakil_env.kit.pack52 import ACES, NUM_RANKS, NUM_SUITS, cards_of, ranks_in

_NONE, _LONG = 0, 3  # lengths of a row; 1 and 2 between them are too short to end
_ROWS = 4**NUM_SUITS  # the lengths of four rows as a number in base 4
_STATES = 2 * _ROWS  # and whether a card was left for the discard
_BITS = 32  # states in a word of the sets of states
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
    """The rows one rank on, `laid` and `on_table` being the suits of its cards; -1: a row ends that is too short."""
    after = 0
    for suit in range(NUM_SUITS):
        length = rows >> 2 * suit & 3
        if on_table >> suit & 1:
            length = _LONG
        elif laid >> suit & 1:
            length = min(length + 1, _LONG)
        elif length % _LONG == 0:  # none, or long enough
            length = _NONE
        else:
            return -1
        after |= length << 2 * suit
    return after


@compiled
def can_be_emptied(hand: int, runs: int, sets: int, banned: int, must_discard: bool) -> bool:
    """Whether every card of a hand can leave it in this turn.

    Args:
        hand: the cards, a mask.
        runs, sets: the cards in runs and in sets on the table.
        banned: cards that may not be discarded.
        must_discard: whether the last card must be discarded; otherwise it can be.
    """
    # A card that no run and no set could hold, whatever becomes of the others, can only be discarded: one at most.
    stuck = hand & ~in_runs(hand | runs) & ~cards_of(set_ranks(hand) | ranks_in(sets))
    if stuck & (stuck - 1) or stuck & banned:
        return False
    reached, coming = scratch(_WORDS), scratch(_WORDS)
    _forget(reached)
    reached[0] = 1
    for rank in range(NUM_RANKS):
        held, on_table = _of_rank(hand, rank), _of_rank(runs, rank)
        fourth = sets & ACES << rank != 0  # a set of this rank lies on the table, and takes the fourth card
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
    """No state is reached."""
    for word in range(_WORDS):
        states[word] = 0


@compiled
def _one_rank_on(coming: Any, state: int, held: int, on_table: int, fourth: bool, may_go: int) -> None:
    """Add the states that follow a state: the held cards of a rank go to runs, to a set, or to the discard.

    Args:
        coming: bits of the states that are reached one rank on.
        held, on_table: the suits of the rank's cards in the hand, and in runs on the table.
        fourth: a set on the table takes the fourth card of the rank. may_go: which of the held cards may be discarded.
    """
    rows, discarded = state % _ROWS, state // _ROWS
    laid = held
    while True:  # every part of the held cards, down to none, goes to runs; the others to a set or away
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
    """A state is reached."""
    states[state // _BITS] |= 1 << state % _BITS
