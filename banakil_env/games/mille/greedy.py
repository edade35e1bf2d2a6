"""`greedy`: what a sensible person plays who counts cards but does not look ahead.

Draw: the pile whenever it can be taken, unless the other is nearly out and more of the pile would stay in the hand
than is melded.
Play: naturals go to melds, and threes of a kind are opened, the dearest first; three Twos are a meld.
Twos are kept away from other melds as long as the clean natural is worth more than they would bring. They are laid
down when that lets the hand go out with profit, when the other is nearly out, or to bring down a queen of spades.
Discard: what is missed least, and what the other can use least, weighed by what lies in the pile. Pairs are kept to
take the pile; a Two closes a rich pile where everything else would give it away. When the other is nearly out, dear
cards go first.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.mille import state as S
from banakil_env.games.mille.cards import (
    BASE,
    NUM_KINDS,
    NUM_NATURALS,
    NUM_SLOTS,
    RANK_OF,
    THE_TWO,
    VALUES,
)
from banakil_env.kit.books.kinds import TWO
from banakil_env.kit.table_state import DRAW

FEW_CARDS = 4  # of the other: it may soon be out

# What a discard costs: one of a pair, a Two; and the part of what the other would get that is feared.
PAIR, TWO_COST, FEARED = 12.0, 60.0, 1.0
A_CARD = 4.0  # what a card more is worth to the other, beside its value

# With a wild Two is laid down what is worth so much; what a card is worth that the other is caught with.
DEAR, A_CARD_STUCK = 100, 8


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    danger = seen.hand_size[1] <= FEW_CARDS
    if seen.phase[DRAW]:
        return _draw(seen, mask, danger)
    action = _natural(seen, mask)
    if action < 0:
        action = _with_twos(seen, mask, danger)
    return action if action >= 0 else _discard(seen, mask, danger)


# What is there -------------------------------------------------------------------------------------------------------


@compiled
def _rank_count(row: Any, rank: int) -> int:
    """Cards of a rank in a row of kinds."""
    count = wide(0)
    for kind in range(NUM_KINDS):
        if RANK_OF[kind] == rank:
            count += row[kind]
    return count


@compiled
def _value(row: Any) -> int:
    """What a row of kinds is worth."""
    value = wide(0)
    for kind in range(NUM_KINDS):
        value += VALUES[kind] * row[kind]
    return value


@compiled
def _is_clean(seen: Any) -> bool:
    """Whether the own melds have no wild Two."""
    for rank in range(TWO):
        if seen.wild[0, rank]:
            return False
    return True


# The draw ------------------------------------------------------------------------------------------------------------


@compiled
def _draw(seen: Any, mask: Any, danger: bool) -> int:
    """Take the pile if that is worth it."""
    for slot in range(NUM_SLOTS):
        if mask[S.TAKE + slot]:
            rank, kept, laid = RANK_OF[BASE[slot]], wide(0), wide(0)
            for kind in range(NUM_KINDS):
                own = RANK_OF[kind]
                value = VALUES[kind] * wide(seen.pile[kind])
                together = _rank_count(seen.hand, own) + _rank_count(seen.pile, own)
                if own == rank or together >= 3 or _rank_count(seen.melds[0], own):
                    laid += value
                else:
                    kept += value
            if not danger or laid >= kept or not mask[S.DRAW]:
                return wide(S.TAKE + slot)
            return wide(S.DRAW)
    return wide(S.DRAW)


# The play ------------------------------------------------------------------------------------------------------------


@compiled
def _natural(seen: Any, mask: Any) -> int:
    """A play that needs no wild Two; -1: there is none."""
    for kind in range(NUM_NATURALS - 1, -1, -1):
        if mask[S.ADD + kind]:
            return wide(S.ADD + kind)
    for slot in range(NUM_SLOTS - 1, -1, -1):
        if mask[S.OPEN + slot]:
            return wide(S.OPEN + slot)
    if mask[S.TWOS]:
        return wide(S.TWOS)
    return wide(S.ADD_TWO + TWO) if mask[S.ADD_TWO + TWO] else wide(-1)


@compiled
def _with_twos(seen: Any, mask: Any, danger: bool) -> int:
    """A play with a wild Two that is worth it; -1: there is none.

    Without naturals to lay down, a hand has ranks of one or two cards: a pair needs a Two, a single card two of them.
    """
    twos, singles, pairs = wide(seen.hand[THE_TWO]), wide(0), wide(0)
    if twos == 0:
        return wide(-1)
    for rank in range(TWO):
        count = _rank_count(seen.hand, wide(rank))
        singles += count == 1
        pairs += count == 2
    # Out: all but one card, which is discarded, goes down.
    goes_out = pairs + 2 * max(singles - 1, 0) <= twos
    clean, lost = _is_clean(seen), _value(seen.melds[0])
    best, gain = wide(-1), wide(0)
    for slot in range(NUM_SLOTS):
        if mask[S.OPEN_TWO + slot]:
            laid = _rank_value(seen.hand, RANK_OF[BASE[slot]]) + VALUES[THE_TWO]
            if laid > gain:
                best, gain = wide(S.OPEN_TWO + slot), laid
    if danger or goes_out:
        for kind in range(NUM_NATURALS):
            laid = VALUES[kind] + 2 * VALUES[THE_TWO]
            if mask[S.OPEN_TWOS + kind] and laid > gain:
                best, gain = wide(S.OPEN_TWOS + kind), laid
        rank = _meld_for_two(seen, mask)
        if best < 0 and rank >= 0:
            best, gain = S.ADD_TWO + rank, VALUES[THE_TWO]
    if best < 0:
        return wide(-1)
    if goes_out:  # all of the hand counts, and what the other holds counts against it
        gain = _value(seen.hand) + A_CARD_STUCK * wide(seen.hand_size[1])
    if not danger and not goes_out and gain < DEAR:
        return wide(-1)
    return best if not clean or 2 * gain > lost else wide(-1)


@compiled
def _rank_value(row: Any, rank: int) -> int:
    """What the cards of a rank in a row of kinds are worth."""
    value = wide(0)
    for kind in range(NUM_KINDS):
        if RANK_OF[kind] == rank:
            value += VALUES[kind] * row[kind]
    return value


@compiled
def _meld_for_two(seen: Any, mask: Any) -> int:
    """The meld that a Two harms least: the one with the fewest naturals; -1: a Two can be added to none."""
    best, least = wide(-1), wide(99)
    for rank in range(TWO):
        if mask[S.ADD_TWO + rank]:
            size = _rank_count(seen.melds[0], wide(rank))
            if size < least:
                best, least = wide(rank), size
    return best


# The discard ---------------------------------------------------------------------------------------------------------


@compiled
def _discard(seen: Any, mask: Any, danger: bool) -> int:
    """The card that costs least."""
    best, least = legal_at(mask, wide(0)), 1e9
    given = _value(seen.pile) + A_CARD * seen.pile_size
    for kind in range(NUM_KINDS):
        if mask[S.DISCARD + kind]:
            cost = _missed(seen, wide(kind), danger)
            cost += FEARED * _risk(seen, wide(kind)) * (given + 3 * VALUES[kind])
            if cost < least:
                best, least = wide(S.DISCARD + kind), cost
    return best


@compiled
def _missed(seen: Any, kind: int, danger: bool) -> float:
    """What a card is worth in the hand."""
    value = VALUES[kind] + 0.0
    if kind == THE_TWO:
        return TWO_COST if not danger else TWO_COST / 2
    hand = _rank_count(seen.hand, RANK_OF[kind])
    if danger:
        return -value
    # The more of the rank are still to come, the sooner it becomes a meld.
    coming = _unseen(seen, RANK_OF[kind]) / 8.0
    return (PAIR if hand == 2 else 0.0) + (value * coming - 0.3 * value) * (1.5 if hand == 2 else 1.0)


@compiled
def _unseen(seen: Any, rank: int) -> int:
    """Cards of a rank in the stock or the hand of the other."""
    count = 8 - _rank_count(seen.hand, rank) - _rank_count(seen.pile, rank)
    return count - _rank_count(seen.melds[0], rank) - _rank_count(seen.melds[1], rank)


@compiled
def _risk(seen: Any, kind: int) -> float:
    """How likely the other holds two naturals of this rank, and takes the pile."""
    if kind == THE_TWO:
        return 0.0
    rank = RANK_OF[kind]
    known = _rank_count(seen.known[1], rank)
    if known >= 2:
        return 1.0
    hidden = max(wide(seen.hand_size[1]) - _size(seen.known[1]), 0)
    share = hidden / max(hidden + seen.stock_size, 1)
    held = known + (_unseen(seen, rank) - known) * share
    if known == 0 and _unseen(seen, rank) < 2:
        return 0.0
    # With a meld of the rank, what it holds is laid down rather than kept.
    return min(0.35 * held * held, 1.0) * (0.3 if _rank_count(seen.melds[1], rank) else 1.0)


@compiled
def _size(row: Any) -> int:
    """How many cards are in a row of kinds."""
    size = wide(0)
    for kind in range(NUM_KINDS):
        size += row[kind]
    return size
