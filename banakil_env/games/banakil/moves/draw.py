"""The start of a turn: a card from the stock, or any number of cards from the top of the pile (B2.1)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, inlined
from banakil_env.games.banakil.actions import DRAW_STOCK, OPEN_SEQUENCE, TAKE
from banakil_env.games.banakil.state import MAX_TAKE
from banakil_env.kit.pack54 import has_card
from banakil_env.kit.table_state import PLAY, draw_stock, take_top


@inlined
def mark_draws(state: Any, mask: Any) -> None:
    """Mark the legal draws in `mask`."""
    mask[DRAW_STOCK] = state.stock_size > 0
    pile_size = state.pile_size
    for k in range(MAX_TAKE):  # a loop over all depths can be vectorized
        mask[TAKE + k] = k < pile_size


@inlined
def may_draw(state: Any, action: int) -> bool:
    """Return whether this draw is legal."""
    if action == DRAW_STOCK:
        return state.stock_size > 0
    return action < OPEN_SEQUENCE and action - TAKE < state.pile_size


@compiled
def draw(state: Any) -> None:
    """Draw a card of the stock."""
    draw_stock(state, state.seat)
    state.phase = PLAY


@compiled
def take(state: Any, depth: int) -> None:
    """Take the top `depth + 1` cards of the pile, and note the card that may not be discarded (B2.4)."""
    seat, count = state.seat, depth + 1
    state.phase = PLAY
    if count == 1:
        face = state.pile[state.pile_size - 1]
        state.taken = face
        if not state.rules.discard_taken and not has_card(state.hands[seat], face):
            state.banned = face
    for _ in range(count):
        take_top(state, seat)
