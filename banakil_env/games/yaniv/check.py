"""Is a record a sound state of Yaniv? What passes plays on without an access out of range."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.yaniv.discards import is_discard
from banakil_env.games.yaniv.state import (
    HAND_SIZE,
    MAX_POINTS,
    MAX_SEATS,
    STATE,
    YANIV,
    can_go_on,
    is_out,
    seats_in_game,
)
from banakil_env.kit import soundness
from banakil_env.kit.pack54 import (
    count_cards,
    total_of,
)
from banakil_env.kit.soundness import ROUND_FAULTS, fault_of_round
from banakil_env.kit.table_state import DRAW, EXHAUSTED, MATCH, MATCH_EPISODE, OUT, OVER

OWN_FAULTS = (
    "the cards are not those of the packs, each in one place",
    "cells beyond the end of stock, pile, what is laid or seats are not empty",
    "inconsistent card layers in a hand",
    "cards are known to be in a hand that are not",
    "a seat is out that does not play, holds cards, or plays a single round",
    "the dealer, the seat to move or the winner does not play, or a seat that is out has to play",
    "too few seats are in the game, or too many for a match that is won",
    "a hand has more than five cards, with what is laid, or none",
    "the stock is empty",
    "the last discard is invalid",
    "what is laid is not the beginning of a discard, or the phase says otherwise",
    "the caller is not the seat that acted last, or holds too many points",
)
FAULTS = ROUND_FAULTS + OWN_FAULTS
_FIRST = len(ROUND_FAULTS) + 1
(_PACKS, _CELLS_LEFT, _LAYERS, _KNOWN, _OUT, _SEATS, _IN_GAME, _SIZES, _STOCK, _LAST, _LAID, _CALLER) = range(
    _FIRST, _FIRST + len(OWN_FAULTS)
)


@compiled
def check(state: Any) -> int:
    """0, or a place in FAULTS plus 1; see `core/engine.py`."""
    fault = fault_of_round(state, MAX_POINTS)
    if fault:
        return fault
    if state.ending == EXHAUSTED or state.ending == OUT:  # endings of other games
        return 1
    return _fault_of_cards(state) or _fault_of_seats(state) or _fault_of_turn(state)


@soundness.fault_of_melds.fill(STATE)
def fault_of_laid(state: Any) -> int:
    """The cards laid in this turn, in place of melds."""
    for i in range(state.laid_size, HAND_SIZE):
        if state.laid[i]:
            return soundness.CELLS
    return 0


@compiled
def _fault_of_cards(state: Any) -> int:
    fault = soundness.fault_of_cards(state)
    if fault:
        return fault + _FIRST - 1
    return _LAST if state.last > state.pile_size else 0


@compiled
def _fault_of_seats(state: Any) -> int:
    players, over = state.num_players, state.phase == OVER
    if state.dealer >= players or state.seat >= players or state.winner >= players:
        return _SEATS
    if state.out >> players or (state.out and state.episode != MATCH_EPISODE):
        return _OUT
    if not over and is_out(state, state.seat):
        return _SEATS
    if state.ending == MATCH:
        if seats_in_game(state) != 1 or is_out(state, state.winner):
            return _IN_GAME
    elif seats_in_game(state) < 2:
        return _IN_GAME
    for seat in range(MAX_SEATS):
        size = count_cards(state.hands[seat])
        if seat >= players and (size or state.scores[seat] or state.points[seat]):
            return _CELLS_LEFT
        laying = seat == state.seat and state.laid_size != 0
        if size + (state.laid_size if laying else 0) > HAND_SIZE:
            return _SIZES
        if not over and seat < players:
            if is_out(state, seat):
                if size:
                    return _OUT
            elif size == 0 and not laying:
                return _SIZES
    return 0


@compiled
def _fault_of_turn(state: Any) -> int:
    if state.stock_size == 0:
        return _STOCK
    row = scratch(HAND_SIZE)
    for i in range(state.last):
        row[i] = state.pile[state.pile_size - state.last + i]
    if not is_discard(row, state.last):
        return _LAST
    if (state.phase == DRAW) != (state.laid_size != 0):
        return _LAID
    if not can_go_on(state):
        return _LAID
    if state.ending == YANIV:
        if state.winner != state.seat or total_of(state.hands[state.seat]) > state.rules.call_limit:
            return _CALLER
    return 0
