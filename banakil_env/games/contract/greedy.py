"""`greedy`: plays like a sensible person who sorts the hand by the contract and does not look ahead.

The promise of a hand is the worth of its best beginnings of sets and runs. It counts one more of each kind than the
contract requires. A beginning whose missing cards are all gone has no worth.
Draw: the upcard if the contract can be met only with it, or if it raises the promise much. Once down (after its first
melds): if a meld takes the upcard, or the upcard makes a meld. Otherwise from the stock.
May I?: call if the contract can be met only with the card, or if it raises the promise very much. Once down, call if it
makes a meld. Do not call in the seventh contract, where every additional card has to be laid down.
Play: meet the contract as soon as possible, with few Jokers and high cards. Later make all exchanges for Jokers, then
all openings, then all additions.
Discard: the card that lowers the promise least, high cards first, more so once another seat is down. Keep cards that
a meld on the table will take in the next turn.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with fitted numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters
from banakil_env.core.scratch import scratch
from banakil_env.games.contract import state as S
from banakil_env.games.contract.moves import EVERY_RANK, best_opening, can_meet, fewest
from banakil_env.games.contract.records import Observation
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts.promise import (
    DISCARDS,
    MEETS,
    ROWS,
    WORTHS,
    choose_run,
    gone_in,
    held_in,
    is_late,
    least_useful,
    raised_by,
    upcard_of,
    was_down,
)
from banakil_env.kit.contracts.promise import row_of as row_of
from banakil_env.kit.contracts.table import SWAP as ADDS
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.all_in_runs import LAST_RUNS, can_finish
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import JOKER, NUM_FACES

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    ROWS,
    *WORTHS,
    *DISCARDS,
    Parameter("kept", 1000, 0, 6000, "cost of a discard that a meld on the table takes in the next turn"),
    Parameter("take_gain", 800, -500, 3000, "least rise of the promise for which a card is taken"),
    Parameter("call_gain", 1200, 0, 6000, "least rise for which a card is called"),
    Parameter("call_gain_late", 4800, 0, 6000, "the same once another seat is down"),
    Parameter("call_more", 0, -500, 3000, "increase of this limit with each call"),
    Parameter("most_calls", 3, 0, 6, "most calls for a card that only raises the promise"),
)


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
    if mask[S.DRAW]:
        return S.TAKE if mask[S.TAKE] and _wants_upcard(seen, values) else S.DRAW
    if mask[S.CALL]:
        return S.CALL if _calls(seen, values) else S.PASS
    if seen.phase[T.CHOOSE]:
        return choose_run(seen, mask, S.MELD)
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
    if not discards:
        return legal_at(mask, 0)
    sets, runs, kept = S.SETS[seen.contract], S.RUNS[seen.contract], 0
    if seen.down[0]:
        kept = values.kept
    return S.DISCARD + least_useful(seen, discards, sets, runs, False, S.POINTS, kept, values)


@compiled
def _gain(seen: Observation, face: int, values: Any) -> int:
    """Return by how much a natural raises the promise of the hand (the worth of its beginnings of melds).

    The result is MEETS, a large number, if the hand meets the contract only with this card.
    """
    one, two, contract = held_in(seen, 1), held_in(seen, 2), seen.contract
    sets, runs, card = S.SETS[contract], S.RUNS[contract], 1 << face
    jokers, naturals = seen.hand[JOKER], fewest(seen)
    if _can_lay(one | card, two | one & card, jokers, contract, naturals):
        # In the seventh contract a card of the stock instead would have to be laid as well.
        if contract == S.ALL_AT_ONCE or not _can_lay(one, two, jokers, contract, naturals):
            return MEETS
    return raised_by(card, one, two, gone_in(seen), sets, runs, False, values)


@compiled
def _can_lay(one: int, two: int, jokers: int, contract: int, naturals: int) -> bool:
    """Return whether a hand meets the contract.

    Args:
        one: mask of the naturals that the hand has at least once.
        two: mask of the naturals that the hand has twice.
        jokers: the number of Jokers.
        contract: the number of the contract.
        naturals: the fewest naturals of an opening; see `fewest`.
    """
    if contract == S.ALL_AT_ONCE:
        nothing = scratch(LAST_RUNS)
        for i in range(LAST_RUNS):
            nothing[i] = 0
        return can_finish(nothing, one, two, jokers, naturals)
    sets, runs = S.SETS[contract], S.RUNS[contract]
    return can_meet(one, two, jokers, sets, runs, W.ALL_WINDOWS, EVERY_RANK, naturals)


# Decisions -----------------------------------------------------------------------------------------------------------


@compiled
def _wants_upcard(seen: Observation, values: Any) -> bool:
    face = upcard_of(seen)
    if face == JOKER:
        return True
    if not was_down(seen):
        return _gain(seen, face, values) >= values.take_gain
    return seen.fits[face] or _makes_meld(seen, face)


@compiled
def _makes_meld(seen: Observation, face: int) -> bool:
    """Return whether a meld can be opened that has this natural in it."""
    one, two, jokers = held_in(seen, 1), held_in(seen, 2), seen.hand[JOKER]
    card, naturals = 1 << face, fewest(seen)
    with_one, with_two, many, none = one | card, two | one & card, 1, 0
    rank, runs = 1 << face % NUM_RANKS, W.windows_over(card)
    return can_meet(with_one, with_two, jokers, many, none, 0, rank, naturals) or can_meet(
        with_one, with_two, jokers, none, many, runs, EVERY_RANK, naturals
    )


@compiled
def _calls(seen: Observation, values: Any) -> bool:
    if seen.contract == S.ALL_AT_ONCE:
        return False
    face = upcard_of(seen)
    if was_down(seen):
        return face == JOKER or _makes_meld(seen, face)
    gain = MEETS if face == JOKER else _gain(seen, face, values)
    gain -= values.call_more * seen.calls[0]
    if is_late(seen):
        return gain >= values.call_gain_late
    return gain >= values.call_gain and seen.calls[0] < values.most_calls
