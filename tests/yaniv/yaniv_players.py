"""Simple players of Yaniv, to measure `greedy` against, and a loop that plays deals.

They lay the cards of one rank that are worth most, and differ in when they call and what they draw.
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
from banakil_env.games import yaniv
from banakil_env.games.yaniv.state import ALSO, CALL, DISCARD, DRAW_STOCK, TAKE_FIRST, TAKE_LAST
from banakil_env.kit.pack52 import ACES, NUM_RANKS
from banakil_env.kit.pack54 import NATURALS, NUM_FACES, VALUES

LOW = 3  # an end of at most so many points is taken


@compiled
def _lay(seen: Any, mask: Any) -> int:
    """The first card of the most points of one rank, or a further one; -1: all are laid."""
    if seen.laid_size:
        same = read_bits(mask, ALSO, NUM_FACES) & ACES << (seen.laid[0] - 1) % NUM_RANKS & NATURALS
        return ALSO + lowest(same) if same else wide(-1)
    best, most = wide(-1), wide(-1)
    for face in range(NUM_FACES):
        if seen.hand[face]:
            worth = wide(0)
            for other in range(face % NUM_RANKS, NUM_FACES - 1, NUM_RANKS):
                worth += seen.hand[other] * VALUES[face]
            if worth > most:
                best, most = wide(face), worth
    return DISCARD + best


@compiled
def _take_low(seen: Any, mask: Any) -> int:
    for face in range(NUM_FACES):
        if seen.ends[face] and VALUES[face] <= LOW:
            return wide(TAKE_LAST) if seen.ends[face] == 2 else wide(TAKE_FIRST)
    return wide(DRAW_STOCK)


@compiled
def at_once(seen: Any, mask: Any, generator: Any) -> int:
    """Calls as soon as it may; takes low ends."""
    if mask[CALL]:
        return wide(CALL)
    card = _lay(seen, mask) if not mask[DRAW_STOCK] or seen.laid_size else wide(-1)
    return card if card >= 0 else _take_low(seen, mask)


@compiled
def never(seen: Any, mask: Any, generator: Any) -> int:
    """Never calls; takes low ends."""
    card = _lay(seen, mask) if not mask[DRAW_STOCK] or seen.laid_size else wide(-1)
    return card if card >= 0 else _take_low(seen, mask)


@compiled
def from_stock(seen: Any, mask: Any, generator: Any) -> int:
    """Calls as soon as it may; always draws from the stock."""
    if mask[CALL]:
        return wide(CALL)
    card = _lay(seen, mask) if not mask[DRAW_STOCK] or seen.laid_size else wide(-1)
    return card if card >= 0 else wide(DRAW_STOCK)


SIMPLE = {"at_once": at_once, "never": never, "from_stock": from_stock}


def _play(states: Any, seens: Any, masks: Any, generators: Any, deals: int, seats: int, totals: Any) -> None:
    """Play deals, `one` on the seats by turns and `other` on all others; the points of both, and turns, into totals."""
    state, seen, mask = states[0], seens[0], masks[0]
    for deal in range(deals):
        start(state, np.uint64(deal // seats + 1000))
        seat = wide(0)
        while True:
            seat = seat_to_move(state)
            if seat < 0:
                break
            observe(state, seat, seen)
            legal_mask(state, mask)
            if seat == deal % seats:
                action = one(seen, mask, generators[0])
            else:
                action = other(seen, mask, generators[0])
            if not mask[action]:
                action = legal_at(mask, wide(0))
                totals[3] += 1
            carry_out(state, action)
        for each in range(seats):
            totals[0 if each == deal % seats else 1] += state.points[each]
        totals[2] += state.turns


def points_a_deal(one: Any, other: Any, name: str, deals: int, **options: Any) -> tuple[float, float, float]:
    """Mean points a deal of `one` and of each `other`, and turns; both sit on every seat of the same cards."""
    engine = yaniv.GAME.engine
    play = bind(
        _play,
        f"yaniv_{name}",
        start=engine.start,
        seat_to_move=engine.seat_to_move,
        observe=engine.observe,
        legal_mask=engine.legal_mask,
        carry_out=engine.carry_out,
        one=one,
        other=other,
    )
    states = yaniv.GAME.new(**options)
    seats = int(states[0].num_players)
    totals = np.zeros(4, np.int64)
    generators = np.zeros(1, GENERATOR)
    seens, masks = np.zeros(1, yaniv.OBSERVATION), np.zeros((1, yaniv.GAME.num_actions), np.int8)
    deals -= deals % seats
    play(states, seens, masks, generators, deals, seats, totals)
    assert totals[3] == 0, f"{totals[3]} illegal answers"
    return totals[0] / deals, totals[1] / deals / (seats - 1), totals[2] / deals
