"""The legal actions and their effects: call, or lay the first card (Y2.1, Y2.2); lay further cards, or draw (Y2.3).

For each phase, the functions for its legal actions come first, then the functions for their effects.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, write_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import shuffle
from banakil_env.games.yaniv.discards import followers, is_discard
from banakil_env.games.yaniv.records import State
from banakil_env.games.yaniv.scoring import end_round, score_call
from banakil_env.games.yaniv.state import ALSO, CALL, DISCARD, DRAW_STOCK, TAKE_FIRST, TAKE_LAST, YANIV, next_in_game
from banakil_env.kit import table_state as T
from banakil_env.kit.pack54 import NUM_FACES, total_of
from banakil_env.kit.rounds import no_points
from banakil_env.kit.table_state import DRAW, NO_SEAT, PLAY, TURNS

# No card is laid yet: call, or lay the first card ---------------------------------------------------------------------


@inlined
def may_call(state: State) -> bool:
    """Return whether the hand of the seat to move is low enough for a call (Y2.1)."""
    return total_of(state.hands[state.seat]) <= state.rules.call_limit


@compiled
def call(state: State) -> None:
    """End the round with a call: all hands count (Y4)."""
    caller = state.seat
    winner = score_call(state, caller)
    end_round(state, YANIV, caller, winner)


@compiled
def lay(state: State, face: int) -> None:
    """Lay a card of the hand. Of equal cards one that was taken from a discard is laid first (Y2.3)."""
    T.leave_hand(state, state.seat, face)
    state.laid[state.laid_size] = face
    state.laid_size += 1
    state.phase = DRAW


discard = also = lay  # the first card of a discard, and further ones


# Cards are laid: lay further cards, or draw ---------------------------------------------------------------------------


@inlined
def may_draw(state: State) -> bool:
    """Return whether the laid cards are a complete discard (Y2.5)."""
    return is_discard(state.laid, state.laid_size)


@inlined
def has_two_ends(state: State) -> bool:
    """Return whether the two ends of the previous discard are different cards (Y2.4)."""
    return state.pile[state.pile_size - state.last] != state.pile[state.pile_size - 1]


@compiled
def draw(state: State) -> None:
    """Move a card of the stock to the hand, and end the turn."""
    T.draw_stock(state, state.seat)
    _lay_on_pile(state)


@compiled
def take(state: State, place: int) -> None:
    """Move the first (`place` 0) or last card (1) of the previous discard to the hand, and end the turn."""
    size = state.pile_size
    at = size - state.last if TAKE_FIRST + place == TAKE_FIRST else size - 1
    T.come_to_hand(state, state.seat, state.pile[at])
    for i in range(at, size - 1):
        state.pile[i] = state.pile[i + 1]
    state.pile_size = size - 1
    state.pile[size - 1] = 0
    _lay_on_pile(state)


@compiled
def _lay_on_pile(state: State) -> None:
    """Move the laid cards to the pile, as its last discard, and end the turn."""
    size = state.pile_size
    for i in range(state.laid_size):
        state.pile[size] = state.laid[i]
        state.laid[i] = 0
        size += 1
    state.pile_size, state.last, state.laid_size = size, state.laid_size, 0
    _end_turn(state)


@compiled
def _end_turn(state: State) -> None:
    if state.stock_size == 0:
        _renew_stock(state)
    state.turns += 1
    if state.turns < state.rules.max_turns:
        T.begin_turn(state, next_in_game(state, state.seat), PLAY)
        return
    no_points(state)
    end_round(state, TURNS, NO_SEAT, NO_SEAT)


@compiled
def _renew_stock(state: State) -> None:
    """Shuffle all discards but the last one into a new stock (Y2.6)."""
    count, last = state.pile_size - state.last, state.last
    for i in range(count):
        state.stock[i] = state.pile[i]
        state.pile[i] = 0
    for i in range(last):
        state.pile[i] = state.pile[count + i]
        state.pile[count + i] = 0
    state.stock_size, state.pile_size = count, last
    shuffle(state, state.stock, count)


# All phases -----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others; `wanted` is not used."""
    clear_cells(mask)
    if state.phase == PLAY:
        mask[CALL] = may_call(state)
        write_bits(mask, DISCARD, state.hands[state.seat, 0], NUM_FACES)
    elif state.phase == DRAW:
        found = followers(state.laid, state.laid_size, state.hands[state.seat])
        write_bits(mask, ALSO, found, NUM_FACES)
        if may_draw(state):
            mask[DRAW_STOCK] = mask[TAKE_LAST] = 1
            mask[TAKE_FIRST] = has_two_ends(state)
