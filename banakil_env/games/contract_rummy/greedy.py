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

import numpy as np

from banakil_env.core.bits import lowest, read_bits, wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.masks import legal_at
from banakil_env.core.scratch import scratch
from banakil_env.games.contract_rummy import state as S
from banakil_env.games.contract_rummy.lookahead import LAST_RUNS, MEETING, can_finish
from banakil_env.kit import contract_table as K
from banakil_env.kit import table_state as T
from banakil_env.kit import wild_melds as W
from banakil_env.kit.contract_table import SWAP as ADDS
from banakil_env.kit.seen import RUN
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS
from banakil_env.kit.pack54 import JOKER, NUM_FACES

# What a set with so many naturals is worth, and a run of four; a spare one is worth half of that.
SET_WORTH = np.array([0, 2, 10, 24], np.int64)
RUN_WORTH = np.array([0, 1, 6, 16, 28], np.int64)

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
        return _choose(seen, mask)
    swaps = read_bits(mask, S.SWAP, JOKER)
    if swaps:
        return S.SWAP + lowest(swaps)
    opening = _opening(mask)
    if opening >= 0:
        return opening
    adds = read_bits(mask, S.ADD, ADDS)
    if adds:
        return S.ADD + lowest(adds)
    discards = read_bits(mask, S.DISCARD, NUM_FACES)
    return _discard(seen, discards) if discards else legal_at(mask, wide(0))


# The hand ------------------------------------------------------------------------------------------------------------


@compiled
def _hand(seen: Any, copies: int) -> int:
    """The naturals of the hand held at least so often, as a mask."""
    cards = wide(0)
    for face in range(JOKER):
        cards |= wide(seen.hand[face] >= copies) << face
    return cards


@compiled
def _gone(seen: Any) -> int:
    """The naturals of which no card is hidden, as a mask."""
    gone = wide(0)
    for face in range(JOKER):
        gone |= wide(seen.hand[face] + seen.table[face] + seen.discards[face] >= K.COPIES) << face
    return gone


@compiled
def _promise(one: int, two: int, gone: int, sets: int, runs: int) -> int:
    """What the best beginnings of so many sets and runs are worth, and one more of each kind that is asked for."""
    worth, hidden = wide(0), ~gone & wide((1 << JOKER) - 1)
    alive = W.windows_with(W.places_of(one | hidden), wide(0))
    for number in range(runs + (runs > 0)):
        window, held = _best_window(one, alive)
        if held == 0:
            break
        worth += RUN_WORTH[held] if number < runs else RUN_WORTH[held] // 2
        cards = W.NEED_ONE[W.row_of_run(window, wide(0))] & one
        one, two = W.first_left(one, two, cards, wide(0)), two & ~cards
    for number in range(sets + (sets > 0)):
        rank, held = _best_rank(one, two, hidden)
        if held == 0:
            break
        worth += SET_WORTH[held] if number < sets else SET_WORTH[held] // 2
        taken = wide(0)
        for layer in range(2):
            for suit in range(NUM_SUITS):
                card = wide(1) << suit * NUM_RANKS + rank
                if taken < held and (two if layer == 0 else one) & card:
                    taken += 1
                    one, two = W.first_left(one, two, card, wide(0)), two & ~card
    return worth


@compiled
def _best_window(one: int, alive: int) -> Any:
    """The run of four with the most cards held, by its lowest place, and how many they are."""
    places = W.places_of(one)
    first, second, third, fourth = places, places >> 1, places >> 2, places >> 3
    odd, other = first ^ second, third ^ fourth
    both, both_other = first & second, third & fourth
    four = both & both_other & alive
    three = (both & other | both_other & odd) & alive
    two = (both | both_other | odd & other) & alive
    some = (odd | other) & alive
    for held, windows in ((4, four), (3, three), (2, two), (1, some)):
        if windows:
            return lowest(windows), wide(held)
    return wide(0), wide(0)


@compiled
def _best_rank(one: int, two: int, hidden: int) -> Any:
    """The rank with the most cards held, at most three of them, and how many; pairs only with a third card hidden."""
    best, most = wide(0), wide(0)
    ones, twos, fours, eights = W.numbers_by_rank(one, two)
    there = hidden | hidden >> NUM_RANKS | hidden >> 2 * NUM_RANKS | hidden >> 3 * NUM_RANKS
    for held, ranks in ((3, twos & ones | fours | eights), (2, twos & there), (1, ones & there)):
        if ranks:
            return lowest(ranks & (1 << NUM_RANKS) - 1), wide(held)
    return best, most


