"""`greedy`: what a sensible person plays who sorts the hand by the contract and does not look ahead.

The promise of a hand is what its best beginnings of sets and runs are worth, as many as the contract asks for and one
more of each kind; beginnings whose missing cards are all gone count for nothing.
Draw: the upcard if the contract can then be met, or if it raises the promise much; once down, if a meld takes it or it
makes one. Else from the stock.
May I?: call if the contract can then be met, or if a card raises the promise very much while nobody is down; never once
down, and not in the seventh contract, where every card more has to be laid.
Play: meet the contract as soon as possible, with few Jokers and high cards. Later exchange for Jokers, open what can be
opened, add what can be added.
Discard: what lowers the promise least, high cards first, the more so once another seat is down. Keep what a meld on the
table will take in the next turn.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.scratch import scratch
from banakil_env.games.contract import state as S
from banakil_env.games.contract.moves import best_opening, can_meet
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts.promise import SET_WORTH, choose_run, gone_in, held_in, promise, upcard_of, was_down
from banakil_env.kit.contracts.table import SWAP as ADDS
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.all_in_runs import LAST_RUNS, can_finish
from banakil_env.kit.pack54 import JOKER, NUM_FACES

# By how much a card must raise the promise to be taken, or called for with two cards instead of one. What a point in
# the hand weighs against the promise, in quarters, before and after another seat is down; and a card to be laid off.
TAKE_GAIN, CALL_GAIN = 8, 12
EARLY, LATE = 1, 3
KEPT = 40
MAX_OWN_CALLS = 3


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if mask[S.DRAW]:
        return wide(S.TAKE) if mask[S.TAKE] and _wants_upcard(seen) else wide(S.DRAW)
    if mask[S.CALL]:
        return wide(S.CALL) if _calls(seen) else wide(S.PASS)
    if seen.phase[T.CHOOSE]:
        return choose_run(seen, mask, wide(S.MELD))
    swaps = read_bits(mask, S.SWAP, JOKER)
    if swaps:
        return S.SWAP + lowest(swaps)
    opening = best_opening(mask, S.POINTS)
    if opening >= 0:
        return opening
    adds = read_bits(mask, S.ADD, ADDS)
    if adds:
        return S.ADD + lowest(adds)
    discards = read_bits(mask, S.DISCARD, NUM_FACES)
    return _discard(seen, discards) if discards else legal_at(mask, wide(0))


@compiled
def _gain(seen: Any, face: int) -> int:
    """By how much a natural raises the promise of the hand; much, if it lets the contract be met."""
    one, two, contract = held_in(seen, wide(1)), held_in(seen, wide(2)), wide(seen.contract)
    sets, runs, card = wide(S.SETS[contract]), wide(S.RUNS[contract]), wide(1) << face
    with_one, with_two = one | card, two | one & card
    if _can_lay(with_one, with_two, wide(seen.hand[JOKER]), contract):
        return wide(SET_WORTH[3] * 2)
    gone = gone_in(seen)
    return promise(with_one, with_two, gone, sets, runs) - promise(one, two, gone, sets, runs)


@compiled
def _can_lay(one: int, two: int, jokers: int, contract: int) -> bool:
    """Whether a hand meets the contract."""
    if contract == S.ALL_AT_ONCE:
        nothing = scratch(LAST_RUNS)
        for i in range(LAST_RUNS):
            nothing[i] = 0
        return can_finish(nothing, one, two, jokers)
    sets, runs = wide(S.SETS[contract]), wide(S.RUNS[contract])
    return can_meet(one, two, jokers, sets, runs, wide(W.ALL_WINDOWS))


# Decisions -----------------------------------------------------------------------------------------------------------


@compiled
def _wants_upcard(seen: Any) -> bool:
    face = upcard_of(seen)
    if face == JOKER:
        return True
    if not was_down(seen):
        return _gain(seen, face) >= TAKE_GAIN
    if seen.fits[face]:
        return True
    one, two, jokers = held_in(seen, wide(1)), held_in(seen, wide(2)), wide(seen.hand[JOKER])
    card = wide(1) << face
    many, none, everywhere = wide(1), wide(0), wide(W.ALL_WINDOWS)
    with_one, with_two = one | card, two | one & card
    return can_meet(with_one, with_two, jokers, many, none, everywhere) or can_meet(
        with_one, with_two, jokers, none, many, everywhere
    )


@compiled
def _calls(seen: Any) -> bool:
    if was_down(seen) or seen.contract == S.ALL_AT_ONCE:
        return False
    face = upcard_of(seen)
    gain = wide(99) if face == JOKER else _gain(seen, face)
    for place in range(wide(seen.num_players)):
        if seen.down[place]:
            return gain >= 2 * SET_WORTH[3]
    return gain >= CALL_GAIN and seen.calls[0] < MAX_OWN_CALLS


@compiled
def _discard(seen: Any, discards: int) -> int:
    """The card that is missed least."""
    one, two, gone, contract = held_in(seen, wide(1)), held_in(seen, wide(2)), gone_in(seen), wide(seen.contract)
    down = seen.down[0] != 0
    sets, runs = (wide(1), wide(1)) if down else (wide(S.SETS[contract]), wide(S.RUNS[contract]))
    weight, before, best, least = wide(EARLY), promise(one, two, gone, sets, runs), wide(-1), wide(0)
    for place in range(1, wide(seen.num_players)):
        if seen.down[place] or down:
            weight = wide(LATE)
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        if face == JOKER:
            cost = wide(10_000)
        else:
            card = wide(1) << face
            rest = promise(W.first_left(one, two, card, wide(0)), two & ~card, gone, sets, runs)
            cost = 4 * (before - rest) - weight * S.POINTS[face]
            cost += KEPT if down and seen.fits[face] else 0
        if best < 0 or cost < least:
            best, least = S.DISCARD + face, cost
    return best
