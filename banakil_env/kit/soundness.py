"""Is a record a sound state? What must hold for the common fields of `table_state`, in any game that has them.

A game's `check` asks `fault_of_round` and `fault_of_cards`, then checks its own rules, and last asks `checked`. A state
that passes can be played on without an access out of range.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.kit.going_on import can_go_on
from banakil_env.kit.pack54 import NUM_FACES, is_layered, is_part
from banakil_env.kit.table_state import (
    CHOOSE,
    MATCH,
    MATCH_EPISODE,
    MAX_ROUNDS,
    NO_SEAT,
    OUT,
    OVER,
    ROUNDS,
    RUNNING,
    copies_of,
    count_table,
)

# What `fault_of_cards` finds. The faults of a game name these, in this order, from some place on.
PACK, CELLS, LAYERS, KNOWN, MELD = range(1, 6)


@hook
def is_meld(state: Any, slot: int) -> bool:
    """Whether the number in this slot of the field `melds` is a meld."""
    raise NotImplementedError


@hook
def fault_of_melds(state: Any) -> int:
    """0, CELLS or MELD: the fault of the cards outside hands, stock and pile."""
    for slot in range(state.melds.shape[0]):
        if slot >= state.num_melds:
            if state.melds[slot] or state.meld_owner[slot]:
                return CELLS
        elif not is_meld(state, slot) or state.meld_owner[slot] >= state.num_players:
            return MELD
    return 0


@compiled
def fault_of_cards(state: Any) -> int:
    """0, or the fault of the cards: PACK, CELLS, LAYERS, KNOWN or MELD."""
    counts = scratch(NUM_FACES)
    for face in range(NUM_FACES):
        counts[face] = copies_of(state, face)
    for seat in range(state.hands.shape[0]):
        hand = state.hands[seat]
        if not is_layered(hand) or not is_layered(state.known[seat]):
            return LAYERS
        if not is_part(state.known[seat], hand):
            return KNOWN
        if seat >= state.num_players and (hand[0] or state.scores[seat] or state.points[seat]):
            return CELLS
        for layer in range(hand.shape[0]):
            cards = hand[layer]
            while cards:
                counts[lowest(cards)] -= 1
                cards &= cards - 1
    fault = fault_of_melds(state)
    if fault:
        return fault
    if not count_heaps(state, -1, counts):
        return CELLS
    count_table(state, counts, -1)
    for face in range(NUM_FACES):
        if counts[face]:
            return PACK
    return 0


@compiled
def count_heaps(state: Any, step: int, counts: Any) -> bool:
    """Count the cards of stock and pile by face, `step` for each. False: cells beyond their end are not empty."""
    for i in range(state.stock.shape[0]):
        if i < state.stock_size:
            counts[state.stock[i]] += step
        elif state.stock[i]:
            return False
        if i < state.pile_size:
            counts[state.pile[i]] += step
        elif state.pile[i]:
            return False
    return True


ROUND_FAULTS = (
    "turns, rounds, phase, ending and winner contradict each other",
    "impossible scores",
)


@compiled
def fault_of_round(state: Any, max_points: int, drawn: int = RUNNING) -> int:
    """0, or a place in ROUND_FAULTS plus 1.

    Args:
        max_points: the most that a seat can score, or lose, in a round.
        drawn: an ending specific to the game that names no winner; RUNNING: no such ending.
    """
    over = state.phase == OVER
    if over != (state.ending != RUNNING) or state.turns > state.rules.max_turns:
        return 1
    if not over and (state.turns >= state.rules.max_turns or state.winner != NO_SEAT):
        return 1
    # Room for the rounds to come: as many as a match can have never lead out of the range of the scores.
    for seat in range(state.num_players):
        if abs(state.scores[seat]) > max_points * (MAX_ROUNDS + state.rounds):
            return 2
    if state.episode == MATCH_EPISODE:
        if state.rounds > state.rules.max_rounds or (not over and state.rounds >= state.rules.max_rounds):
            return 1
        if over and state.ending != MATCH and state.ending != ROUNDS:
            return 1
    elif state.rounds or state.ending == MATCH or state.ending == ROUNDS:
        return 1
    with_winner = state.ending == MATCH or (state.ending >= OUT and state.ending != drawn)
    if over and with_winner != (state.winner != NO_SEAT):
        return 1
    return 0


@compiled
def checked(state: Any, fault: int, few_takers: int, no_action: int) -> int:
    """The fault found, or a fault that only the legal actions show; for the function `check` of a game.

    Args:
        fault: 0, or a place in FAULTS plus 1.
        few_takers, no_action: places in FAULTS: no choice where there must be one; no legal action.
    """
    if fault or state.phase == OVER or can_go_on(state):
        return fault
    return few_takers if state.phase == CHOOSE else no_action
