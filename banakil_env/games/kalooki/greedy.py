"""`greedy`: what a sensible person plays who sorts the hand by the contract and does not look ahead.

The promise of a hand is what its best beginnings of threes and fours are worth (`kit/contracts/promise.py`).
Draw: the upcard if the contract can then be met, or if it raises the promise; else from the stock.
Calls: call if the contract can then be met, or if the card raises the promise much and nobody is down. Refuse a call
for a card that raises the own promise a little: who calls gains by it, and the stock seldom brings as much.
Play: meet the contract as soon as possible, with few Jokers and high cards. Then open what can be opened, exchange for
Jokers, add what can be added, Jokers too.
Discard: what lowers the promise least, high cards first, the more so once a seat is down.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.moves import best_opening, can_meet
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts.promise import choose_run, gone_in, held_in, promise, upcard_of
from banakil_env.kit.contracts.table import ANSWER, NUM_NAMED
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.contracts import ANY_RANKS, REPEATED
from banakil_env.kit.pack54 import JOKER

# By how much a card must raise the promise to be taken, to be called for with a card of the stock behind it, and to
# refuse a call for it. What a card gains with which the contract can be met.
TAKE_GAIN, CALL_GAIN, REFUSE_GAIN, MEETS = 5, 10, 3, 99
# What a point in the hand weighs against the promise, in quarters, before and after a seat is down.
EARLY, LATE = 1, 3


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if seen.phase[T.DRAW]:
        return wide(S.TAKE) if mask[S.TAKE] and _gain(seen) >= TAKE_GAIN else wide(S.DRAW)
    if mask[S.CALL]:
        return wide(S.CALL) if _gain(seen) >= (MEETS if _is_late(seen) else CALL_GAIN) else wide(S.PASS)
    if seen.phase[ANSWER]:
        return wide(S.REFUSE) if _gain(seen) >= REFUSE_GAIN else wide(S.ALLOW)
    if seen.phase[T.CHOOSE]:
        return choose_run(seen, mask, wide(S.MELD))
    opening = best_opening(mask, S.POINTS)
    if opening >= 0:
        return opening
    for place in range(NUM_NAMED - 1, -1, -1):  # exchanges first, naturals last: they can be discarded
        if mask[S.ADD + place]:
            return S.ADD + place
    discards = read_bits(mask, S.DISCARD, JOKER)
    return _discard(seen, discards) if discards else legal_at(mask, wide(0))


@compiled
def _is_late(seen: Any) -> bool:
    """Whether a seat has melds."""
    down = wide(0)
    for place in range(wide(seen.num_players)):
        down |= seen.down[place]
    return down != 0


@compiled
def _gain(seen: Any) -> int:
    """By how much the upcard raises the promise of the hand; MEETS, if the contract can then be met, or for a Joker."""
    face, contract = upcard_of(seen), wide(seen.contract)
    if face == JOKER:
        return wide(MEETS)
    one, two, card = held_in(seen, wide(1)), held_in(seen, wide(2)), wide(1) << face
    with_one, with_two, gone = one | card, two | one & card, gone_in(seen)
    threes, fours = wide(S.THREES[contract]), wide(S.FOURS[contract])
    windows, ranks = wide(W.ALL_WINDOWS), ANY_RANKS - REPEATED * wide(seen.rules.threes)
    if can_meet(with_one, with_two, wide(seen.hand[JOKER]), threes, fours, windows, ranks):
        return wide(MEETS)
    before = promise(one, two, gone, threes, fours, True)
    return promise(with_one, with_two, gone, threes, fours, True) - before


@compiled
def _discard(seen: Any, discards: int) -> int:
    """The card that is missed least."""
    one, two, gone, contract = held_in(seen, wide(1)), held_in(seen, wide(2)), gone_in(seen), wide(seen.contract)
    threes, fours = wide(S.THREES[contract]), wide(S.FOURS[contract])
    if seen.down[0]:
        threes, fours = wide(1), wide(1)
    weight, before = wide(LATE) if _is_late(seen) else wide(EARLY), promise(one, two, gone, threes, fours, True)
    best, least = wide(-1), wide(0)
    while discards:
        face = lowest(discards)
        card = wide(1) << face
        discards &= discards - 1
        rest = promise(W.first_left(one, two, card, wide(0)), two & ~card, gone, threes, fours, True)
        cost = 4 * (before - rest) - weight * S.POINTS[face]
        if best < 0 or cost < least:
            best, least = S.DISCARD + face, cost
    return best