@inlined
def _is_down(seen: Any) -> bool:
    """Whether the seat has melds of earlier turns."""
    return seen.down[0] != 0 and not (seen.first and seen.active[0])


@compiled
def _upcard(seen: Any) -> int:
    """The face of the upcard."""
    return wide(seen.pile[seen.pile_size - 1]) - 1


@compiled
def _gain(seen: Any, face: int) -> int:
    """By how much a natural raises the promise of the hand; much, if it lets the contract be met."""
    one, two, contract = _hand(seen, wide(1)), _hand(seen, wide(2)), wide(seen.contract)
    sets, runs, card = wide(S.SETS[contract]), wide(S.RUNS[contract]), wide(1) << face
    with_one, with_two = one | card, two | one & card
    if _can_lay(with_one, with_two, wide(seen.hand[JOKER]), contract):
        return wide(SET_WORTH[3] * 2)
    gone = _gone(seen)
    return _promise(with_one, with_two, gone, sets, runs) - _promise(one, two, gone, sets, runs)


@compiled
def _can_lay(one: int, two: int, jokers: int, contract: int) -> bool:
    """Whether a hand meets the contract."""
    if contract == S.ALL_AT_ONCE:
        nothing = scratch(LAST_RUNS)
        for i in range(LAST_RUNS):
            nothing[i] = 0
        return can_finish(nothing, one, two, jokers)
    sets, runs = wide(S.SETS[contract]), wide(S.RUNS[contract])
    return MEETING.can_meet(one, two, jokers, sets, runs, wide(W.ALL_WINDOWS))


# Decisions -----------------------------------------------------------------------------------------------------------


@compiled
def _wants_upcard(seen: Any) -> bool:
    face = _upcard(seen)
    if face == JOKER:
        return True
    if not _is_down(seen):
        return _gain(seen, face) >= TAKE_GAIN
    if seen.fits[face]:
        return True
    one, two, jokers = _hand(seen, wide(1)), _hand(seen, wide(2)), wide(seen.hand[JOKER])
    card = wide(1) << face
    many, none, everywhere = wide(1), wide(0), wide(W.ALL_WINDOWS)
    with_one, with_two = one | card, two | one & card
    return MEETING.can_meet(with_one, with_two, jokers, many, none, everywhere) or MEETING.can_meet(
        with_one, with_two, jokers, none, many, everywhere
    )


@compiled
def _calls(seen: Any) -> bool:
    if _is_down(seen) or seen.contract == S.ALL_AT_ONCE:
        return False
    face = _upcard(seen)
    gain = wide(99) if face == JOKER else _gain(seen, face)
    for place in range(wide(seen.num_players)):
        if seen.down[place]:
            return gain >= 2 * SET_WORTH[3]
    return gain >= CALL_GAIN and seen.calls[0] < MAX_OWN_CALLS


@compiled
def _choose(seen: Any, mask: Any) -> int:
    """A run rather than a set: it makes room for the next card."""
    for slot in range(W.MAX_MELDS):
        if mask[S.MELD + slot] and seen.meld_kind[slot] == RUN:
            return S.MELD + slot
    return legal_at(mask, wide(0))


@compiled
def _opening(mask: Any) -> int:
    """The legal opening with the fewest Jokers, of these the one worth most points; -1: none is legal."""
    best, most = wide(-1), wide(-1000)
    for action in range(S.OPEN_SET, S.ADD):
        if mask[action]:
            row = MEETING.row_of(wide(action))
            worth, once, twice = -100 * W.NEED_JOKERS[row], W.NEED_ONE[row], W.NEED_TWO[row]
            while once:
                face = lowest(once)
                once &= once - 1
                worth += S.POINTS[face] * (1 + (twice >> face & 1))
            if worth > most:
                best, most = wide(action), worth
    return best


@compiled
def _discard(seen: Any, discards: int) -> int:
    """The card that is missed least."""
    one, two, gone, contract = _hand(seen, wide(1)), _hand(seen, wide(2)), _gone(seen), wide(seen.contract)
    down = seen.down[0] != 0
    sets, runs = (wide(1), wide(1)) if down else (wide(S.SETS[contract]), wide(S.RUNS[contract]))
    weight, before, best, least = wide(EARLY), _promise(one, two, gone, sets, runs), wide(-1), wide(0)
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
            rest = _promise(W.first_left(one, two, card, wide(0)), two & ~card, gone, sets, runs)
            cost = 4 * (before - rest) - weight * S.POINTS[face]
            cost += KEPT if down and seen.fits[face] else 0
        if best < 0 or cost < least:
            best, least = S.DISCARD + face, cost
    return best
