"""Simple players of 500 Rummy, to measure `greedy` against, and a loop that plays deals.

They play the first card or meld that can be played, and shed the card that is worth most; they differ in the draw.
"""

# The names left open, which `bind` fills in.
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, read_bits, wide
from banakil_env.core.jit import bind, compiled
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.masks import legal_at
from banakil_env.games import rummy500
from banakil_env.games.rummy500.state import ADD, DISCARD, DRAW, MAX_TAKE, TAKE, VALUES, YES
from banakil_env.kit.pack54 import NUM_FACES
from banakil_env.kit.wild_melds import NUM_TAKEN


@compiled
def _play(seen: Any, mask: Any) -> int:
    """Lay a card off, else open the first meld, else discard the card that is worth most."""
    adds = read_bits(mask, ADD, NUM_TAKEN)
    if adds:
        return ADD + lowest(adds)
    discards = read_bits(mask, DISCARD, NUM_FACES)
    first = legal_at(mask, wide(0))
    if not discards or first < ADD:
        return first
    best = wide(lowest(discards))
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        best = face if VALUES[face] > VALUES[best] else best
    return DISCARD + best


@compiled
def from_stock(seen: Any, mask: Any, generator: Any) -> int:
    """Never takes of the pile where it can draw, and lets every rummy lie."""
    return wide(DRAW) if mask[DRAW] else YES + 1 if mask[YES] else _play(seen, mask)


@compiled
def top(seen: Any, mask: Any, generator: Any) -> int:
    """Takes as few cards of the pile as it may, calls for every rummy."""
    return wide(YES) if mask[YES] else legal_at(mask, wide(1)) if mask[DRAW] and _depths(mask) else _play(seen, mask)


@compiled
def whole(seen: Any, mask: Any, generator: Any) -> int:
    """Takes as many cards of the pile as it may, calls for every rummy."""
    depths = _depths(mask)
    return wide(YES) if mask[YES] else TAKE + depths - 1 if depths else _play(seen, mask)


@compiled
def _depths(mask: Any) -> int:
    """How many cards of the pile may be taken at the most; 0: none."""
    for depth in range(MAX_TAKE, 0, -1):
        if mask[TAKE + depth - 1]:
            return wide(depth)
    return wide(0)


SIMPLE = {"from_stock": from_stock, "top": top, "whole": whole}


def _deals(states: Any, seen: Any, mask: Any, dice: Any, deals: int, totals: Any) -> bool:
    """Play deals, `one` on the seats by turns and `other` on all others; the margin of `one` and turns into totals."""
    state, seats = states[0], wide(states[0].num_players)
    for deal in range(deals):
        start(state, np.uint64(deal // seats + 1000))
        seat = seat_to_move(state)
        while seat >= 0:
            observe(state, seat, seen[0])
            legal_mask(state, mask)
            action = one(seen[0], mask, dice[0]) if seat == deal % seats else other(seen[0], mask, dice[0])
            if not mask[action]:
                return False
            carry_out(state, action)
            seat = seat_to_move(state)
        totals[0] += reward(state, deal % seats, wide(0))
        totals[1] += state.turns
    return True


def margin(one: Any, other: Any, name: str, deals: int, **options: Any) -> tuple[float, float]:
    """Mean margin a deal of `one` against `other` on all other seats, and turns."""
    names = ("start", "seat_to_move", "observe", "legal_mask", "carry_out", "reward")
    engine = rummy500.GAME.engine
    bound = {each: getattr(engine, each) for each in names}
    play = bind(_deals, f"rummy500_{name}", one=one, other=other, **bound)
    states, totals = rummy500.GAME.new(**options), np.zeros(2)
    seen, mask = np.zeros(1, rummy500.OBSERVATION), np.zeros(rummy500.GAME.num_actions, np.int8)
    assert play(states, seen, mask, np.zeros(1, GENERATOR), deals, totals), "an illegal answer"
    return totals[0] / deals, totals[1] / deals
