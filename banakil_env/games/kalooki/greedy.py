"""`greedy`: plays like a sensible person who sorts the hand by the contract and does not look ahead.

The promise of a hand is the worth of its best beginnings of threes and fours (`kit/contracts/promise.py`).
Draw: the upcard if the contract can be met only with it, or if it raises the promise; otherwise from the stock.
Calls: call if the contract can be met only with the card, or if it raises the promise much (very much once a seat is
down, that is, has laid its first melds). Refuse a call for a card that raises the promise a little, because the caller
gains by it and the stock seldom brings as much.
Play: meet the contract as soon as possible, with few Jokers and high cards. Then make all openings, all exchanges for
Jokers and all additions, also of Jokers.
Discard: the card that lowers the promise least, high cards first, more so once a seat is down.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with fitted numbers, and waits to bend the
table: to go out in the turn in which it meets the contract (`_wants_to_call`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.moves import best_opening, can_meet
from banakil_env.games.kalooki.records import Observation
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts.promise import (
    DISCARDS,
    MEETS,
    ROWS,
    WORTHS,
    choose_run,
    gone_in,
    held_in,
    hidden_of,
    is_late,
    least_useful,
    raised_by,
    upcard_of,
)
from banakil_env.kit.contracts.promise import row_of as row_of
from banakil_env.kit.contracts.table import ANSWER, COPIES, NUM_NAMED
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.contracts import ANY_RANKS, REPEATED
from banakil_env.kit.pack54 import JOKER

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    ROWS,
    *WORTHS,
    *DISCARDS,
    Parameter("take_gain", 500, -500, 3000, "least rise of the promise for which a card is taken"),
    Parameter("call_gain", 1000, 0, 6000, "least rise for which a card is called, before the first call"),
    Parameter("call_gain_again", 1000, 0, 6000, "the same after a call"),
    Parameter("call_gain_late", 9900, 0, 10_000, "the same before the first call, once a seat is down"),
    Parameter("call_gain_late_again", 9900, 0, 10_000, "the same after a call, once a seat is down"),
    Parameter("call_more", 0, -500, 3000, "increase of these limits with the second call"),
    Parameter("bend_outs", 108, 1, 108, "the hand waits if at least this many hidden cards complete it; 108: never"),
    Parameter("bend_outs_late", 108, 1, 108, "the same once a seat is down"),
    Parameter("refuse_gain", 300, -200, 3000, "least rise of the promise for which a call is refused"),
    Parameter("refuse_gain_late", 300, -200, 3000, "the same once a seat is down"),
)


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
    if seen.phase[T.DRAW]:
        return S.TAKE if mask[S.TAKE] and _gain(seen, values) >= values.take_gain else S.DRAW
    if mask[S.CALL]:
        return S.CALL if _wants_to_call(seen, values) else S.PASS
    if seen.phase[ANSWER]:
        least = values.refuse_gain_late if is_late(seen) else values.refuse_gain
        return S.REFUSE if _gain(seen, values) >= least else S.ALLOW
    if seen.phase[T.CHOOSE]:
        return choose_run(seen, mask, S.MELD)
    opening = best_opening(mask, S.POINTS)
    if opening >= 0:
        return opening
    for place in range(NUM_NAMED - 1, -1, -1):  # exchanges first, naturals last, because naturals can be discarded
        if mask[S.ADD + place]:
            return S.ADD + place
    discards = read_bits(mask, S.DISCARD, JOKER)
    if not discards:
        return legal_at(mask, 0)
    threes, fours = S.THREES[seen.contract], S.FOURS[seen.contract]
    return S.DISCARD + least_useful(seen, discards, threes, fours, True, S.POINTS, 0, values)


@compiled
def _wants_to_call(seen: Observation, values: Any) -> bool:
    """Return whether the upcard is worth a call, which also brings an unknown card of the stock.

    A hand that still has the size dealt bends the table when it meets the contract: it goes out at once (K7.3). A call
    adds two cards. Before its first call a hand therefore waits if enough hidden cards would complete it (`bend_outs`,
    or `bend_outs_late` once a seat is down).
    """
    late, calls = is_late(seen), seen.calls[0]
    if calls:
        least = values.call_gain_late_again if late else values.call_gain_again
        least += values.call_more * (calls - 1)
    else:
        least = values.call_gain_late if late else values.call_gain
    if _gain(seen, values) < least:
        return False
    return calls > 0 or _outs(seen) < (values.bend_outs_late if late else values.bend_outs)


@compiled
def _outs(seen: Observation) -> int:
    """Return the number of hidden cards with which the hand would meet the contract."""
    one, two, outs = held_in(seen, 1), held_in(seen, 2), 0
    if _can_meet(seen, one, two, 1):
        outs += hidden_of(seen, JOKER, S.NUM_JOKERS)
    for face in range(JOKER):
        hidden, card = hidden_of(seen, face, COPIES), 1 << face
        if hidden > 0 and _can_meet(seen, one | card, two | one & card, 0):
            outs += hidden
    return outs


@compiled
def _can_meet(seen: Observation, one: int, two: int, more: int) -> bool:
    """Return whether naturals meet the contract with the Jokers of the hand and `more` additional Jokers.

    `one` and `two` are masks of the naturals held at least once and twice.
    """
    contract, jokers = seen.contract, seen.hand[JOKER] + more
    threes, fours = S.THREES[contract], S.FOURS[contract]
    ranks = ANY_RANKS - REPEATED * seen.rules.threes
    return can_meet(one, two, jokers, threes, fours, W.ALL_WINDOWS, ranks)


@compiled
def _gain(seen: Observation, values: Any) -> int:
    """Return by how much the upcard raises the promise of the hand (the worth of its beginnings of melds).

    The result is MEETS, a large number, for a Joker, or if the hand meets the contract only with the upcard.
    """
    face, contract = upcard_of(seen), seen.contract
    if face == JOKER:
        return MEETS
    one, two, card = held_in(seen, 1), held_in(seen, 2), 1 << face
    threes, fours = S.THREES[contract], S.FOURS[contract]
    if _can_meet(seen, one | card, two | one & card, 0) and not _can_meet(seen, one, two, 0):
        return MEETS
    return raised_by(card, one, two, gone_in(seen), threes, fours, True, values)
