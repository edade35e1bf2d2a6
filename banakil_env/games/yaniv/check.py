"""Checks that a record is a sound state of Yaniv, which can be played on without an access out of range."""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.yaniv.discards import is_discard
from banakil_env.games.yaniv.records import State
from banakil_env.games.yaniv.state import HAND_SIZE, MAX_POINTS, STATE, YANIV, can_go_on, is_out, seats_in_game
from banakil_env.kit import soundness
from banakil_env.kit.pack54 import count_cards, total_of
from banakil_env.kit.soundness import COMMON, NOTHING_TO_DRAW, ROUND, Faults, fault_of_round
from banakil_env.kit.table_state import DRAW, EXHAUSTED, MATCH, MATCH_EPISODE, OUT, OVER

FAULTS = Faults(COMMON)
SIZES = FAULTS.named("a hand has no cards, or more than five together with the cards laid")
OUT_OF_MATCH = FAULTS.named("a seat is out of the match although it has cards, is to move, or plays a single round")
IN_GAME = FAULTS.named("too few seats are in the match, or too many for a match that is won")
LAST = FAULTS.named("the last discard is invalid")
LAID = FAULTS.named("the cards laid cannot become a discard, or do not agree with the phase")
CALLER = FAULTS.named("the caller is not the seat that acted last, or holds too many points")


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    fault = fault_of_round(state, MAX_POINTS)
    if fault:
        return fault
    if state.ending == EXHAUSTED or state.ending == OUT:  # endings that only other games have
        return ROUND
    return _fault_of_cards(state) or _fault_of_seats(state) or _fault_of_turn(state)


@soundness.fault_of_melds.fill(STATE)
def fault_of_melds(state: State) -> int:
    """Return 0, because Yaniv has no melds on the table."""
    return 0


@compiled
def _fault_of_cards(state: State) -> int:
    fault = soundness.fault_of_cards(state)
    if fault:
        return fault
    return LAST if state.last > state.pile_size else 0


@compiled
def _fault_of_seats(state: State) -> int:
    players, over = state.num_players, state.phase == OVER
    if state.out >> players or (state.out and state.episode != MATCH_EPISODE):
        return OUT_OF_MATCH
    if not over and is_out(state, state.seat):
        return OUT_OF_MATCH
    if state.ending == MATCH:
        if seats_in_game(state) != 1 or is_out(state, state.winner):
            return IN_GAME
    elif seats_in_game(state) < 2:
        return IN_GAME
    for seat in range(players):
        size = count_cards(state.hands[seat])
        laying = seat == state.seat and state.laid_size != 0
        if size + (state.laid_size if laying else 0) > HAND_SIZE:
            return SIZES
        if not over:
            if is_out(state, seat):
                if size:
                    return OUT_OF_MATCH
            elif size == 0 and not laying:
                return SIZES
    return 0


@compiled
def _fault_of_turn(state: State) -> int:
    if state.stock_size == 0:
        return NOTHING_TO_DRAW
    row = scratch(HAND_SIZE)
    for i in range(state.last):
        row[i] = state.pile[state.pile_size - state.last + i]
    if not is_discard(row, state.last):
        return LAST
    if (state.phase == DRAW) != (state.laid_size != 0):
        return LAID
    if not can_go_on(state):
        return LAID
    if state.ending == YANIV:
        if state.winner != state.seat or total_of(state.hands[state.seat]) > state.rules.call_limit:
            return CALLER
    return 0
