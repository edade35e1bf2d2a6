"""The legal actions and their effects (B2 to B6), both in one file per phase.

    draw.py        the stock or the pile (B2.1)
    opening.py     a new meld (B3, B4); openings.py has one row for each, with its cards and the meld it makes
    lay_off.py     additions and exchanges (B5), and the choice of their meld (B5.4)
    discard.py     the discard (B2.3), and with it the end of turn, round and match (B6, B8)
    dead_ends.py   plays after which the player could not end the turn (B2.5)

This module imports the functions that carry out actions, because the blocks of the action table name them. `mark`
marks the legal actions. `is_legal` tests the same conditions for one action: a batch of tables checks only the actions
that it is given, and a whole mask would take a third of the time of a step.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells
from banakil_env.core.engine import EVERYTHING
from banakil_env.core.jit import compiled
from banakil_env.games.banakil.actions import ADD, CHOOSE_MELD, DISCARD, OPEN_SEQUENCE
from banakil_env.games.banakil.faces import NO_FACE
from banakil_env.games.banakil.moves.dead_ends import MOST_CARDS
from banakil_env.games.banakil.moves.discard import discard as discard
from banakil_env.games.banakil.moves.discard import mark_discards, may_discard
from banakil_env.games.banakil.moves.draw import draw as draw
from banakil_env.games.banakil.moves.draw import mark_draws, may_draw
from banakil_env.games.banakil.moves.draw import take as take
from banakil_env.games.banakil.moves.lay_off import add as add
from banakil_env.games.banakil.moves.lay_off import choose_meld as choose_meld
from banakil_env.games.banakil.moves.lay_off import mark_choices, mark_lay_offs, may_choose, may_lay_off, takers_of
from banakil_env.games.banakil.moves.opening import mark_openings, may_open, opens_dead_end
from banakil_env.games.banakil.moves.opening import open_meld as open_meld
from banakil_env.kit.pack54 import count_cards
from banakil_env.kit.table_state import CHOOSE, DRAW, PLAY


@compiled
def mark(state: Any, mask: Any, wanted: int) -> None:
    """Write the legal actions into `mask`, all of them or only the action `wanted`; see `core.engine.mark`.

    A running game has at least one legal action (B2.5), a finished game has none.
    """
    if wanted != EVERYTHING:
        mask[wanted] = is_legal(state, wanted)
        return
    clear_cells(mask)
    if state.phase == DRAW:
        mark_draws(state, mask)
    elif state.phase == PLAY:
        mark_plays(state, mask)
    elif state.phase == CHOOSE:
        mark_choices(state, mask)


@compiled
def mark_plays(state: Any, mask: Any) -> None:
    """Mark the legal actions of phase PLAY (B2.2, B2.3): openings, additions, exchanges and discards."""
    seat = state.seat
    hand = state.hands[seat, 0]
    mark_openings(state, hand, mask)
    if state.melds_of[seat]:
        mark_lay_offs(state, hand, mask)
    if state.banned != NO_FACE and count_cards(state.hands[seat]) <= MOST_CARDS:
        _clear_dead_ends(state, mask)
    mark_discards(state, hand, mask)


@compiled
def _clear_dead_ends(state: Any, mask: Any) -> None:
    """Remove the plays that B2.5 forbids from a mask of openings, additions and exchanges."""
    for action in range(OPEN_SEQUENCE, DISCARD):
        if mask[action]:
            mask[action] = takers_of(state, action) != 0 if action >= ADD else not opens_dead_end(state, action)


@compiled
def is_legal(state: Any, action: int) -> bool:
    """Return whether this one action is legal."""
    if state.phase == DRAW:
        return may_draw(state, action)
    if state.phase == CHOOSE:
        return may_choose(state, action)
    if state.phase != PLAY or action < OPEN_SEQUENCE or action >= CHOOSE_MELD:
        return False
    if action >= DISCARD:
        return may_discard(state, action)
    return may_lay_off(state, action) if action >= ADD else may_open(state, action)
