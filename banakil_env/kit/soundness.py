"""Checks the common fields of `table_state` in a record, in any game that has them.

What follows from the declaration of a field is known by then (`core/bounds.py`): its range, the phases in which it is
absent, cells that are not in use, seats that do not play. A game's `check` calls `fault_of_round` and `fault_of_cards`,
then checks what its own rules say, and last calls `checked`. A state that passes can be played on without an access out
of range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

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


class Faults(Sequence[str]):
    """Why a record is not a sound state, in words. Each fault has a name, a constant that `check` returns.

    The faults of the kit come first, and have the same numbers in all games.
    """

    def __init__(self, known: Sequence[str] = ()) -> None:
        self._said = list(known)

    def named(self, said: str) -> int:
        """A further fault; the number by which `check` names it."""
        self._said.append(said)
        return len(self._said)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._said[place]

    def __len__(self) -> int:
        return len(self._said)


COMMON = Faults()
PACK = COMMON.named("the cards are not those of the packs, each in one place")
LAYERS = COMMON.named("a hand has the second card of a face without the first")
KNOWN = COMMON.named("cards are known to be in a hand that are not")
MELD = COMMON.named("a meld on the table is not a meld")
ROUND = COMMON.named("turns, rounds, phase, ending and winner contradict each other")
SCORES = COMMON.named("impossible scores")
PARTNERS = COMMON.named("partners do not play with four, or have different scores or points")
NO_CARD = COMMON.named("a seat holds no card, and the round goes on")
OUT_WITH_CARDS = COMMON.named("the seat that is out holds cards")
DEALT = COMMON.named("there are too few cards for this number of hands")
WAITS = COMMON.named("a card waits for its meld that is not in the hand, or none waits in the phase in which one does")
ASKED = COMMON.named("a seat is asked that may not be asked now")
CONTRACT = COMMON.named("the first melds of the mover are not part of the contract")
NOTHING_TO_DRAW = COMMON.named("there is nothing to draw and nothing to take, or the turn could not begin")
FEW_TAKERS = COMMON.named("a card waits for its meld and fits fewer than two")
NO_ACTION = COMMON.named("there is no action that would lead to a legal end of the turn")


@hook
def is_meld(state: Any, slot: int) -> bool:
    """Whether the number in this slot of the field `melds` is a meld."""
    raise NotImplementedError


@hook
def fault_of_melds(state: Any) -> int:
    """0 or MELD: the fault of the cards outside hands, stock and pile."""
    for slot in range(state.num_melds):
        if not is_meld(state, slot):
            return MELD
    return 0


@compiled
def fault_of_cards(state: Any) -> int:
    """0, or the fault of the cards: PACK, LAYERS, KNOWN or MELD."""
    counts = scratch(NUM_FACES)
    for face in range(NUM_FACES):
        counts[face] = copies_of(state, face)
    for seat in range(state.num_players):
        hand = state.hands[seat]
        if not is_layered(hand) or not is_layered(state.known[seat]):
            return LAYERS
        if not is_part(state.known[seat], hand):
            return KNOWN
        for layer in range(hand.shape[0]):
            cards = hand[layer]
            while cards:
                counts[lowest(cards)] -= 1
                cards &= cards - 1
    fault = fault_of_melds(state)
    if fault:
        return fault
    for i in range(state.stock_size):
        counts[state.stock[i]] -= 1
    for i in range(state.pile_size):
        counts[state.pile[i]] -= 1
    count_table(state, counts, -1)
    for face in range(NUM_FACES):
        if counts[face]:
            return PACK
    return 0


@compiled
def fault_of_round(state: Any, max_points: int, drawn: int = RUNNING) -> int:
    """0, or what is wrong with round, match and scores: ROUND or SCORES.

    Args:
        max_points: the most that a seat can score, or lose, in a round.
        drawn: an ending specific to the game that names no winner; RUNNING: no such ending.
    """
    # Room for the rounds to come: as many as a match can have never lead out of the range of the scores.
    for seat in range(state.num_players):
        if abs(state.scores[seat]) > max_points * (MAX_ROUNDS + state.rounds):
            return SCORES
    with_winner = state.ending == MATCH or (state.ending >= OUT and state.ending != drawn)
    return ROUND if not is_counted(state) or with_winner != (state.winner != NO_SEAT) else 0


@compiled
def is_counted(state: Any) -> bool:
    """Whether turns, rounds, phase and ending agree, in a match that goes on for `max_rounds` at the most."""
    over, by_match = state.phase == OVER, state.ending == MATCH or state.ending == ROUNDS
    if not has_ended_so(state) or by_match != (over and state.episode == MATCH_EPISODE):
        return False
    return state.rounds < state.rules.max_rounds + over if state.episode == MATCH_EPISODE else state.rounds == 0


@compiled
def has_ended_so(state: Any) -> bool:
    """Whether the phase is OVER if there is an ending, and turns are left if there is none."""
    over = state.phase == OVER
    return over == (state.ending != RUNNING) and state.turns < state.rules.max_turns + over


@compiled
def checked(state: Any, fault: int) -> int:
    """The fault found, or a fault that only the legal actions show; for the function `check` of a game."""
    if fault or state.phase == OVER or can_go_on(state):
        return fault
    return FEW_TAKERS if state.phase == CHOOSE else NO_ACTION
